#pragma once

#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "experiments/results/result_set.h"
#include "experiments/statistics/dataset_test.h"
#include "experiments/statistics/friedman.h"
#include "experiments/statistics/pairwise.h"
#include "experiments/statistics/wilcoxon.h"

namespace coppice {

/// How algorithms are to be compared.
struct CompareOptions {
  double alpha = 0.05;
  std::optional<std::string> baseline;  ///< compare the others with this one only
  ZeroHandling zeros = ZeroHandling::drop;
  /// The largest difference that means nothing in practice. By default 0.01 where all scores are within
  /// [-1, 1], else a hundredth of the median size of the scores.
  std::optional<double> rope;
  bool bayesian = true;  ///< the Bayesian test takes by far the longest of all
};

/// Two algorithms over all datasets. First and second are indices into Comparison::algorithms.
struct PairComparison {
  std::size_t first = 0;
  std::size_t second = 0;
  std::size_t first_wins = 0;
  std::size_t ties = 0;
  std::size_t second_wins = 0;
  WilcoxonTest wilcoxon;
  double holm = 1;      ///< the Wilcoxon test's p, adjusted for all pairs compared
  PairedTTest student;  ///< over the means of the datasets
  std::optional<BayesianSignedRank> bayesian;
  std::optional<double> nemenyi_p;
};

/// Two algorithms on one dataset.
struct DatasetComparison {
  std::size_t dataset = 0;  ///< into Comparison::datasets
  std::size_t first = 0;
  std::size_t second = 0;
  DatasetTest test;
};

/// All that can be said about which algorithm is better, on one metric.
struct Comparison {
  std::string metric;
  bool higher_is_better = true;
  CompareOptions options;
  double rope = 0;
  std::vector<std::string> algorithms;
  std::vector<std::string> datasets;  ///< where all of them have all trials
  Matrix scores;                      ///< mean of each [dataset][algorithm]
  std::optional<FriedmanTest> friedman;
  std::optional<NemenyiTest> nemenyi;
  std::vector<PairComparison> pairs;
  std::vector<DatasetComparison> on_datasets;
  /// What to beware of: left-out data, too few datasets, dependent samples, …
  std::vector<std::string> warnings;

  nlohmann::ordered_json json() const;
};

/// Throws Error(usage) if the baseline is not there or there are not two algorithms to compare.
Comparison compare_algorithms(const ResultSet& results, const Metric& metric,
                              const CompareOptions& options = {});

}  // namespace coppice
