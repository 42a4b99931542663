#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "core/tree/best_split.h"
#include "core/tree/coded_inputs.h"
#include "core/tree/feature_order.h"
#include "core/tree/frame.h"
#include "core/tree/grower.h"
#include "core/tree/key_sort.h"
#include "core/tree/node_view.h"
#include "core/tree/special_search.h"
#include "core/tree/split_candidate.h"
#include "core/tree/split_score.h"
#include "core/tree/value_scan.h"

namespace coppice {

/// Finds the best split of single columns and keeps the best of all. Columns may be tried in any order: of
/// equally good splits that of the feature whose place comes first wins.
template <typename Space>
class ColumnSearch {
 public:
  ColumnSearch(const CodedInputs& inputs, const GrowthOptions& options, const Space& space)
      : inputs_(&inputs),
        options_(&options),
        side_(space),
        special_(inputs, options, space),
        best_(inputs, options) {}

  void begin(const NodeView& node, const Stream& stream) {
    const std::size_t size = node.ids.size();
    begin(size, stream);
    in_words_ = false;
    node_ = &node;
    if (!inputs_->dense_columns().empty() && (!node.dense->active() || inputs_->has_special())) {
      rows_.resize(size);
      for (std::size_t i = 0; i < size; ++i) rows_[i] = node.frame->rows()[node.ids[i]];
    }
    if (inputs_->has_listed()) {
      if (alone_score_.size() < node.frame->size()) alone_score_.resize(node.frame->size());
      alone_known_.assign(node.frame->words(), 0);
    }
  }
  /// Begins a node of a word frame: of its columns only what has to be added up is told.
  void begin_words(std::size_t size, const Stream& stream) {
    begin(size, stream);
    in_words_ = true;
    if (alone_score_.size() < 64) alone_score_.resize(64);
    alone_known_.resize(1);
    alone_known_[0] = 0;
  }

  /// The best split of the columns that were tried.
  SplitCandidate best() { return best_.finish(); }

  /// The best split of one column alone, dense or of the frame; `varies` as above.
  SplitCandidate only(std::uint32_t column, bool dense, bool& varies) {
    best_.begin(*stream_);
    varies = dense ? try_dense(column) : try_listed(column);
    return best();
  }

  /// Says when the column that is tried next comes among the node's features.
  void set_place(std::uint32_t place) { best_.set_place(place); }

  /// Fetches what try_dense will need of a column into the cache; worth it in small nodes, which would wait.
  void prefetch_dense(std::uint32_t feature) const {
    if (node_->dense->active() || node_->ids.size() > most_prefetched) return;
    const CodedColumn& column = inputs_->column(feature);
    if (column.constant) return;
    for (const std::uint32_t row : rows_) {
      if (options_->rule == SplitRule::random_cut)
        __builtin_prefetch(column.dense_values.data() + row);
      else if (column.narrow())
        __builtin_prefetch(column.narrow_codes.data() + row);
    }
  }

  /// Looks at a dense column; returns whether it varies in the node.
  bool try_dense(std::uint32_t feature) {
    const CodedColumn& column = inputs_->column(feature);
    if (column.categories > 0 || (column.missing && some_missing(column))) return try_special(feature);
    const bool copied = node_->dense->active();
    const std::uint32_t* places = copied ? node_->ids.data() : rows_.data();
    if (options_->rule == SplitRule::random_cut)
      return try_values(
          feature, copied ? node_->dense->values(column.dense_index) : column.dense_values.data(), places);
    if (!column.narrow()) return try_codes(feature, column.wide_codes.data(), places, long_keys_);
    const std::uint16_t* codes =
        copied ? node_->dense->codes(column.dense_index) : column.narrow_codes.data();
    return node_->frame->size() <= 65536 ? try_codes(feature, codes, places, short_keys_)
                                         : try_codes(feature, codes, places, long_keys_);
  }

  /// The same for a column of the frame.
  bool try_listed(std::uint32_t index) {
    const FrameColumn& column = node_->frame->columns()[index];
    const std::uint32_t count = node_->counts[index];
    if (count == 0) return false;
    bool varies = true;
    best_.watch();
    if (!column.two_valued)
      varies = try_valued(column, count);
    else if (count == size_)
      varies = false;
    else if (allowed(count))
      try_two_valued(column, count);
    if (best_.changed()) best_.set_frame_column(index);
    return varies;
  }

  /// Whether parting one row of a word frame from the node's others is better than the best so far. Then it
  /// is the best, and one of the next three has to say how.
  bool beats_alone(std::uint32_t row) { return best_.better(alone(row)); }
  void take_two_valued(std::uint32_t feature) { best_.take(feature, 0, 1); }
  /// Between a code and the column's default.
  void take_from_default(std::uint32_t feature, std::uint32_t code) {
    const std::uint32_t other = inputs_->column(feature).default_code;
    best_.take(feature, std::min(code, other), std::max(code, other));
  }
  /// At random between a value and the column's default.
  void take_cut_from_default(std::uint32_t feature, float value) {
    const CodedColumn& coded = inputs_->column(feature);
    const float other = coded.values[coded.default_code];
    best_.take_cut(feature, cut_between(std::min(value, other), std::max(value, other),
                                        cut_position(*stream_, feature)));
  }
  /// A column of two values that parts several rows of a word frame from the node's others; only the smaller
  /// side need be told.
  void try_side(std::uint32_t feature, std::uint64_t side) {
    if (best_.better(part(side))) best_.take(feature, 0, 1);
  }
  /// The listed rows of a column by code, to be filled for try_keys.
  std::vector<ListKey>& keys() { return long_keys_.keys; }
  /// A column of which keys() are the listed rows, by code unless one random cut is looked for; other rows
  /// have the column's default. Returns whether it varies.
  bool try_keys(std::uint32_t feature) {
    const auto& keys = long_keys_.keys;
    const CodedColumn& coded = inputs_->column(feature);
    const bool others = keys.size() < size_;
    std::uint32_t lowest = key_code(keys.front());
    std::uint32_t highest = key_code(keys.back());
    if (options_->rule == SplitRule::random_cut) {
      const auto [first, last] = std::minmax_element(keys.begin(), keys.end());
      lowest = key_code(*first);
      highest = key_code(*last);
    }
    if (others) {
      lowest = std::min(lowest, coded.default_code);
      highest = std::max(highest, coded.default_code);
    }
    if (lowest == highest) return false;
    if (keys.size() == 1) {
      if (allowed(1) && best_.better(alone(key_id(keys[0])))) best_.take(feature, lowest, highest);
      return true;
    }
    if (options_->rule == SplitRule::random_cut) {
      for (std::size_t i = 0; i < keys.size(); ++i)
        set_listed(i, key_id(keys[i]), coded.values[key_code(keys[i])]);
      try_cut(feature, {coded.values[lowest], coded.values[highest]},
              std::span(listed_ids_).first(keys.size()), coded.values[coded.default_code]);
      return true;
    }
    if (!others) {
      sweep_up(feature, long_keys_, keys.size(), highest);
      return true;
    }
    const auto below = static_cast<std::size_t>(
        std::lower_bound(keys.begin(), keys.end(), ListKey{coded.default_code} << 32) - keys.begin());
    sweep_up(feature, long_keys_, below, coded.default_code);
    sweep_down(feature, long_keys_, below, coded.default_code);
    return true;
  }
  /// Says which row is the i-th listed one of a column, and its value, for try_listed_values.
  void set_listed(std::size_t i, std::uint32_t id, float value) {
    listed_ids_[i] = id;
    values_[i] = value;
  }
  /// One random cut of a column of which so many rows are listed, by set_listed; other rows have the column's
  /// default. Returns whether it varies.
  bool try_listed_values(std::uint32_t feature, std::size_t count) {
    ValueRange range = range_of(values_.data(), count);
    const bool others = count < size_;
    float other = 0.0F;
    if (others) {
      const CodedColumn& coded = inputs_->column(feature);
      other = coded.values[coded.default_code];
      range = {std::min(range.lowest, other), std::max(range.highest, other)};
    }
    if (range.lowest == range.highest) return false;
    try_cut(feature, range, std::span(listed_ids_).first(count), other);
    return true;
  }

  /// Whether both sides are large enough.
  bool allowed(std::size_t side) const {
    return side >= options_->min_samples_leaf && size_ - side >= options_->min_samples_leaf;
  }

 private:
  static constexpr std::size_t most_prefetched = 64;

  void begin(std::size_t size, const Stream& stream) {
    size_ = size;
    stream_ = &stream;
    best_.begin(stream);
    if (scores_.size() >= size) return;
    scores_.resize(size);
    ids_.resize(size);
    listed_ids_.resize(size);
    left_bits_.resize(size / 64 + 1);
    wanted_.resize(size);
    values_.resize(size);
  }

  bool some_missing(const CodedColumn& column) const {
    return std::any_of(rows_.begin(), rows_.end(),
                       [&](std::uint32_t row) { return std::isnan(column.dense_values[row]); });
  }
  bool try_special(std::uint32_t feature) {
    bool varies = false;
    SplitCandidate split = special_.search(feature, node_->ids, rows_, *stream_, varies);
    if (split.found && best_.better(split.score)) best_.take_special(std::move(split));
    return varies;
  }

  template <typename Code, typename AnyKeys>
  bool try_codes(std::uint32_t feature, const Code* codes, const std::uint32_t* places, AnyKeys& sorted) {
    auto& keys = sorted.keys;
    const std::size_t size = node_->ids.size();
    keys.resize(size);
    std::uint32_t lowest = std::numeric_limits<std::uint32_t>::max();
    std::uint32_t highest = 0;
    for (std::size_t i = 0; i < size; ++i) {
      const std::uint32_t code = codes[places[i]];
      lowest = std::min(lowest, code);
      highest = std::max(highest, code);
      keys[i] = AnyKeys::make(code, node_->ids[i]);
    }
    if (lowest == highest) return false;
    sorted.order.sort(keys, lowest, highest);
    sweep_up(feature, sorted, size, highest);
    return true;
  }

  /// Adds the first `count` keys to the left side one by one and scores every boundary between two codes; the
  /// rows after them have the code `next_code`, or there are none.
  template <typename AnyKeys>
  void sweep_up(std::uint32_t feature, const AnyKeys& sorted, std::size_t count, std::uint32_t next_code) {
    if (count == 0) return;
    const auto* keys = sorted.keys.data();
    for (std::size_t i = 0; i < count; ++i) ids_[i] = AnyKeys::id(keys[i]);
    const auto code_after = [&](std::size_t i) {
      return i + 1 < count ? AnyKeys::code(keys[i + 1]) : next_code;
    };
    if constexpr (Space::Side::asks_wanted)
      for (std::size_t i = 0; i < count; ++i) wanted_[i] = AnyKeys::code(keys[i]) != code_after(i) ? 1 : 0;
    side_.prefixes(std::span(ids_).first(count), wanted_.data(), scores_.data());
    const SplitScore* const scores = scores_.data();
    for (std::size_t i = 0; i < count; ++i) {
      // Few splits could be the best: whether this is one between two codes is asked of those alone.
      if constexpr (!Space::Side::asks_wanted)
        if (!best_.could_be(scores[i])) continue;
      const std::uint32_t code = AnyKeys::code(keys[i]);
      if (code != code_after(i) && allowed(i + 1) && best_.better(scores[i]))
        best_.take(feature, code, code_after(i));
    }
  }

  /// The same from the highest code down to the key `first`; below it come rows with the code `next_code`. Of
  /// equally good splits the last one has the lowest threshold and wins, but only among these.
  template <typename AnyKeys>
  void sweep_down(std::uint32_t feature, const AnyKeys& sorted, std::size_t first, std::uint32_t next_code) {
    const auto* keys = sorted.keys.data();
    const std::size_t size = sorted.keys.size();
    const auto key_below = [&](std::size_t i) {
      return size - i - 1 > first ? AnyKeys::code(keys[size - i - 2]) : next_code;
    };
    const std::size_t count = size - first;
    for (std::size_t i = 0; i < count; ++i) {
      ids_[i] = AnyKeys::id(keys[size - i - 1]);
      wanted_[i] = key_below(i) != AnyKeys::code(keys[size - i - 1]) ? 1 : 0;
    }
    side_.prefixes(std::span(ids_).first(count), wanted_.data(), scores_.data());
    bool mine = false;
    for (std::size_t i = 0; i < count; ++i) {
      if (wanted_[i] == 0 || !allowed(i + 1)) continue;
      if (!best_.could_be(scores_[i])) continue;
      const double score = scores_[i].value();
      const bool wins = best_.better(score);
      if (wins || (mine && score == best_.score()))
        best_.take(feature, key_below(i), AnyKeys::code(keys[size - i - 1]));
      mine = mine || wins;
    }
  }

  /// Listed rows have keys; the others, if any, have the column's default.
  bool try_valued(const FrameColumn& column, std::uint32_t count) {
    auto& keys = long_keys_.keys;
    keys.resize(count);
    std::uint32_t found = 0;
    for (const ListKey key : node_->frame->list(column)) {
      if (!node_->has(key_id(key))) continue;
      keys[found] = key;
      if (++found == count) break;
    }
    return try_keys(column.feature);
  }

  bool try_values(std::uint32_t feature, const float* values, const std::uint32_t* places) {
    const std::size_t size = node_->ids.size();
    for (std::size_t i = 0; i < size; ++i) values_[i] = values[places[i]];
    const ValueRange range = range_of(values_.data(), size);
    if (range.lowest == range.highest) return false;
    try_cut(feature, range, node_->ids, range.lowest);
    return true;
  }

  /// Scores the one random cut between two values. The rows `ids` have values_; if the node has more rows,
  /// those have the value `other`.
  void try_cut(std::uint32_t feature, const ValueRange& range, std::span<const std::uint32_t> ids,
               float other) {
    const float cut = cut_between(range.lowest, range.highest, cut_position(*stream_, feature));
    const std::size_t words = (ids.size() + 63) / 64;
    std::size_t left = 0;
    for (std::size_t w = 0; w < words; ++w) {
      left_bits_[w] = at_most(values_.data() + 64 * w, std::min<std::size_t>(64, ids.size() - 64 * w), cut);
      left += bit_count(left_bits_[w]);
    }
    const std::size_t others = size_ - ids.size();
    const bool others_left = others > 0 && other <= cut;
    if (!allowed(left + (others_left ? others : 0))) return;
    // Add up the side without the other rows; if there are none, the smaller side.
    const bool add_right = others > 0 ? others_left : 2 * left > ids.size();
    const std::size_t size = add_right ? ids.size() - left : left;
    if (in_words_) {
      std::uint64_t side = 0;
      for (std::uint64_t bits = add_right ? ~left_bits_[0] : left_bits_[0], i = 0; i < size; ++i) {
        side |= std::uint64_t{1} << ids[static_cast<std::size_t>(std::countr_zero(bits))];
        bits &= bits - 1;
      }
      if (best_.better(part(side))) best_.take_cut(feature, cut);
      return;
    }
    if (best_.better(part_where(ids, add_right, size))) best_.take_cut(feature, cut);
  }

  /// A column of two values has one split. The rows of the smaller side are added up; a row alone needs that
  /// only once in a node.
  void try_two_valued(const FrameColumn& column, std::uint32_t count) {
    const auto rows = static_cast<std::uint32_t>(size_);
    const bool listed = 2 * count <= rows;
    const auto some = std::span(ids_).first(listed ? count : rows - count);
    node_->collect(column, listed, some, rest_);
    bool wins = false;
    if (some.size() == 1)
      wins = best_.better(alone(some[0]));
    else
      wins = best_.better(side_.part(some));
    if (wins) best_.take(column.feature, 0, 1);
  }

  /// The score of parting those of some rows whose bit is set in left_bits_, or is not, from all others; so
  /// many.
  SplitScore part_where(std::span<const std::uint32_t> ids, bool is_not, std::size_t count) {
    const auto each = [&](const auto& visit) {
      std::size_t visited = 0;
      for (std::size_t w = 0; visited < count; ++w) {
        std::uint64_t bits = is_not ? ~left_bits_[w] : left_bits_[w];
        for (; bits != 0 && visited < count; bits &= bits - 1, ++visited)
          visit(visited, ids[64 * w + static_cast<std::size_t>(std::countr_zero(bits))]);
      }
    };
    if constexpr (requires { side_.part_each(each); }) {
      return side_.part_each(each);
    } else {
      each([&](std::size_t i, std::uint32_t id) { ids_[i] = id; });
      return side_.part(std::span(ids_).first(count));
    }
  }

  /// The score of parting some rows of a word frame from the others.
  SplitScore part(std::uint64_t side) {
    if constexpr (requires { side_.part_bits(side); }) {
      return side_.part_bits(side);
    } else {
      std::size_t count = 0;
      for (; side != 0; side &= side - 1) ids_[count++] = static_cast<std::uint32_t>(std::countr_zero(side));
      return side_.part(std::span(ids_).first(count));
    }
  }

  /// The score of parting one row from all others: needed often in small nodes, so it is kept.
  double alone(std::uint32_t id) {
    const std::uint64_t bit = std::uint64_t{1} << (id % 64);
    if ((alone_known_[id / 64] & bit) == 0) {
      alone_score_[id] = (in_words_ ? part(std::uint64_t{1} << id) : side_.part(std::span(&id, 1))).value();
      alone_known_[id / 64] |= bit;
    }
    return alone_score_[id];
  }

  const CodedInputs* inputs_;
  const GrowthOptions* options_;
  typename Space::Side side_;
  SpecialSearch<Space> special_;
  const NodeView* node_ = nullptr;
  std::size_t size_ = 0;  ///< the node's rows
  bool in_words_ = false;
  const Stream* stream_ = nullptr;
  BestSplit best_;
  std::vector<std::uint32_t> rows_;  ///< the dataset's rows of the node
  SortedKeys<std::uint32_t, 16> short_keys_;
  SortedKeys<std::uint64_t, 32> long_keys_;
  std::vector<std::uint32_t> ids_;  ///< rows that are being added up
  std::vector<std::uint32_t> listed_ids_;
  std::vector<std::uint64_t> left_bits_;
  std::vector<std::uint32_t> wanted_;
  std::vector<SplitScore> scores_;
  std::vector<float> values_;
  std::vector<std::uint64_t> rest_;
  std::vector<double> alone_score_;  ///< the score of parting a row from all others, where known
  std::vector<std::uint64_t> alone_known_;
};

}  // namespace coppice
