#pragma once

#include <vector>

#include "experiments/results/result_set.h"

namespace coppice {

/// Several result sets as one, for comparing across folders: datasets, algorithms and metrics of all, in
/// their order. Throws Error(usage) where two folders have results of the same algorithm on the same dataset.
ResultSet combine(const std::vector<ResultSet>& parts);

}  // namespace coppice
