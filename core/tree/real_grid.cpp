#include "core/tree/real_grid.h"

#include <algorithm>
#include <cmath>

#include "core/base/wide_vectors.h"
#include "core/tree/grid_rounding.h"

namespace coppice {

namespace {

/// Writes whole numbers less those of their columns, times a unit, at the places of their rows.
COPPICE_WIDE_VECTORS
void place_multiples(std::span<const std::int32_t> numbers, std::size_t distance,
                     std::span<const std::int32_t> less, double unit, std::span<const std::uint32_t> rows,
                     std::size_t stride, double* values) {
  const std::int32_t* from = numbers.data();
  for (const std::uint32_t row : rows) {
    double* const to = values + row * stride;
    for (std::size_t j = 0; j < stride; ++j) to[j] = unit * (from[j] - less[j]);
    from += distance;
  }
}

}  // namespace

RealGrid::RealGrid(std::span<const double> values, std::size_t outputs, const Sample& sample)
    : outputs_(outputs), stride_(stride_of(outputs)), values_(sample.weights.size() * stride_, 0.0) {
  round(values.data(), outputs, sample);
}

RealGrid::RealGrid(std::vector<double>&& values, std::size_t outputs, const Sample& sample)
    : outputs_(outputs), stride_(stride_of(outputs)), values_(std::move(values)) {
  round(values_.data(), stride_, sample);
}

RealGrid::RealGrid(const WholeMultiples& multiples, std::size_t outputs, const Sample& sample,
                   std::vector<double>&& memory)
    : outputs_(outputs), stride_(stride_of(outputs)), values_(std::move(memory)) {
  int exponent = 0;
  const bool exact = std::frexp(multiples.unit, &exponent) == 0.5 &&
                     grid_step(multiples.unit * multiples.largest, sample.total) <= multiples.unit;
  const std::vector<std::int32_t> none(stride_, 0);
  // So few rows at a time that their numbers are in the cache when they are read again.
  constexpr std::size_t rows_at_a_time = 256;
  std::vector<std::int32_t> numbers(rows_at_a_time * multiples.distance);
  for (std::size_t begin = 0; begin < sample.rows.size(); begin += rows_at_a_time) {
    const auto rows =
        std::span(sample.rows).subspan(begin, std::min(rows_at_a_time, sample.rows.size() - begin));
    multiples.write(rows, numbers);
    place_multiples(numbers, multiples.distance, exact ? multiples.centres : none, multiples.unit, rows,
                    stride_, values_.data());
  }
  step_.assign(stride_, multiples.unit);
  inverse_step_.assign(stride_, 1.0 / multiples.unit);
  if (!exact) round(values_.data(), stride_, sample);
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
