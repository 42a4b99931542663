#pragma once

#include <span>
#include <vector>

namespace coppice {

/// The rank of each value, 1 for the best; equal values share the average of their places (1, 2.5, 2.5, 4).
/// No value may be NaN.
std::vector<double> average_ranks(std::span<const double> values, bool higher_is_better);

}  // namespace coppice
