#pragma once

#include <cstdint>
#include <limits>

namespace coppice {

/// How good a split is: numerator / denominator, the larger the better. Kept apart because most splits can be
/// told from the best without dividing.
struct SplitScore {
  double numerator = 0.0;
  double denominator = 1.0;
  double value() const { return numerator / denominator; }

  /// |S_L|²/W_L + |S_R|²/W_R of label sets: what the split with the least variance has most of.
  static SplitScore of_sides(std::int64_t weight, std::int64_t squares, std::int64_t rest_weight,
                             std::int64_t rest_squares) {
    return {static_cast<double>(squares) * static_cast<double>(rest_weight) +
                static_cast<double>(rest_squares) * static_cast<double>(weight),
            static_cast<double>(weight) * static_cast<double>(rest_weight)};
  }

  /// At least what a split gains that parts any rows of those with that weight and that sum of w · |y - S /
  /// W|² from all others of a node: by the inequality of Cauchy and Schwarz, and by more than rounding.
  static double most_gain(double distance, double weight, double total) {
    constexpr double rounding = 1.0 + 0x1.0p-30;
    return weight < total ? distance * total / (total - weight) * rounding
                          : std::numeric_limits<double>::infinity();
  }
};

}  // namespace coppice
