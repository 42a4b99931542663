#pragma once

#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/metrics/metric.h"
#include "core/parameters/parameters.h"
#include "experiments/config/value_axis.h"

namespace coppice {

/// How the values to try are found.
struct SearchSetting {
  enum class Kind { grid, random, halving, hyperband, bayes };

  Kind kind = Kind::grid;
  int trials = 0;        ///< how many settings are tried; halving: 0 is the whole grid
  double factor = 3.0;   ///< halving: of so many settings one goes on, with so many times the resource
  std::string resource;  ///< halving: `rows`, or the staged parameter; empty: the staged one, else rows
  double least = 0.0;    ///< halving: resource of the first round; 0: what `factor` gives

  bool halves() const { return kind == Kind::halving || kind == Kind::hyperband; }
};

/// `tune` of an algorithm entry.
struct TuneSetting {
  std::vector<ValueAxis> axes;
  SearchSetting search;
  Location location;
};

/// `protocol.select`: how settings are compared, always inside the training part.
struct Selection {
  bool kfold = false;
  double fraction = 0.2;  ///< of the training part that is held out
  int folds = 0;
  int repeats = 1;  ///< how often the training part is cut anew
  bool stratify = false;
  std::vector<Metric> metrics;  ///< the first that applies to a task decides; empty: of the experiment's own
  std::vector<Location> metric_locations;
  bool one_standard_error = false;  ///< the smallest model within one standard error of the best
  bool refit = true;  ///< the chosen setting is fitted on the whole training part; else its model is kept
  Location location;

  /// As it would stand in a config.
  std::string text() const;
};

/// Reads `protocol.select`.
Selection parse_selection(const ConfigNode& node, Problems& problems);

/// Reads the key `search` of `tune`.
SearchSetting parse_search(const ConfigNode& node, const std::vector<ParameterSpec>& parameters,
                           Problems& problems);

/// As it would stand in a config.
std::string search_text(const SearchSetting& search);

nlohmann::ordered_json selection_schema();
nlohmann::ordered_json search_schema();

}  // namespace coppice
