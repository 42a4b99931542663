#pragma once

#include <string>
#include <vector>

#include "experiments/results/result_set.h"
#include "experiments/tables/comparison_table.h"
#include "experiments/tables/table.h"

namespace coppice {

/// The parameters that some algorithm sweeps, each once, in the order of the config.
std::vector<std::string> swept_parameters(const ResultSet& results);

/// The algorithms that differ in one swept parameter only.
struct SweptSeries {
  std::string name;  ///< the id, with the values of the other swept parameters
  /// Value of the parameter and index into ResultSet::algorithms, in the order of the config.
  std::vector<std::pair<std::string, std::size_t>> points;
};

/// Algorithms that do not sweep the parameter are in no series.
std::vector<SweptSeries> swept_series(const ResultSet& results, const std::string& parameter);

/// A swept parameter as columns: for each dataset and algorithm a row of mean ± std over its values, the best
/// of the row in bold. With TableRows::algorithms the values are rows. Algorithms that do not sweep it are in
/// a column of their own. Throws Error(usage) if nothing sweeps it.
Table pivot_table(const ResultSet& results, const Metric& metric, const std::string& parameter,
                  TableRows rows = TableRows::datasets);

}  // namespace coppice
