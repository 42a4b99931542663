#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/base/random.h"
#include "core/parameters/parameters.h"
#include "experiments/config/config_node.h"
#include "experiments/config/problems.h"

namespace coppice {

/// A value as written, with its place.
struct Setting {
  std::string text;
  Location location;
};

/// The values that a parameter takes in a sweep or a search: a list (ranges are written out), every stage up
/// to a last one, or a distribution.
struct ValueAxis {
  enum class Kind { list, stages, uniform, log_uniform, integer, log_integer };

  std::string parameter;
  Kind kind = Kind::list;
  std::vector<Setting> values;  ///< of a list
  Setting low;                  ///< of stages and distributions
  Setting high;
  int draws = 0;  ///< how many values a sweep takes from a distribution
  Location location;

  bool is_distribution() const { return kind != Kind::list && kind != Kind::stages; }
};

/// Reads one axis: `[1, 2]`, `{from: 1, to: 9, step: 2}`, `{from: 1, to: 64, times: 2}`, `{upto: 100}`,
/// `{uniform: [0, 1]}`, `{log-uniform: [0.01, 1]}`, `{integer: [1, 9]}`, `{log-integer: [1, 1000]}`. `what`
/// is `sweep` or `tune`, for messages.
ValueAxis parse_value_axis(const ParameterSpec& spec, const ConfigNode& node, const std::string& what,
                           Problems& problems);

/// A scalar that the parameter accepts as far as can be said without data.
Setting parse_parameter_value(const ParameterSpec& spec, const ConfigNode& node, Problems& problems);

/// A value of a distribution over [low, high]: `integer` and `log-integer` include both ends.
double draw_value(ValueAxis::Kind kind, double low, double high, Stream& stream);

/// As a config would write it.
std::string axis_text(const ValueAxis& axis);

/// What an axis may be, for the JSON Schema: `item` is the schema of a value.
nlohmann::ordered_json axis_schema(const nlohmann::ordered_json& item, bool draws);

}  // namespace coppice
