#include "experiments/config/config_values.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "core/base/nearest_name.h"

namespace coppice {

void check_keys(const ConfigNode& map, const std::vector<std::string>& known, const std::string& owner,
                Problems& problems) {
  for (const ConfigNode::Entry& entry : map.entries)
    if (std::find(known.begin(), known.end(), entry.key) == known.end())
      problems.add(entry.location,
                   fmt::format("{} has no key '{}'{}", owner, entry.key, did_you_mean(entry.key, known)));
}

std::int64_t whole_number(const ConfigNode& node, const std::string& what, std::int64_t low,
                          std::int64_t high, Problems& problems) {
  std::int64_t value = 0;
  const char* end = node.text.data() + node.text.size();
  const auto [stop, code] = std::from_chars(node.text.data(), end, value);
  if (!node.is_scalar() || code != std::errc() || stop != end) {
    problems.add(node.location, fmt::format("{}: expected a whole number, found {}", what, node.shown()));
    return low;
  }
  if (value < low || value > high) {
    problems.add(node.location,
                 fmt::format("{}: {} is out of range; expected {} … {}", what, value, low, high));
    return low;
  }
  return value;
}

}  // namespace coppice
