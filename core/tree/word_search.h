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
    const auto columns = frame.columns();
    top_ = 0;
    make_room(columns.size());
    std::copy(columns.begin(), columns.end(), listed_.begin());
    top_ = columns.size();
    if (alone_.size() <= columns.size()) {
      alone_.resize(columns.size() + 1);
      several_.resize(columns.size() + 1);
    }
    return {0, columns.size(), true};
  }
  /// The same list for a node below, which must not change it.
  static List borrow(const List& list) { return {list.begin, list.end, false}; }
  /// Gives up an owned list, the last that was made.
  void close(const List& list) {
    if (list.owned) top_ = list.begin;
  }

  /// A column that varies in a node, each with the same chance, or none. The list is left as it is: meant for
  /// nodes of two rows, in which every column that varies splits alike.
  const WordColumn* any_varying(std::uint64_t rows, const List& list, const Stream& stream) {
    constexpr int tries = 24;
    ColumnDraws draws(stream);
    const WordColumn* columns = listed_.data() + list.begin;
    const std::size_t size = list.end - list.begin;
    for (int i = 0; i < tries && size > 0; ++i) {
      const WordColumn& column = columns[draws.below(size)];
      if (frame_->varies(column, rows)) return &column;
    }
    varying_.clear();
    for (std::size_t i = 0; i < size; ++i)
      if (frame_->varies(columns[i], rows)) varying_.push_back(&columns[i]);
    return varying_.empty() ? nullptr : varying_[draws.below(varying_.size())];
  }

  /// The best split of a node that the outputs have been told.
  SplitCandidate search(std::uint64_t rows, std::size_t size, List& list, const Stream& stream) {
    keep_varying(rows, list);
    rows_ = rows;
    size_ = size;
    stream_ = &stream;
    best_.begin(stream);
    draw_columns(list);
    if (allowed(1)) try_alone(list);
    for (std::size_t i = 0; i < several_count_; ++i) {
      const WordColumn& column = listed_[list.begin + several_[i]];
      best_.set_place(several_[i]);
      best_.watch();
      try_several(column);
      if (best_.changed()) column_ = column;
    }
    return best_.finish();
  }
  /// The column of the split that was found.
  const WordColumn& column() const { return column_; }

 private:
  /// A column that parts one row from the others.
  struct Alone {
    std::uint64_t row = 0;
    std::uint32_t place = 0;
  };

  /// 1 or 0: whether a column that has the entries `here` varies among some rows. A branch asks only for the
  /// rare column that has an entry in every row.
  static unsigned varies(const WordColumn& column, std::uint64_t here, std::uint64_t rows,
                         const WordFrame& frame) {
    if (here == rows && column.entries < WordFrame::one_entry) return frame.varies(column, rows) ? 1 : 0;
    return static_cast<unsigned>(here != 0) & static_cast<unsigned>(here != rows);
  }
  void make_room(std::size_t columns) {
    if (listed_.size() < top_ + columns) listed_.resize(top_ + columns);
  }
  /// Makes a list of a node's own, of only those columns that vary. No branch asks which: it could not be
  /// foreseen.
  void keep_varying(std::uint64_t rows, List& list) {
    const std::size_t begin = list.owned ? list.begin : top_;
    if (!list.owned) make_room(list.end - list.begin);
    const std::size_t count =
        filter(listed_.data() + list.begin, list.end - list.begin, rows, *frame_, listed_.data() + begin);
    list = {begin, begin + count, true};
    top_ = list.end;
  }
  /// Apart, so that nothing else claims the registers.
  [[gnu::noinline]] static std::size_t filter(const WordColumn* from, std::size_t size, std::uint64_t rows,
                                              const WordFrame& frame, WordColumn* to) {
    std::size_t count = 0;
    for (std::size_t i = 0; i < size; ++i) {
      const unsigned kept = varies(from[i], from[i].rows & rows, rows, frame);
      to[count] = from[i];
      count += kept;
    }
    return count;
  }

  /// Draws as many columns as are to be looked at to the front of the list, and sorts out which of them part
  /// one row from the others.
  [[gnu::noinline]] void draw_columns(const List& list) {
    WordColumn* const columns = listed_.data() + list.begin;
    const std::size_t size = list.end - list.begin;
    const auto wanted = static_cast<std::uint32_t>(std::min<std::size_t>(options_->features, size));
    ColumnDraws draws(*stream_);
    std::size_t alone = 0;
    std::size_t several = 0;
    std::uint64_t alone_rows = 0;
    for (std::uint32_t place = 0; place < wanted; ++place) {
      const std::size_t next = place + draws.below(size - place);
      const std::uint64_t here = columns[next].rows & rows_;
      const std::uint64_t others = rows_ ^ here;
      const unsigned two_valued = columns[next].entries == WordFrame::two_valued ? 1 : 0;
      const unsigned one_here = (here & (here - 1)) == 0 ? 1 : 0;
      const unsigned one_other = (others & (others - 1)) == 0 ? two_valued : 0;
      const unsigned is_alone = one_here | one_other;
      const std::uint64_t row = one_here != 0 ? here : others;
      alone_[alone] = {row, place};
      alone += is_alone;
      alone_rows |= row & (0 - std::uint64_t{is_alone});
      several_[several] = place;
      several += 1 - is_alone;
      std::swap(columns[place], columns[next]);
    }
    alone_count_ = alone;
    several_count_ = several;
    alone_rows_ = alone_rows;
  }

  /// Scores parting one row from the others, for each row that some column parts.
  void try_alone(const List& list) {
    if (alone_count_ == 0) return;
    double top = -std::numeric_limits<double>::infinity();
    for (std::uint64_t rows = alone_rows_; rows != 0; rows &= rows - 1) {
      const std::uint32_t id = row_of(rows);
      alone_score_[id] = outputs_->alone(id).value();
      top = std::max(top, alone_score_[id]);
    }
    std::uint64_t best_rows = 0;
    for (std::uint64_t rows = alone_rows_; rows != 0; rows &= rows - 1) {
      const std::uint32_t id = row_of(rows);
      best_rows |= std::uint64_t{alone_score_[id] == top ? 1U : 0U} << id;
    }
    std::size_t first = 0;
    while ((alone_[first].row & best_rows) == 0) ++first;
    best_.set_place(alone_[first].place);
    if (best_.better(top)) take_alone(listed_[list.begin + alone_[first].place], row_of(alone_[first].row));
  }
  void take_alone(const WordColumn& column, std::uint32_t id) {
    column_ = column;
    if (column.entries == WordFrame::two_valued) {
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
    if (column.entries == WordFrame::two_valued) {
      const std::size_t count = bit_count(here);
      if (allowed(count) && best_.better(outputs_->part(2 * count <= size_ ? here : rows_ ^ here)))
        best_.take(column.feature, 0, 1);
    } else if (options_->rule == SplitRule::random_cut) {
      try_cut(column, here);
    } else {
      std::size_t count = 0;
      for (const WordFrame::Entry& entry : frame_->entries(column)) {
        keys_[count] = (ListKey{entry.key} << 32) | entry.id;
        count += (here >> entry.id) & 1U;
      }
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
    for (const WordFrame::Entry& entry : entries) {
      values[listed] = std::bit_cast<float>(entry.key);
      bits[listed] = std::uint64_t{1} << entry.id;
      listed += (here >> entry.id) & 1U;
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
  std::vector<WordColumn> listed_;  ///< the stack of lists, up to top_
  std::size_t top_ = 0;
  std::vector<const WordColumn*> varying_;

  std::uint64_t rows_ = 0;  ///< of the node
  std::size_t size_ = 0;
  const Stream* stream_ = nullptr;
  BestSplit best_;
  WordColumn column_;  ///< of the best split
  ListedSweep sweep_;
  std::vector<Alone> alone_;  ///< columns that part one row from the others, in the order in which they came
  std::vector<std::uint32_t> several_;  ///< places of the columns that do not
  std::size_t alone_count_ = 0;
  std::size_t several_count_ = 0;
  std::uint64_t alone_rows_ = 0;
  std::array<double, WordFrame::most_rows> alone_score_;
  std::array<ListKey, WordFrame::most_rows + 1> keys_;
};

}  // namespace coppice
