#pragma once

namespace coppice {

/// How good a split is: numerator / denominator, the larger the better. Kept apart because most splits can be
/// told from the best without dividing.
struct SplitScore {
  double numerator = 0.0;
  double denominator = 1.0;
  double value() const { return numerator / denominator; }
};

}  // namespace coppice
