#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "experiments/config/config_node.h"
#include "experiments/config/problems.h"

namespace coppice {

/// Complains about every key of a mapping that is none of `known`; `owner` is what the mapping describes.
void check_keys(const ConfigNode& map, const std::vector<std::string>& known, const std::string& owner,
                Problems& problems);

/// The whole number that stands there; `low` where it is none or out of range, which is a problem then.
std::int64_t whole_number(const ConfigNode& node, const std::string& what, std::int64_t low,
                          std::int64_t high, Problems& problems);

/// The same for a real number.
double real_number(const ConfigNode& node, const std::string& what, double low, double high,
                   Problems& problems);

/// A share of rows, above 0 and below 1.
double share(const ConfigNode& node, const std::string& what, Problems& problems);

/// Visits the items of a list in which each is `name` or `name: {options}`.
void each_named(const ConfigNode& list, const std::string& what, Problems& problems,
                const std::function<void(const std::string& name, const Location& location,
                                         const ConfigNode& options)>& visit);

bool true_or_false(const ConfigNode& node, const std::string& what, Problems& problems);

}  // namespace coppice
