#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/metrics/metric.h"

namespace coppice {

/// One number: a metric of one trial at one stage.
struct ResultRow {
  std::string dataset;
  std::string algorithm;
  int repeat = 0;
  int fold = 0;
  /// Empty, or the staged value it was measured at (`trees=10`). The rows of one trial are in the order of
  /// their stages: the last one is the finished model, which tables and statistics report.
  std::string stage;
  std::string metric;
  double value = 0;  ///< NaN where the metric is undefined
};

/// A planned trial that gave no result.
struct Hole {
  std::string dataset;
  std::string algorithm;
  int repeat = 0;
  int fold = 0;
  std::string reason;  ///< `missing`, or `failed: ` and the message
};

/// All that tables, statistics and the report read. `datasets` and `algorithms` are in the order of the
/// config; rows and holes of names that are not listed are left out everywhere, so shortening a list is how
/// to select.
struct ResultSet {
  std::vector<std::string> datasets;
  std::vector<std::string> algorithms;
  std::vector<Metric> metrics;
  std::vector<ResultRow> rows;
  std::size_t planned_trials = 0;
  std::size_t finished_trials = 0;
  std::size_t failed_trials = 0;
  std::vector<Hole> holes;
};

}  // namespace coppice
