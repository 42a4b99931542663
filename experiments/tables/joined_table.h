#pragma once

#include <vector>

#include "experiments/results/result_set.h"
#include "experiments/tables/comparison_table.h"
#include "experiments/tables/table.h"

namespace coppice {

/// Several metrics in one table: the comparison table of each below the other, rows named `metric, dataset`
/// (the metric alone where there is one dataset), average ranks at the end.
Table joined_table(const ResultSet& results, const std::vector<Metric>& metrics,
                   const ComparisonOptions& options = {});

}  // namespace coppice
