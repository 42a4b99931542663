#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/metrics/metric.h"
#include "experiments/config/algorithm_entries.h"
#include "experiments/config/config_node.h"
#include "experiments/config/problems.h"
#include "experiments/config/protocols.h"
#include "experiments/data/source.h"

namespace coppice {

/// A published figure to show beside ours.
struct ExpectedValue {
  std::string metric;
  std::string dataset;
  std::string algorithm;
  double value = 0.0;
  std::optional<double> deviation;
  Location location;
};

/// A whole config, checked as far as that is possible without reading data.
struct Experiment {
  std::filesystem::path file;
  std::string name;
  std::uint64_t seed = 0;
  Location seed_location;
  std::vector<DatasetEntry> datasets;
  std::vector<std::string> plugins;  ///< shared libraries with algorithms, as absolute paths
  bool exclusive_timing = false;     ///< one trial at a time
  bool skip_absent = false;          ///< catalogued datasets without files here are reported, not an error
  Protocol protocol;
  std::vector<AlgorithmEntry> algorithms;
  std::vector<Metric> metrics;
  std::vector<Location> metric_locations;
  std::string expect_source;
  std::vector<ExpectedValue> expected;

  /// How tuned settings are compared: as the protocol says, or by default.
  Selection selection() const { return protocol.select.value_or(Selection{}); }
  /// The metric that decides there on data of this task, or nothing if none applies.
  std::optional<Metric> selection_metric(Task task) const;
};

/// Turns a parsed config into an experiment; everything wrong goes to `problems`. Data is not touched: see
/// make_plan.
Experiment parse_experiment(const ConfigNode& root, Problems& problems);

}  // namespace coppice
