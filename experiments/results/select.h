#pragma once

#include <string>
#include <vector>

#include "experiments/results/result_set.h"

namespace coppice {

/// Keeps the named datasets and algorithms, in the order of the results; an empty list keeps all. An
/// algorithm is named with its swept values, or by its id for all of them. Throws Error(usage) for a name
/// that selects nothing.
void select_results(ResultSet& results, const std::vector<std::string>& datasets,
                    const std::vector<std::string>& algorithms);

}  // namespace coppice
