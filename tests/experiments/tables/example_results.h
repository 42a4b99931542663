#pragma once

#include <string>
#include <vector>

#include "experiments/results/result_set.h"

/// A metric for tests that need not know the real ones.
inline coppice::Metric example_metric(const std::string& name, bool higher_is_better = true) {
  static const auto descriptions = [] {
    std::vector<coppice::MetricDescription> both(2);
    both[0].higher_is_better = false;
    return both;
  }();
  return {name, &descriptions[higher_is_better ? 1 : 0], 0};
}

/// Results built up trial by trial.
class ExampleResults {
 public:
  ExampleResults(std::vector<std::string> datasets, std::vector<std::string> algorithms,
                 std::vector<coppice::Metric> metrics = {example_metric("score")}) {
    results.datasets = std::move(datasets);
    results.algorithms = std::move(algorithms);
    results.metrics = std::move(metrics);
  }

  /// The score of one trial with the first metric.
  ExampleResults& trial(const std::string& dataset, const std::string& algorithm, int repeat, int fold,
                        double value, const std::string& stage = "") {
    return trial_metric(results.metrics.at(0).name, dataset, algorithm, repeat, fold, value, stage);
  }
  ExampleResults& trial_metric(const std::string& metric, const std::string& dataset,
                               const std::string& algorithm, int repeat, int fold, double value,
                               const std::string& stage = "") {
    results.rows.push_back({dataset, algorithm, repeat, fold, stage, metric, value});
    return *this;
  }
  /// One score for each repeat.
  ExampleResults& repeats(const std::string& dataset, const std::string& algorithm,
                          const std::vector<double>& values) {
    for (std::size_t i = 0; i < values.size(); ++i)
      trial(dataset, algorithm, static_cast<int>(i), 0, values[i]);
    return *this;
  }
  ExampleResults& hole(const std::string& dataset, const std::string& algorithm, int repeat, int fold,
                       const std::string& reason) {
    results.holes.push_back({dataset, algorithm, repeat, fold, reason});
    return *this;
  }

  coppice::ResultSet results;
};
