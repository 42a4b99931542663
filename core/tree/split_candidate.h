#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "core/base/random.h"
#include "core/tree/feature_order.h"
#include "core/tree/grower.h"

namespace coppice {

/// The threshold between two neighbouring values: their midpoint, or the lower one where rounding would give
/// the upper.
inline float threshold_between(float lower, float upper) {
  const auto middle = static_cast<float>((static_cast<double>(lower) + static_cast<double>(upper)) / 2.0);
  return middle < upper ? middle : lower;
}

/// Where Extra-Trees cut between the lowest and the highest value of a node: above or at the first, below the
/// second.
inline float cut_between(float lowest, float highest, double position) {
  const double low = lowest;
  const auto cut = static_cast<float>(low + position * (static_cast<double>(highest) - low));
  const float chosen = cut < lowest || cut >= highest ? lowest : cut;
  return chosen == 0.0F ? 0.0F : chosen;  // never -0
}

/// A split of a node: values up to the threshold go left, or the categories of a set.
struct SplitCandidate {
  std::uint32_t feature = 0;
  std::uint32_t frame_column = 0;  ///< of a listed feature: its number in the frame
  float threshold = 0.0F;
  double score = 0.0;
  bool found = false;
  bool missing_left = false;                   ///< where missing values go
  bool special = false;                        ///< of a column with missing values or categories
  std::vector<std::uint64_t> left_categories;  ///< of a categorical feature: a bit for each category

  bool categorical() const { return !left_categories.empty(); }
  bool goes_left(float value) const {
    if (std::isnan(value)) return missing_left;
    if (!categorical()) return value <= threshold;
    const auto category = static_cast<std::size_t>(value);
    return category / 64 < left_categories.size() &&
           ((left_categories[category / 64] >> (category % 64)) & 1U) != 0;
  }
  void add_left_category(std::uint32_t category) {
    if (left_categories.size() <= category / 64) left_categories.resize(category / 64 + 1, 0);
    left_categories[category / 64] |= std::uint64_t{1} << (category % 64);
  }

  /// Puts the threshold between two values that are neighbours in the node, or the only ones.
  void place(float lower, float upper, const GrowthOptions& options, const Stream& stream) {
    threshold = options.rule == SplitRule::random_cut
                    ? cut_between(lower, upper, cut_position(stream, feature))
                    : threshold_between(lower, upper);
  }
};

}  // namespace coppice
