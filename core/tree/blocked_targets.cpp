#include "core/tree/blocked_targets.h"

#include <algorithm>
#include <cmath>

#include "core/tree/grid_rounding.h"

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
  const double step = step_[output] = grid_step(largest, total);
  const double inverse = inverse_step_[output] = 1.0 / step;
  double* to = values_.data() + output / lanes_ * rows_ * lanes_ + output % lanes_;
  for (std::size_t row = 0; row < rows_; ++row) {
    const double rounded = on_grid(values[row], step, inverse);
    to[row * lanes_] = weights.empty() ? rounded : weights[row] * rounded;
  }
}

}  // namespace coppice
