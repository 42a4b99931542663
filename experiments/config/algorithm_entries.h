#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "algorithms/algorithm.h"
#include "experiments/config/tuning.h"
#include "experiments/config/value_axis.h"

namespace coppice {

/// One swept parameter and its values.
struct SweepAxis {
  std::string parameter;
  std::vector<Setting> values;
};

/// `budget: {times: 100, of: ID}`: as many stages as take that many times as long as one stage of another
/// entry (thesis 6.3.1.2).
struct BudgetSetting {
  double times = 0.0;
  std::string of;
  Location location;
};

/// One item of the config's list of algorithms.
struct AlgorithmEntry {
  const Algorithm* algorithm = nullptr;
  AlgorithmDescription description;  ///< with the parameters of its base, where it wraps another
  std::string id;
  Location location;
  std::map<std::string, Setting> parameters;
  std::vector<SweepAxis> sweep;
  std::optional<TuneSetting> tune;
  std::optional<BudgetSetting> budget;

  bool is_tuned(const std::string& parameter) const;
};

/// Reads `algorithms` of a config; everything wrong goes to `problems`. Values that a sweep draws follow from
/// the seed.
std::vector<AlgorithmEntry> parse_algorithms(const ConfigNode& node, std::uint64_t seed, Problems& problems);

}  // namespace coppice
