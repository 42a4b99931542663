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

namespace {

bool is_number(const ConfigNode& node, double& value) {
  const char* end = node.text.data() + node.text.size();
  const auto [stop, code] = std::from_chars(node.text.data(), end, value);
  return node.is_scalar() && code == std::errc() && stop == end;
}

}  // namespace

double real_number(const ConfigNode& node, const std::string& what, double low, double high,
                   Problems& problems) {
  double value = 0.0;
  if (is_number(node, value) && value >= low && value <= high) return value;
  problems.add(node.location,
               fmt::format("{}: expected a number, {} … {}, found {}", what, low, high, node.shown()));
  return low;
}

double share(const ConfigNode& node, const std::string& what, Problems& problems) {
  double value = 0.0;
  if (is_number(node, value) && value > 0.0 && value < 1.0) return value;
  problems.add(node.location, fmt::format("{}: expected the share of test rows, between 0 and 1, found {}",
                                          what, node.shown()));
  return 0.5;
}

bool true_or_false(const ConfigNode& node, const std::string& what, Problems& problems) {
  if (!node.is_scalar() || (node.text != "true" && node.text != "false"))
    problems.add(node.location, fmt::format("{}: expected true or false, found {}", what, node.shown()));
  return node.text == "true";
}

void each_named(const ConfigNode& list, const std::string& what, Problems& problems,
                const std::function<void(const std::string&, const Location&, const ConfigNode&)>& visit) {
  if (!list.is_list() || list.items.empty()) {
    problems.add(list.location,
                 fmt::format("{}: expected a list with at least one item, found {}", what, list.shown()));
    return;
  }
  static const ConfigNode no_options;
  for (const ConfigNode& item : list.items) {
    if (item.is_scalar()) {
      visit(item.text, item.location, no_options);
    } else if (item.is_map() && item.entries.size() == 1 &&
               item.entries[0].value.kind != ConfigNode::Kind::list && !item.entries[0].value.is_scalar()) {
      visit(item.entries[0].key, item.entries[0].location, item.entries[0].value);
    } else {
      problems.add(
          item.location,
          fmt::format("{}: expected a name, or one name with its settings as 'name: {{key: value}}'; "
                      "found {}",
                      what,
                      item.is_map() ? "several keys or a bare value (indent the settings below the name)"
                                    : item.shown()));
    }
  }
}

}  // namespace coppice
