#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <limits>
#include <vector>

#include "core/tree/best_split.h"
#include "core/tree/column_draws.h"
#include "core/tree/listed_sweep.h"
#include "core/tree/partition_scores.h"
#include "core/tree/top_draws.h"
#include "core/tree/value_scan.h"
#include "core/tree/word_frame.h"

namespace coppice {

/// Looks for the best split of nodes in a word frame. A node keeps a list of the columns that vary in it,
/// those of the list of the node above that still do, and draws from it. Most columns part one row from the
/// others: that is scored once for each row, not for each column.
template <typename Outputs>
class WordSearch {
 public:
  WordSearch(const CodedInputs& inputs, const GrowthOptions& options, Outputs& outputs)
      : inputs_(&inputs), options_(&options), outputs_(&outputs), best_(inputs, options), sweep_(options) {}

  /// A part of the stack of lists that has at least the columns that vary in a node. An owned one may be
  /// changed; another is that of a node above.
  struct List {
    std::size_t begin = 0;
    std::size_t end = 0;
    bool owned = false;
  };

  /// The list of all columns of a frame.
  List open(const WordFrame& frame) {
    frame_ = &frame;
    top_ = frame.column_count();
    listed_.make_room(top_);
    std::copy_n(frame.columns().rows.begin(), top_, listed_.rows.begin());
    std::copy_n(frame.columns().names.begin(), top_, listed_.names.begin());
    return {0, top_, true};
  }
  /// The same list for a node below, which may only change the order.
  static List borrow(const List& list) { return {list.begin, list.end, false}; }
  /// Gives up an owned list, the last that was made.
  void close(const List& list) {
    if (list.owned) top_ = list.begin;
  }

  /// A column that varies in a node, each with the same chance; returns whether there is one. The list is
  /// left as it is: meant for nodes of two rows, in which every column that varies splits alike.
  bool any_varying(std::uint64_t rows, const List& list, const Stream& stream, WordColumn& found) {
    constexpr std::size_t tries = 3;
    constexpr std::size_t at_once = 8;
    ColumnDraws draws(stream);
    const std::size_t size = list.end - list.begin;
    for (std::size_t i = 0; i < tries && size > 0; ++i) {
      std::array<std::size_t, at_once> drawn;
      unsigned parting = 0;
      for (std::size_t j = 0; j < at_once; ++j) {
        drawn[j] = list.begin + draws.below(size);
        const std::uint64_t here = listed_.rows[drawn[j]] & rows;
        parting |= ((here != 0 ? 1U : 0U) & (here != rows || frame_->has_entries() ? 1U : 0U)) << j;
      }
      for (; parting != 0; parting &= parting - 1) {
        found = listed_[drawn[static_cast<std::size_t>(std::countr_zero(parting))]];
        if (frame_->varies(found, rows)) return true;
      }
    }
    const std::size_t count = count_varying(rows, list);
    if (count == 0) return false;
    found = listed_[list.begin + marked(draws.below(count))];
    return true;
  }

  /// The best split of a node that the outputs have been told.
  SplitCandidate search(std::uint64_t rows, std::size_t size, List& list, const Stream& stream) {
    rows_ = rows;
    size_ = size;
    stream_ = &stream;
    best_.begin(stream);
    if (PartitionScores::pays(size, options_->features))
      search_until_top(list);
    else
      search_drawn(list);
    return best_.finish();
  }
  /// The column of the split that was found.
  const WordColumn& column() const { return column_; }

 private:
  /// Whether outputs look at several columns at once.
  static constexpr bool scores_parts = requires(Outputs & outputs) { outputs.best_part({}, 0, 0); };

  /// How many columns of a list vary among some rows; marks say which.
  std::size_t count_varying(std::uint64_t rows, const List& list) {
    const std::size_t size = list.end - list.begin;
    marks_.resize((size + 63) / 64);
    mark_varying(listed_, list.begin, size, rows, marks_.data());
    std::size_t count = 0;
    for (std::size_t w = 0; w < marks_.size(); ++w) {
      if (frame_->has_entries())
        for (std::uint64_t left = marks_[w]; left != 0; left &= left - 1)
          if (!frame_->varies(listed_[list.begin + 64 * w + row_of(left)], rows))
            marks_[w] ^= std::uint64_t{1} << row_of(left);
      count += bit_count(marks_[w]);
    }
    return count;
  }
  /// The place of one of the marked columns in its list.
  std::size_t marked(std::size_t which) const {
    std::size_t w = 0;
    for (; which >= bit_count(marks_[w]); ++w) which -= bit_count(marks_[w]);
    std::uint64_t left = marks_[w];
    for (; which > 0; --which) left &= left - 1;
    return 64 * w + row_of(left);
  }

  /// Draws columns one by one until k have varied, or one has the highest score there is: no other could
  /// replace it. The list is not filtered for so few draws.
  void search_until_top(const List& list) {
    partitions_.learn(*outputs_, rows_, options_->min_samples_leaf);
    ColumnDraws draws(*stream_);
    DrawnColumns drawn{listed_.rows.data() + list.begin, listed_.names.data() + list.begin,
                       list.end - list.begin, options_->features};
    double best = PartitionScores::none;
    while (best < partitions_.top() && draw_above(drawn, draws, partitions_, rows_, best)) {
      const WordColumn column = listed_[list.begin + drawn.place++];
      const std::uint64_t here = column.rows & rows_;
      if (here == rows_ && !frame_->varies(column, rows_)) continue;
      best_.set_place(static_cast<std::uint32_t>(drawn.looked_at++));
      best_.watch();
      if (column.entries == WordColumn::two_valued) {
        if (best_.better(partitions_.of(here))) best_.take(column.feature, 0, 1);
      } else if (is_one(here)) {
        if (best_.better(partitions_.of(here))) take_alone(column, row_of(here));
      } else {
        try_several(column);
      }
      if (!best_.changed()) continue;
      column_ = column;
      best = best_.score();
    }
  }

  /// Makes a list of the node's own, of only those columns that vary, and looks at k of them.
  void search_drawn(List& list) {
    const std::size_t begin = list.owned ? list.begin : top_;
    const std::size_t count = keep_varying(listed_, list.begin, list.end - list.begin, rows_, begin);
    list = {begin, begin + count, true};
    sort_out(listed_, begin, draw_columns(list), rows_, sorted_);
    top_ = list.end;
    if (allowed(1)) try_alone(list);
    if constexpr (scores_parts)
      if (!frame_->has_entries()) {
        try_parts(list);
        return;
      }
    for (std::size_t i = 0; i < sorted_.several; ++i) {
      const WordColumn column = listed_[list.begin + sorted_.several_place[i]];
      if (column.has_entries() && !could_win(column.rows & rows_)) continue;
      best_.set_place(sorted_.several_place[i]);
      best_.watch();
      try_several(column);
      if (best_.changed()) column_ = column;
    }
  }

  /// Whether a split that parts some of these rows, which have entries in a column, could be the best: that
  /// is known sooner than the order of the entries.
  bool could_win(std::uint64_t rows) const {
    if constexpr (scores_parts)
      return rows == rows_ ||
             outputs_->any_part(rows, [&](const SplitScore& score) { return best_.could_be(score); });
    else
      return true;
  }

  /// Tries the columns that part several rows from several others, all of two values, together.
  void try_parts(const List& list) {
    const auto best =
        outputs_->best_part({listed_.rows.data() + list.begin, sorted_.several_place.data(), sorted_.several},
                            rows_, options_->min_samples_leaf);
    if (best.score == PartitionScores::none) return;
    const std::uint32_t place = sorted_.several_place[best.index];
    best_.set_place(place);
    if (!best_.better(best.score)) return;
    column_ = listed_[list.begin + place];
    best_.take(column_.feature, 0, 1);
  }

  /// Draws as many columns as are to be looked at to the front of the list, and returns how many; drops those
  /// that are found not to vary.
  std::size_t draw_columns(List& list) {
    ColumnDraws draws(*stream_);
    std::size_t varying = 0;
    for (;;) {
      const std::size_t size = list.end - list.begin;
      const std::size_t wanted = std::min<std::size_t>(options_->features, size);
      if (varying == wanted) return varying;
      if (drawn_.size() < wanted) drawn_.resize(wanted);
      draws.places(varying, wanted, size, drawn_.data());
      std::uint64_t* const rows = listed_.rows.data() + list.begin;
      std::uint64_t* const names = listed_.names.data() + list.begin;
      for (std::size_t place = varying; place < wanted; ++place) {
        const std::size_t next = drawn_[place - varying];
        std::swap(rows[place], rows[next]);
        std::swap(names[place], names[next]);
      }
      if (!frame_->has_entries()) return wanted;
      varying = drop_constant(list, varying, wanted);
    }
  }
  /// Of the columns at some places of a list, takes those out that do not vary; returns where the others end.
  std::size_t drop_constant(List& list, std::size_t begin, std::size_t end) {
    std::uint64_t* const rows = listed_.rows.data() + list.begin;
    std::uint64_t* const names = listed_.names.data() + list.begin;
    std::size_t kept = begin;
    for (std::size_t place = begin; place < end; ++place) {
      rows[kept] = rows[place];
      names[kept] = names[place];
      const bool constant =
          (rows[place] & rows_) == rows_ && !frame_->varies(listed_[list.begin + place], rows_);
      kept += constant ? 0 : 1;
    }
    for (std::size_t place = kept; place < end; ++place) {
      --list.end;
      rows[place] = listed_.rows[list.end];
      names[place] = listed_.names[list.end];
    }
    return kept;
  }

  /// Scores parting one row from the others, for each row that some column parts.
  void try_alone(const List& list) {
    if (sorted_.alone == 0) return;
    double top = -std::numeric_limits<double>::infinity();
    for (std::uint64_t rows = sorted_.alone_rows; rows != 0; rows &= rows - 1) {
      const std::uint32_t id = row_of(rows);
      alone_score_[id] = outputs_->alone(id).value();
      top = std::max(top, alone_score_[id]);
    }
    std::uint64_t best_rows = 0;
    for (std::uint64_t rows = sorted_.alone_rows; rows != 0; rows &= rows - 1) {
      const std::uint32_t id = row_of(rows);
      best_rows |= std::uint64_t{alone_score_[id] == top ? 1U : 0U} << id;
    }
    std::size_t first = 0;
    while ((sorted_.alone_row[first] & best_rows) == 0) ++first;
    const std::uint32_t place = sorted_.alone_place[first];
    best_.set_place(place);
    if (!best_.better(top)) return;
    column_ = listed_[list.begin + place];
    take_alone(column_, row_of(sorted_.alone_row[first]));
  }
  void take_alone(const WordColumn& column, std::uint32_t id) {
    if (column.entries == WordColumn::two_valued) {
      best_.take(column.feature, 0, 1);
      return;
    }
    const CodedColumn& coded = inputs_->column(column.feature);
    const std::uint32_t code = inputs_->listed_code(frame_->rows()[id], column.feature);
    if (options_->rule == SplitRule::random_cut)
      take_cut(column.feature, coded.values[std::min(code, coded.default_code)],
               coded.values[std::max(code, coded.default_code)]);
    else
      best_.take(column.feature, std::min(code, coded.default_code), std::max(code, coded.default_code));
  }
  void take_cut(std::uint32_t feature, float lowest, float highest) {
    best_.take_cut(feature, cut_between(lowest, highest, cut_position(*stream_, feature)));
  }

  /// Tries a column that does more than part one row from the others.
  void try_several(const WordColumn& column) {
    const std::uint64_t here = column.rows & rows_;
    if (column.entries == WordColumn::two_valued) {
      const std::size_t count = bit_count(here);
      if (allowed(count) && best_.better(outputs_->part(2 * count <= size_ ? here : rows_ ^ here)))
        best_.take(column.feature, 0, 1);
    } else if (options_->rule == SplitRule::random_cut) {
      try_cut(column, here);
    } else {
      const auto entries = frame_->sorted_entries(column);
      const std::size_t count = keys_among(entries.data(), entries.size(), here, keys_.data());
      sweep_.run(*outputs_, column.feature, std::span(keys_).first(count), size_,
                 inputs_->default_of(column.feature).code, best_);
    }
  }
  /// One random cut; the side without the rows that have the column's default is added up.
  void try_cut(const WordColumn& column, std::uint64_t here) {
    const auto entries = frame_->entries(column);
    const bool others = here != rows_;
    const float other = inputs_->default_of(column.feature).value;
    float lowest = others ? other : std::numeric_limits<float>::infinity();
    float highest = others ? other : -std::numeric_limits<float>::infinity();
    std::array<float, WordFrame::most_rows> values;
    std::array<std::uint64_t, WordFrame::most_rows> bits;
    std::size_t listed = 0;
    for (const ListKey entry : entries) {
      values[listed] = key_value(entry);
      bits[listed] = std::uint64_t{1} << key_id(entry);
      listed += (here >> key_id(entry)) & 1U;
    }
    for (std::size_t i = 0; i < listed; ++i) {
      lowest = std::min(lowest, values[i]);
      highest = std::max(highest, values[i]);
    }
    const float cut = cut_between(lowest, highest, cut_position(*stream_, column.feature));
    std::uint64_t left = others && other <= cut ? rows_ ^ here : 0;
    for (std::size_t i = 0; i < listed; ++i) left |= values[i] <= cut ? bits[i] : 0;
    const std::size_t count = bit_count(left);
    if (!allowed(count)) return;
    const std::uint64_t side = 2 * count <= size_ ? left : rows_ ^ left;
    const SplitScore score = is_one(side) ? outputs_->alone(row_of(side)) : outputs_->part(side);
    if (best_.better(score)) best_.take_cut(column.feature, cut);
  }

  /// Whether both sides are large enough.
  bool allowed(std::size_t side) const {
    return side >= options_->min_samples_leaf && size_ - side >= options_->min_samples_leaf;
  }
  static std::uint32_t row_of(std::uint64_t row) { return static_cast<std::uint32_t>(std::countr_zero(row)); }
  static bool is_one(std::uint64_t rows) { return (rows & (rows - 1)) == 0; }

  const CodedInputs* inputs_;
  const GrowthOptions* options_;
  Outputs* outputs_;
  const WordFrame* frame_ = nullptr;
  WordColumns listed_;  ///< the stack of lists, up to top_
  std::size_t top_ = 0;
  std::vector<std::uint64_t> marks_;  ///< of the columns of a list

  std::uint64_t rows_ = 0;  ///< of the node
  std::size_t size_ = 0;
  const Stream* stream_ = nullptr;
  BestSplit best_;
  WordColumn column_;  ///< of the best split
  ListedSweep sweep_;
  PartitionScores partitions_;
  std::vector<std::uint32_t> drawn_;
  SortedOut sorted_;  ///< the columns that were drawn
  std::array<double, WordFrame::most_rows> alone_score_;
  std::array<ListKey, WordFrame::most_rows + keys_beyond> keys_;
};

}  // namespace coppice
