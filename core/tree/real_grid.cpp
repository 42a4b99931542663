#include "core/tree/real_grid.h"

#include <algorithm>
#include <cmath>

namespace coppice {

RealGrid::RealGrid(std::span<const double> values, std::size_t outputs, const Sample& sample)
    : outputs_(outputs),
      stride_(outputs == 1 ? 1 : (outputs + 3) / 4 * 4),
      values_(sample.weights.size() * stride_, 0.0),
      step_(stride_, 1.0),
      inverse_step_(stride_, 1.0) {
  const auto total = static_cast<double>(sample.total);
  for (std::size_t j = 0; j < outputs_; ++j) {
    double mean = 0.0;
    for (const std::uint32_t row : sample.rows)
      mean += sample.weights[row] * (values[row * outputs_ + j] / total);
    double largest = 0.0;
    for (const std::uint32_t row : sample.rows)
      largest = std::max(largest, std::abs(values[row * outputs_ + j] - mean));
    if (largest == 0.0) continue;
    // A node subtracts its own mean, which at most doubles a value, and half steps occur: |sum| ≤ 2 · total ·
    // largest < 2^52 steps.
    int exponent = 0;
    std::frexp(total * largest, &exponent);
    step_[j] = std::ldexp(1.0, std::max(exponent - 51, -1000));
    inverse_step_[j] = 1.0 / step_[j];
    for (const std::uint32_t row : sample.rows) {
      const double centred = values[row * outputs_ + j] - mean;
      values_[row * stride_ + j] = std::floor(centred * inverse_step_[j] + 0.5) * step_[j];
    }
  }
}

}  // namespace coppice
