#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace coppice {

/// The finest grid on which sums inside a tree are exact, for values of at most `largest` and rows that weigh
/// `total` together: a power of two.
inline double grid_step(double largest, std::uint64_t total) {
  if (largest == 0.0) return 1.0;
  // A node subtracts its own mean, which at most doubles a value, and half steps occur: |sum| ≤ 2 · total ·
  // largest < 2^52 steps.
  int exponent = 0;
  std::frexp(static_cast<double>(total) * largest, &exponent);
  return std::ldexp(1.0, std::max(exponent - 51, -1000));
}

/// The nearest point of the grid. `inverse` is 1 / step, or 0: then that is 0.
inline double on_grid(double value, double step, double inverse) {
  // Adding and taking away 1.5 · 2^52 rounds what is below 2^51 to a whole number, in any vector width.
  constexpr double round = 0x1.8p52;
  return ((value * inverse + round) - round) * step;
}

}  // namespace coppice
