#pragma once

#include <optional>
#include <string>
#include <vector>

#include "experiments/statistics/compare.h"

namespace coppice {

/// A comparison of all algorithms on one metric, or why there is none.
struct MetricComparison {
  const Metric* metric = nullptr;  ///< of the results, which must outlive this
  std::optional<Comparison> comparison;
  std::string why_not;
};

/// For every score of the results, costs left out. Without the Bayesian test, which takes too long for a page
/// that is made anew every few seconds.
std::vector<MetricComparison> compare_all_metrics(const ResultSet& results, double alpha);

/// Who leads on the metric, and who cannot be told apart from the leader, in a sentence.
std::string headline(const MetricComparison& each);

}  // namespace coppice
