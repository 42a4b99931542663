#include "experiments/config/value_axis.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/base/expression.h"
#include "core/base/portable_math.h"
#include "experiments/config/config_values.h"
#include "experiments/config/yaml_text.h"

namespace coppice {

namespace {

constexpr std::size_t most_range_values = 10000;
constexpr int most_draws = 100000;

constexpr std::array<std::pair<const char*, ValueAxis::Kind>, 4> distributions{
    {{"uniform", ValueAxis::Kind::uniform},
     {"log-uniform", ValueAxis::Kind::log_uniform},
     {"integer", ValueAxis::Kind::integer},
     {"log-integer", ValueAxis::Kind::log_integer}}};

const char* distribution_name(ValueAxis::Kind kind) {
  for (const auto& [name, each] : distributions)
    if (each == kind) return name;
  return "";
}

/// The number that a constant expression stands for, or nothing, which is a problem then.
std::optional<double> constant_number(const ConfigNode& node, const std::string& what, Problems& problems) {
  try {
    if (node.is_scalar()) {
      const Expression expression = Expression::parse(node.text);
      if (expression.is_constant()) return expression.evaluate({});
    }
  } catch (const Error&) {
    // said below
  }
  problems.add(node.location, fmt::format("{}: expected a number, found {}", what, node.shown()));
  return std::nullopt;
}

/// `{from: 1, to: 9, step: 2}` or `{from: 1, to: 64, times: 2}`, written out.
void parse_range(const ParameterSpec& spec, const ConfigNode& node, const std::string& what, ValueAxis& axis,
                 Problems& problems) {
  const std::string here = fmt::format("{}: {}", what, spec.name);
  check_keys(node, {"from", "to", "step", "times"}, here, problems);
  const ConfigNode* to = node.find("to");
  const ConfigNode* step = node.find("step");
  const ConfigNode* times = node.find("times");
  if (to == nullptr || (step == nullptr) == (times == nullptr)) {
    problems.add(
        node.location,
        fmt::format("{}: a range is {{from: 1, to: 9, step: 2}} or {{from: 1, to: 64, times: 2}}", here));
    return;
  }
  const auto first = constant_number(*node.find("from"), here, problems);
  const auto last = constant_number(*to, here, problems);
  const auto stride = constant_number(step != nullptr ? *step : *times, here, problems);
  if (!first || !last || !stride) return;
  const bool rising = step != nullptr ? *stride > 0.0 : *stride > 1.0 && *first > 0.0;
  if (!rising || *last < *first) {
    problems.add(node.location, fmt::format("{}: the range never gets from {} to {}", here, *first, *last));
    return;
  }
  const double slack = 1e-9 * std::abs(*last);  // 0.1 · 3 is a little more than 0.3
  double value = *first;
  for (std::size_t i = 1; value <= *last + slack; ++i) {
    if (axis.values.size() == most_range_values) {
      problems.add(node.location,
                   fmt::format("{}: the range has more than {} values", here, most_range_values));
      return;
    }
    ConfigNode item;
    item.kind = ConfigNode::Kind::scalar;
    item.location = node.location;
    // Twelve digits: 0.1 + 0.2 is meant as 0.3.
    item.text = fmt::format("{:.12g}", value);
    axis.values.push_back(parse_parameter_value(spec, item, problems));
    value = step != nullptr ? *first + *stride * static_cast<double>(i) : value * *stride;
  }
}

void parse_distribution(const ParameterSpec& spec, const ConfigNode& node, const std::string& key,
                        const std::string& what, ValueAxis& axis, Problems& problems) {
  const std::string here = fmt::format("{}: {}", what, spec.name);
  check_keys(node, what == "sweep" ? std::vector<std::string>{key, "draws"} : std::vector<std::string>{key},
             here, problems);
  const ConfigNode& ends = *node.find(key);
  const bool whole = axis.kind == ValueAxis::Kind::integer || axis.kind == ValueAxis::Kind::log_integer;
  if (spec.type != ParameterType::real && spec.type != ParameterType::integer)
    problems.add(node.location, fmt::format("{}: {} is no number; list its values", here, spec.name));
  else if (whole != (spec.type == ParameterType::integer))
    problems.add(node.location, fmt::format("{}: {} is {}; use {}", here, spec.name,
                                            whole ? "a real number" : "a whole number",
                                            whole ? "uniform or log-uniform" : "integer or log-integer"));
  if (!ends.is_list() || ends.items.size() != 2) {
    problems.add(ends.location,
                 fmt::format("{}: expected {}: [low, high], found {}", here, key, ends.shown()));
    return;
  }
  axis.low = parse_parameter_value(spec, ends.items[0], problems);
  axis.high = parse_parameter_value(spec, ends.items[1], problems);
  if (what != "sweep") return;
  const ConfigNode* draws = node.find("draws");
  if (draws == nullptr)
    problems.add(node.location, fmt::format("{}: how many values? {{{}: […], draws: 5}}", here, key));
  else
    axis.draws = static_cast<int>(whole_number(*draws, "draws", 1, most_draws, problems));
}

void parse_list(const ParameterSpec& spec, const ConfigNode& node, const std::string& what, ValueAxis& axis,
                Problems& problems) {
  std::set<std::string> seen;
  for (const ConfigNode& item : node.items) {
    axis.values.push_back(parse_parameter_value(spec, item, problems));
    if (item.is_scalar() && !seen.insert(item.text).second)
      problems.add(item.location, fmt::format("{}: {} has the value {} twice", what, spec.name, item.text));
  }
}

}  // namespace

Setting parse_parameter_value(const ParameterSpec& spec, const ConfigNode& node, Problems& problems) {
  if (!node.is_scalar()) {
    problems.add(node.location,
                 fmt::format("{}: expected {}, found {}", spec.name, range_text(spec), node.shown()));
    return {};
  }
  const std::string problem = check_raw_value(spec, node.text);
  if (!problem.empty()) problems.add(node.location, problem);
  return {node.text, node.location};
}

ValueAxis parse_value_axis(const ParameterSpec& spec, const ConfigNode& node, const std::string& what,
                           Problems& problems) {
  ValueAxis axis;
  axis.parameter = spec.name;
  axis.location = node.location;
  if (node.is_list() && !node.items.empty()) {
    parse_list(spec, node, what, axis, problems);
    return axis;
  }
  if (node.is_map() && node.find("from") != nullptr) {
    parse_range(spec, node, what, axis, problems);
    return axis;
  }
  if (const ConfigNode* upto = node.is_map() ? node.find("upto") : nullptr) {
    axis.kind = ValueAxis::Kind::stages;
    check_keys(node, {"upto"}, fmt::format("{}: {}", what, spec.name), problems);
    if (!spec.staged || what == "sweep")
      problems.add(node.location, fmt::format("{}: 'upto' is for a staged parameter that is tuned; list the "
                                              "values of {}",
                                              what, spec.name));
    axis.low = {"1", node.location};
    axis.high = parse_parameter_value(spec, *upto, problems);
    return axis;
  }
  for (const auto& [name, kind] : distributions)
    if (node.is_map() && node.find(name) != nullptr) {
      axis.kind = kind;
      parse_distribution(spec, node, name, what, axis, problems);
      return axis;
    }
  problems.add(node.location,
               fmt::format("{}: {}: expected a list of values, a range {{from: 1, to: 9, step: 2}} or a "
                           "distribution {{uniform: [0, 1]}}, found {}",
                           what, spec.name, node.shown()));
  return axis;
}

double draw_value(ValueAxis::Kind kind, double low, double high, Stream& stream) {
  switch (kind) {
    case ValueAxis::Kind::uniform:
      return stream.uniform(low, high);
    case ValueAxis::Kind::log_uniform:
      return std::clamp(portable_exp(stream.uniform(portable_log(low), portable_log(high))), low, high);
    case ValueAxis::Kind::integer:
      return low + static_cast<double>(stream.below(static_cast<std::uint64_t>(high - low) + 1));
    case ValueAxis::Kind::log_integer: {
      // Each whole number owns the unit around it.
      const double drawn = portable_exp(stream.uniform(portable_log(low - 0.5), portable_log(high + 0.5)));
      return std::clamp(std::floor(drawn + 0.5), low, high);
    }
    case ValueAxis::Kind::list:
    case ValueAxis::Kind::stages:
      break;
  }
  return low;
}

std::string axis_text(const ValueAxis& axis) {
  if (axis.kind == ValueAxis::Kind::stages) return fmt::format("{{upto: {}}}", yaml_scalar(axis.high.text));
  if (axis.is_distribution())
    return fmt::format("{{{}: [{}, {}]}}", distribution_name(axis.kind), yaml_scalar(axis.low.text),
                       yaml_scalar(axis.high.text));
  std::vector<std::string> values;
  for (const Setting& value : axis.values) values.push_back(yaml_scalar(value.text));
  return fmt::format("[{}]", fmt::join(values, ", "));
}

nlohmann::ordered_json axis_schema(const nlohmann::ordered_json& item, bool draws) {
  using Json = nlohmann::ordered_json;
  const Json number{{"type", {"number", "string"}}};
  Json forms = Json::array();
  forms.push_back({{"type", "array"}, {"minItems", 1}, {"items", item}});
  forms.push_back({{"type", "object"},
                   {"required", {"from", "to"}},
                   {"properties", {{"from", number}, {"to", number}, {"step", number}, {"times", number}}},
                   {"additionalProperties", false}});
  for (const auto& [name, kind] : distributions) {
    Json properties{{name, {{"type", "array"}, {"minItems", 2}, {"maxItems", 2}, {"items", number}}}};
    if (draws) properties["draws"] = {{"type", "integer"}, {"minimum", 1}};
    forms.push_back({{"type", "object"},
                     {"required", {name}},
                     {"properties", properties},
                     {"additionalProperties", false}});
  }
  if (!draws)
    forms.push_back({{"type", "object"},
                     {"required", {"upto"}},
                     {"properties", {{"upto", number}}},
                     {"additionalProperties", false}});
  return {{"anyOf", forms}};
}

}  // namespace coppice
