#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "core/tree/coded_inputs.h"
#include "core/tree/feature_order.h"
#include "core/tree/grower.h"

namespace coppice {

/// A split of a node: codes up to `last_left` of a feature go left.
struct SplitCandidate {
  std::uint32_t feature = 0;
  std::uint32_t last_left = 0;
  float threshold = 0.0F;
  double score = 0.0;
  bool found = false;
};

/// The rows of a node within the rows of the tree.
struct NodeRange {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  std::uint32_t size() const { return end - begin; }
};

/// The threshold between two neighbouring values: their midpoint, or the lower one where rounding would give
/// the upper.
inline float threshold_between(float lower, float upper) {
  const auto middle = static_cast<float>((static_cast<double>(lower) + static_cast<double>(upper)) / 2.0);
  return middle < upper ? middle : lower;
}

/// Looks for the best split of one node at a time, in one output space. `rows` are the tree's rows in the
/// order of its nodes; `position` is its inverse and is needed for sparse columns only.
template <typename Space>
class SplitSearch {
 public:
  SplitSearch(const CodedInputs& inputs, const GrowthOptions& options, Space space)
      : inputs_(&inputs), options_(&options), space_(std::move(space)) {}

  Space& space() { return space_; }

  /// The best split of the rows in `range`, whose totals the space has been told.
  SplitCandidate search(std::span<const std::uint32_t> rows, std::span<const std::uint32_t> position,
                        NodeRange range, const Stream& node) {
    rows_ = rows.subspan(range.begin, range.size());
    position_ = position;
    range_ = range;
    node_ = &node;
    best_ = {};
    const FeatureOrder order(node, inputs_->columns());
    std::uint32_t looked_at = 0;
    for (std::uint32_t place = 0; place < order.places() && looked_at < options_->features; ++place) {
      const std::uint32_t feature = order.at(place);
      if (feature >= inputs_->columns()) continue;
      const CodedColumn column = inputs_->column(feature);
      if (column.constant()) continue;
      candidate_ = {};
      candidate_.feature = feature;
      const bool constant = column.dense ? !try_dense(column) : !try_sparse(column);
      if (constant) continue;
      ++looked_at;
      if (candidate_.found && (!best_.found || candidate_.score > best_.score)) best_ = candidate_;
    }
    return best_;
  }

  /// Calls visit(i, code) for the rows of a node that are not zero in a sparse column; i counts in the node.
  template <typename Visit>
  static void visit_entries(const CodedColumn& column, std::span<const std::uint32_t> node_rows,
                            std::span<const std::uint32_t> position, NodeRange range, const Visit& visit) {
    const std::size_t steps = node_rows.size() * static_cast<std::size_t>(std::bit_width(column.rows.size()));
    if (steps >= column.rows.size()) {
      for (std::size_t e = 0; e < column.rows.size(); ++e) {
        const std::uint32_t i = position[column.rows[e]] - range.begin;
        if (i < node_rows.size()) visit(i, column.entry_code(e));
      }
      return;
    }
    for (std::uint32_t i = 0; i < node_rows.size(); ++i) {
      const auto found = std::lower_bound(column.rows.begin(), column.rows.end(), node_rows[i]);
      if (found != column.rows.end() && *found == node_rows[i])
        visit(i, column.entry_code(static_cast<std::size_t>(found - column.rows.begin())));
    }
  }

 private:
  /// A row of the node by its code: the code in the high half, the row's place in the node in the low half.
  using Key = std::uint64_t;
  static std::uint32_t code_of(Key key) { return static_cast<std::uint32_t>(key >> 32); }
  static std::uint32_t place_of(Key key) { return static_cast<std::uint32_t>(key); }
  static Key make_key(std::uint32_t code, std::size_t place) { return (Key{code} << 32) | place; }

  /// Both return whether the feature takes several values in the node.
  bool try_dense(const CodedColumn& column) {
    keys_.resize(rows_.size());
    if (column.narrow)
      for (std::size_t i = 0; i < rows_.size(); ++i) keys_[i] = make_key(column.narrow_codes[rows_[i]], i);
    else
      for (std::size_t i = 0; i < rows_.size(); ++i) keys_[i] = make_key(column.wide_codes[rows_[i]], i);
    const auto [lowest, highest] = std::minmax_element(keys_.begin(), keys_.end());
    if (code_of(*lowest) == code_of(*highest)) return false;
    if (options_->rule == SplitRule::random_cut) {
      try_cut(column, code_of(*lowest), code_of(*highest), false);
      return true;
    }
    std::sort(keys_.begin(), keys_.end());
    sweep_left(column, keys_.size(), false);
    return true;
  }

  bool try_sparse(const CodedColumn& column) {
    keys_.clear();
    visit_entries(column, rows_, position_, range_,
                  [&](std::uint32_t i, std::uint32_t code) { keys_.push_back(make_key(code, i)); });
    if (keys_.empty()) return false;
    const bool zeros = keys_.size() < rows_.size();
    const auto [lowest_key, highest_key] = std::minmax_element(keys_.begin(), keys_.end());
    std::uint32_t lowest = code_of(*lowest_key);
    std::uint32_t highest = code_of(*highest_key);
    if (zeros) {
      lowest = std::min(lowest, column.zero_code);
      highest = std::max(highest, column.zero_code);
    }
    if (lowest == highest) return false;
    if (options_->rule == SplitRule::random_cut) {
      try_cut(column, lowest, highest, zeros);
      return true;
    }
    std::sort(keys_.begin(), keys_.end());
    if (!zeros) {
      sweep_left(column, keys_.size(), false);
      return true;
    }
    const auto negative = static_cast<std::size_t>(
        std::lower_bound(keys_.begin(), keys_.end(), make_key(column.zero_code, 0)) - keys_.begin());
    sweep_left(column, negative, true);
    sweep_right(column, negative);
    return true;
  }

  bool allowed(std::size_t side) const {
    return side >= options_->min_samples_leaf && rows_.size() - side >= options_->min_samples_leaf;
  }

  /// Adds the first `count` keys to the left side one by one and scores every boundary between two codes;
  /// with `zeros`, the rows that have no key come after them.
  void sweep_left(const CodedColumn& column, std::size_t count, bool zeros) {
    space_.clear_side();
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint32_t code = code_of(keys_[i]);
      if (i + 1 == count && !zeros) break;
      space_.add(place_of(keys_[i]));
      const std::uint32_t next = i + 1 < count ? code_of(keys_[i + 1]) : column.zero_code;
      if (next == code || !allowed(i + 1)) continue;
      const double score = space_.score();
      if (!candidate_.found || score > candidate_.score) take(column, code, next, score);
    }
  }

  /// The same from the largest code down to the first that is above zero.
  void sweep_right(const CodedColumn& column, std::size_t first_positive) {
    space_.clear_side();
    SplitCandidate left_best = candidate_;
    candidate_.found = false;
    for (std::size_t i = keys_.size(); i-- > first_positive;) {
      const std::uint32_t code = code_of(keys_[i]);
      space_.add(place_of(keys_[i]));
      const std::uint32_t next = i > first_positive ? code_of(keys_[i - 1]) : column.zero_code;
      if (next == code || !allowed(keys_.size() - i)) continue;
      const double score = space_.score();
      if (!candidate_.found || score >= candidate_.score) take(column, next, code, score);
    }
    if (left_best.found && (!candidate_.found || left_best.score >= candidate_.score)) candidate_ = left_best;
  }

  void take(const CodedColumn& column, std::uint32_t lower, std::uint32_t upper, double score) {
    candidate_.found = true;
    candidate_.score = score;
    candidate_.last_left = lower;
    candidate_.threshold = threshold_between(column.values[lower], column.values[upper]);
  }

  /// Scores the one random cut between two codes. The rows without a key are zeros, if there are any.
  void try_cut(const CodedColumn& column, std::uint32_t lowest, std::uint32_t highest, bool zeros) {
    const double low = column.values[lowest];
    const double high = column.values[highest];
    auto cut = static_cast<float>(low + cut_position(*node_, candidate_.feature) * (high - low));
    if (cut < column.values[lowest] || cut >= column.values[highest]) cut = column.values[lowest];
    const auto above = std::upper_bound(column.values.begin() + lowest, column.values.begin() + highest, cut);
    const auto last_left = static_cast<std::uint32_t>(above - column.values.begin()) - 1;

    // Add up the side without the zeros; without zeros, the smaller one.
    const auto left_keys = static_cast<std::size_t>(
        std::count_if(keys_.begin(), keys_.end(), [&](Key key) { return code_of(key) <= last_left; }));
    const bool zeros_left = zeros && column.zero_code <= last_left;
    const std::size_t left_rows = left_keys + (zeros_left ? rows_.size() - keys_.size() : 0);
    if (!allowed(left_rows)) return;
    const bool add_right = zeros ? zeros_left : left_keys * 2 > keys_.size();
    space_.clear_side();
    for (const Key key : keys_)
      if ((code_of(key) > last_left) == add_right) space_.add(place_of(key));
    candidate_.found = true;
    candidate_.last_left = last_left;
    candidate_.threshold = cut;
    candidate_.score = space_.score();
  }

  const CodedInputs* inputs_;
  const GrowthOptions* options_;
  Space space_;
  std::span<const std::uint32_t> rows_;
  std::span<const std::uint32_t> position_;
  NodeRange range_;
  const Stream* node_ = nullptr;
  SplitCandidate best_;
  SplitCandidate candidate_;
  std::vector<Key> keys_;
};

}  // namespace coppice
