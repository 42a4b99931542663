#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
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

/// What is known of a dataset besides its scores; sizes are 0 where they are not known.
struct DatasetDetail {
  std::string name;
  std::string task;
  std::size_t rows = 0;
  std::size_t features = 0;
  std::size_t outputs = 0;
  std::size_t train = 0;  ///< rows of a training part
  std::size_t test = 0;
  /// Whether the trials draw their splits from the same rows (hold-out, cross-validation), so that their
  /// training parts overlap and their scores are not independent.
  bool resampled = false;
  /// What it was made or read from, where other datasets may come from the same: the generator, else the
  /// name.
  std::string source = {};
  bool part = false;  ///< trains on part of its training rows: others of its source share rows with it
};

/// The hyper-parameters that tuning chose for one trial.
struct ChosenParameters {
  std::string dataset;
  std::string algorithm;
  int repeat = 0;
  int fold = 0;
  std::vector<std::pair<std::string, std::string>> values;  ///< parameter and value
};

/// Where an algorithm of the tables comes from.
struct AlgorithmDetail {
  std::string name;                                        ///< as in ResultSet::algorithms
  std::string id;                                          ///< the config's id, without swept values
  std::vector<std::pair<std::string, std::string>> swept;  ///< parameter and value, in the config's order
};

/// A score that a paper reports.
struct PublishedScore {
  std::string metric;
  std::string dataset;
  std::string algorithm;
  double mean = 0;
  std::optional<double> deviation;
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
  // What follows may be empty: it is known only where the plan says so. Details are found by name.
  std::vector<DatasetDetail> dataset_details;
  std::vector<AlgorithmDetail> algorithm_details;
  std::string published_source;
  std::vector<PublishedScore> published;
  std::vector<ChosenParameters> chosen;

  /// Null where nothing is known.
  const DatasetDetail* dataset_detail(const std::string& name) const;
  const AlgorithmDetail* algorithm_detail(const std::string& name) const;
};

}  // namespace coppice
