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
#include "core/tree/listed_sweep.h"
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
        best_(inputs, options),
        sweep_(options) {}

  void begin(const NodeView& node, const Stream& stream) {
    const std::size_t size = node.ids.size();
    begin(size, stream);
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
  /// The best split of the columns that were tried.
  SplitCandidate best() { return best_.finish(); }

  /// The best split of one column alone; `varies` as below.
  SplitCandidate only(std::uint32_t column, bool& varies) {
    best_.begin(*stream_);
    varies = try_column(column);
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

  /// Fetches what try_column will need of a column into the cache: first what the frame says of it, then its
  /// rows.
  void prefetch_column(std::uint32_t column) const {
    if ((column & dense_mark) == 0) __builtin_prefetch(node_->frame->columns().data() + column);
  }
  void prefetch_rows(std::uint32_t index) const {
    if ((index & dense_mark) != 0) return;
    const FrameColumn& column = node_->frame->columns()[index];
    node_->frame->prefetch(column);
    if (!column.two_valued) __builtin_prefetch(&inputs_->default_of(column.feature));
  }

  /// Looks at a column as lists of columns name it; returns whether it varies in the node.
  bool try_column(std::uint32_t column) {
    return (column & dense_mark) != 0 ? try_dense(column & ~dense_mark) : try_listed(column);
  }
  /// The same for a dense column.
  bool try_dense(std::uint32_t feature) {
    const CodedColumn& column = inputs_->column(feature);
    // Missing values have the last code: whether there are any is seen when codes are.
    const bool coded = options_->rule != SplitRule::random_cut;
    if (column.categories > 0 || (column.missing && !coded && some_missing(column)))
      return try_special(feature);
    const bool copied = node_->dense->active();
    const std::uint32_t* places = copied ? node_->ids.data() : rows_.data();
    if (!coded)
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
    best_.watch();
    const bool varies = column.two_valued ? try_two_valued(column) : try_valued(column);
    if (best_.changed()) best_.set_frame_column(index);
    return varies;
  }

 private:
  using ShortKeys = SortedKeys<std::uint32_t, code_key_bits>;
  using LongKeys = SortedKeys<std::uint64_t, 32>;

  static constexpr std::size_t most_prefetched = 64;

  void begin(std::size_t size, const Stream& stream) {
    size_ = size;
    stream_ = &stream;
    best_.begin(stream);
    if (ids_.size() < size + 64) ids_.resize(size + 64);
    if (scores_.size() >= size || inputs_->all_two_valued()) return;
    scores_.resize(size);
    listed_ids_.resize(size);
    left_bits_.resize(size / 64 + 1);
    wanted_.resize(size);
    values_.resize(size);
  }

  /// Whether both sides are large enough.
  bool allowed(std::size_t side) const {
    return side >= options_->min_samples_leaf && size_ - side >= options_->min_samples_leaf;
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
    const CodeRange range = make_keys(codes, places, sorted);
    const CodedColumn& column = inputs_->column(feature);
    if (column.missing && range.highest + 1 == column.values.size()) return try_special(feature);
    if (range.lowest == range.highest) return false;
    sorted.order.sort(keys, range.lowest, range.highest);
    sweep_up(feature, sorted, size, range.highest);
    return true;
  }
  CodeRange make_keys(const std::uint16_t* codes, const std::uint32_t* places, ShortKeys& sorted) const {
    return make_code_keys(codes, places, node_->ids.data(), node_->ids.size(), sorted.keys.data());
  }
  template <typename Code, typename AnyKeys>
  CodeRange make_keys(const Code* codes, const std::uint32_t* places, AnyKeys& sorted) const {
    CodeRange range{std::numeric_limits<std::uint32_t>::max(), 0};
    for (std::size_t i = 0; i < node_->ids.size(); ++i) {
      const std::uint32_t code = codes[places[i]];
      range.lowest = std::min(range.lowest, code);
      range.highest = std::max(range.highest, code);
      sorted.keys[i] = AnyKeys::make(code, node_->ids[i]);
    }
    return range;
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
    // Few splits could be the best: whether this is one between two codes is asked of those alone.
    const auto next = [&](std::size_t i) {
      return Space::Side::asks_wanted ? i : best_.next(scores, i, count);
    };
    for (std::size_t i = next(0); i < count; i = next(i + 1)) {
      const std::uint32_t code = AnyKeys::code(keys[i]);
      if (code != code_after(i) && allowed(i + 1) && best_.better(scores[i]))
        best_.take(feature, code, code_after(i));
    }
  }

  /// Listed rows have keys, by code unless one random cut is looked for; the others, if any, have the
  /// column's default. Returns whether the column varies.
  bool try_valued(const FrameColumn& column) {
    const Frame& frame = *node_->frame;
    const auto list = frame.list(column);
    if (listed_keys_.size() < list.size() + keys_beyond) listed_keys_.resize(list.size() + keys_beyond);
    const std::size_t count = node_->filter(list, listed_keys_.data());
    if (count == 0) return false;
    const auto keys = std::span<const ListKey>(listed_keys_).first(count);
    // Where others have the default, which is never listed, the column varies.
    if (count > 1 && count < size_ && hopeless(keys)) return true;
    if (options_->rule == SplitRule::random_cut) return try_listed_cut(column.feature, keys);
    if (count > 1 && !frame.is_sorted(column)) node_->filter(frame.sorted_list(column), listed_keys_.data());
    const std::uint32_t other = inputs_->default_of(column.feature).code;
    std::uint32_t lowest = key_code(keys.front());
    std::uint32_t highest = key_code(keys.back());
    if (count < size_) {
      lowest = std::min(lowest, other);
      highest = std::max(highest, other);
    }
    if (lowest == highest) return false;
    if (count > 1)
      sweep_.run(side_, column.feature, keys, size_, other, best_);
    else if (allowed(1) && best_.better(alone(key_id(keys[0]))))
      best_.take(column.feature, lowest, highest);
    return true;
  }
  /// Whether no split that parts some of these rows from all others could be the best.
  bool hopeless(std::span<const ListKey> keys) const {
    if constexpr (requires { side_.most(keys, key_id); })
      return best_.beats(side_.most(keys, key_id));
    else
      return false;
  }
  /// The same for one random cut; keys say values.
  bool try_listed_cut(std::uint32_t feature, std::span<const ListKey> keys) {
    for (std::size_t i = 0; i < keys.size(); ++i) {
      listed_ids_[i] = key_id(keys[i]);
      values_[i] = key_value(keys[i]);
    }
    const float other = inputs_->default_of(feature).value;
    ValueRange range = range_of(values_.data(), keys.size());
    if (keys.size() < size_) range = {std::min(range.lowest, other), std::max(range.highest, other)};
    if (range.lowest == range.highest) return false;
    if (keys.size() > 1)
      try_cut(feature, range, std::span(listed_ids_).first(keys.size()), other);
    else if (allowed(1) && best_.better(alone(key_id(keys[0]))))
      best_.take_cut(feature, cut_between(range.lowest, range.highest, cut_position(*stream_, feature)));
    return true;
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
    if (best_.better(part_where(ids, add_right, size))) best_.take_cut(feature, cut);
  }

  /// A column of two values has one split. The rows of the smaller side are added up; a row alone needs that
  /// only once in a node.
  bool try_two_valued(const FrameColumn& column) {
    const std::size_t half = size_ / 2;
    std::size_t count = node_->listed(column, half, ids_.data());
    if (count == 0) return false;
    if (count > half) count = node_->not_listed(column, ids_.data(), rest_);
    if (count == 0) return false;
    if (!allowed(count)) return true;
    const bool wins = count == 1
                          ? best_.better(alone(ids_[0]))
                          : best_.better(side_.part(std::span<const std::uint32_t>(ids_).first(count)));
    if (wins) best_.take(column.feature, 0, 1);
    return true;
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

  /// The score of parting one row from all others: needed often in small nodes, so it is kept.
  double alone(std::uint32_t id) {
    const std::uint64_t bit = std::uint64_t{1} << (id % 64);
    if ((alone_known_[id / 64] & bit) == 0) {
      alone_score_[id] = side_.part(std::span(&id, 1)).value();
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
  const Stream* stream_ = nullptr;
  BestSplit best_;
  ListedSweep sweep_;
  std::vector<std::uint32_t> rows_;  ///< the dataset's rows of the node
  ShortKeys short_keys_;
  LongKeys long_keys_;
  std::vector<std::uint32_t> ids_;  ///< rows that are being added up
  std::vector<std::uint32_t> listed_ids_;
  std::vector<ListKey> listed_keys_;  ///< of the node's rows in a column
  std::vector<std::uint64_t> left_bits_;
  std::vector<std::uint32_t> wanted_;
  std::vector<SplitScore> scores_;
  std::vector<float> values_;
  std::vector<std::uint64_t> rest_;
  std::vector<double> alone_score_;  ///< the score of parting a row from all others, where known
  std::vector<std::uint64_t> alone_known_;
};

}  // namespace coppice
