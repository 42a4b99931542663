#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/path/node_indicators.h"

namespace coppice {

/// An indicator with its rows, among those that have a weight.
struct SupportColumn {
  std::span<const std::uint32_t> rows;
  double factor = 1.0;  ///< what the indicator is multiplied by; it is shifted to mean 0 besides
};

/// Newton's step for the least squares problem of a few indicators: G⁻¹ · gradient, G being the products of
/// the shifted and scaled columns over n rows. Nodes above each other depend on each other, so G may be
/// singular; a trace of a ridge then makes the step long in directions that change no prediction, which is
/// where a penalty finds weights to take away.
std::vector<double> support_step(std::span<const SupportColumn> columns, std::size_t n,
                                 std::span<const double> gradient);

}  // namespace coppice
