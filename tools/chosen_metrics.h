#pragma once

#include <string>
#include <vector>

#include "experiments/results/result_set.h"

namespace coppice {

/// The metrics that the user named, or all scores of the results if she named none; costs only by name.
/// Throws Error(usage) for one that the results do not have.
std::vector<Metric> chosen_metrics(const std::vector<std::string>& names, const ResultSet& results);

}  // namespace coppice
