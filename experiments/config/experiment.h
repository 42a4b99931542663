#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "algorithms/algorithm.h"
#include "core/metrics/metric.h"
#include "experiments/config/config_node.h"
#include "experiments/config/problems.h"
#include "experiments/config/protocols.h"
#include "experiments/data/source.h"

namespace coppice {

/// A value as written, with its place.
struct Setting {
  std::string text;
  Location location;
};

/// One swept parameter and its values.
struct SweepAxis {
  std::string parameter;
  std::vector<Setting> values;
};

/// One item of the config's list of algorithms.
struct AlgorithmEntry {
  const Algorithm* algorithm = nullptr;
  AlgorithmDescription description;  ///< with the parameters of its base, where it wraps another
  std::string id;
  Location location;
  std::map<std::string, Setting> parameters;
  std::vector<SweepAxis> sweep;
};

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
  bool skip_absent = false;  ///< catalogued datasets without files here are reported, not an error
  Protocol protocol;
  std::vector<AlgorithmEntry> algorithms;
  std::vector<Metric> metrics;
  std::vector<Location> metric_locations;
  std::string expect_source;
  std::vector<ExpectedValue> expected;
};

/// Turns a parsed config into an experiment; everything wrong goes to `problems`. Data is not touched: see
/// make_plan.
Experiment parse_experiment(const ConfigNode& root, Problems& problems);

}  // namespace coppice
