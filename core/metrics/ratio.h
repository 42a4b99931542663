#pragma once

namespace coppice {

/// numerator / denominator, or 0 where the denominator is 0 (scikit-learn's zero_division=0).
inline double ratio_or_zero(double numerator, double denominator) {
  return denominator == 0.0 ? 0.0 : numerator / denominator;
}

}  // namespace coppice
