#include "core/tree/blocked_targets.h"

#include <algorithm>
#include <cmath>

namespace coppice {

namespace {

constexpr std::size_t most_lanes = 16;

std::size_t lanes_for(std::size_t outputs) {
  return outputs == 1 ? 1 : std::min(most_lanes, (outputs + 3) / 4 * 4);
}

}  // namespace

BlockedTargets::BlockedTargets(std::size_t rows, std::size_t outputs)
    : rows_(rows),
      outputs_(outputs),
      lanes_(lanes_for(outputs)),
      blocks_((outputs + lanes_ - 1) / lanes_),
      values_(rows * lanes_ * blocks_, 0.0),
      step_(lanes_ * blocks_, 1.0),
      inverse_step_(lanes_ * blocks_, 1.0) {}

void BlockedTargets::set(std::size_t output, std::span<const double> values,
                         std::span<const std::uint32_t> weights, std::uint64_t total) {
  double largest = 0.0;
  for (const double value : values) largest = std::max(largest, std::abs(value));
  double step = 1.0;
  if (largest > 0.0) {
    // A node subtracts its own mean, which at most doubles a value, and half steps occur: |sum| ≤ 2 · total ·
    // largest < 2^52 steps.
    int exponent = 0;
    std::frexp(static_cast<double>(total) * largest, &exponent);
    step = std::ldexp(1.0, std::max(exponent - 51, -1000));
  }
  step_[output] = step;
  const double inverse = inverse_step_[output] = 1.0 / step;
  // Adding and taking away 1.5 · 2^52 rounds what is below 2^51 to a whole number, in any vector width.
  constexpr double round = 0x1.8p52;
  double* to = values_.data() + output / lanes_ * rows_ * lanes_ + output % lanes_;
  for (std::size_t row = 0; row < rows_; ++row) {
    const double rounded = ((values[row] * inverse + round) - round) * step;
    to[row * lanes_] = weights.empty() ? rounded : weights[row] * rounded;
  }
}

}  // namespace coppice
