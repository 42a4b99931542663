#include "core/tree/real_grid.h"

#include <algorithm>
#include <cmath>

namespace coppice {

RealGrid::RealGrid(std::span<const double> values, std::size_t outputs, const Sample& sample)
    : outputs_(outputs), stride_(stride_of(outputs)), values_(sample.weights.size() * stride_, 0.0) {
  round(values.data(), outputs, sample);
}

RealGrid::RealGrid(std::vector<double>&& values, std::size_t outputs, const Sample& sample)
    : outputs_(outputs), stride_(stride_of(outputs)), values_(std::move(values)) {
  round(values_.data(), stride_, sample);
}

void RealGrid::round(const double* values, std::size_t distance, const Sample& sample) {
  step_.assign(stride_, 1.0);
  inverse_step_.assign(stride_, 1.0);
  const double share = 1.0 / static_cast<double>(sample.total);
  std::vector<double> mean(outputs_, 0.0);
  for (const std::uint32_t row : sample.rows) {
    const double part = sample.weights[row] * share;
    for (std::size_t j = 0; j < outputs_; ++j) mean[j] += part * values[row * distance + j];
  }
  std::vector<double> largest(outputs_, 0.0);
  for (const std::uint32_t row : sample.rows)
    for (std::size_t j = 0; j < outputs_; ++j)
      largest[j] = std::max(largest[j], std::abs(values[row * distance + j] - mean[j]));
  std::vector<double> inverse(outputs_, 0.0);  // 0 for an output with one value only: all of it is the mean
  for (std::size_t j = 0; j < outputs_; ++j) {
    if (largest[j] == 0.0) continue;
    // A node subtracts its own mean, which at most doubles a value, and half steps occur: |sum| ≤ 2 · total ·
    // largest < 2^52 steps.
    int exponent = 0;
    std::frexp(static_cast<double>(sample.total) * largest[j], &exponent);
    step_[j] = std::ldexp(1.0, std::max(exponent - 51, -1000));
    inverse_step_[j] = inverse[j] = 1.0 / step_[j];
  }
  // Adding and taking away 1.5 · 2^52 rounds what is below 2^51 to a whole number, in any vector width.
  constexpr double whole = 0x1.8p52;
  for (const std::uint32_t row : sample.rows)
    for (std::size_t j = 0; j < outputs_; ++j) {
      const double steps = (values[row * distance + j] - mean[j]) * inverse[j];
      values_[row * stride_ + j] = ((steps + whole) - whole) * step_[j];
    }
}

}  // namespace coppice
