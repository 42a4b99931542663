#include "core/tree/real_grid.h"

#include <algorithm>
#include <cmath>

#include "core/tree/grid_rounding.h"

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
    step_[j] = grid_step(largest[j], sample.total);
    inverse_step_[j] = inverse[j] = 1.0 / step_[j];
  }
  for (const std::uint32_t row : sample.rows)
    for (std::size_t j = 0; j < outputs_; ++j)
      values_[row * stride_ + j] = on_grid(values[row * distance + j] - mean[j], step_[j], inverse[j]);
}

}  // namespace coppice
