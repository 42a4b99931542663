#pragma once

#include <cstdint>
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

}  // namespace coppice
