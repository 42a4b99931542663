#include "core/parameters/parameters.h"

#include <cmath>
#include <stdexcept>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/base/error.h"
#include "core/base/nearest_name.h"

namespace coppice {

namespace {

constexpr double largest_integer = 9007199254740992.0;  // 2^53: beyond it doubles skip whole numbers

std::string out_of_range(const ParameterSpec& spec, const std::string& raw, double value,
                         const std::string& where) {
  const std::string shown = raw == fmt::format("{}", value) ? raw : fmt::format("{} = {}", raw, value);
  return fmt::format("{}: {} is out of range{}; expected {}", spec.name, shown, where, range_text(spec));
}

std::optional<double> bound(const std::string& text, const ExpressionVariables* sizes) {
  if (text.empty()) return std::nullopt;
  const Expression expression = Expression::parse(text);
  if (sizes == nullptr && !expression.is_constant()) return std::nullopt;
  return expression.evaluate(sizes != nullptr ? *sizes : ExpressionVariables{});
}

bool in_range(const ParameterSpec& spec, double value, const ExpressionVariables* sizes) {
  const auto minimum = bound(spec.minimum, sizes);
  const auto maximum = bound(spec.maximum, sizes);
  if (!std::isfinite(value)) return false;
  if (minimum && (value < *minimum || (spec.above_minimum && value == *minimum))) return false;
  return !maximum || value <= *maximum;
}

}  // namespace

const Parameters::Value& Parameters::find(const std::string& name) const {
  const auto found = values_.find(name);
  if (found == values_.end()) throw std::logic_error("undeclared parameter '" + name + "'");
  return found->second;
}

void Parameters::set_number(const std::string& name, double value) {
  if (std::holds_alternative<std::int64_t>(find(name)))
    set(name, static_cast<std::int64_t>(value));
  else
    set(name, value);
}

double Parameters::number(const std::string& name) const {
  const Value& value = find(name);
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return static_cast<double>(*whole);
  return std::get<double>(value);
}

std::int64_t Parameters::integer(const std::string& name) const {
  return std::get<std::int64_t>(find(name));
}
double Parameters::real(const std::string& name) const {
  return std::get<double>(find(name));
}
bool Parameters::boolean(const std::string& name) const {
  return std::get<bool>(find(name));
}
const std::string& Parameters::word(const std::string& name) const {
  return std::get<std::string>(find(name));
}

std::optional<std::int64_t> Parameters::optional_integer(const std::string& name) const {
  if (std::holds_alternative<std::monostate>(find(name))) return std::nullopt;
  return integer(name);
}

std::optional<double> Parameters::optional_real(const std::string& name) const {
  if (std::holds_alternative<std::monostate>(find(name))) return std::nullopt;
  return real(name);
}

nlohmann::json Parameters::json() const {
  nlohmann::json object = nlohmann::json::object();
  for (const auto& [name, value] : values_) {
    nlohmann::json& entry = object[name];
    std::visit(
        [&entry](const auto& held) {
          if constexpr (std::is_same_v<std::decay_t<decltype(held)>, std::monostate>)
            entry = nullptr;
          else
            entry = held;
        },
        value);
  }
  return object;
}

Parameters Parameters::from_json(const nlohmann::json& object) {
  Parameters parameters;
  for (const auto& [name, value] : object.items()) {
    if (value.is_null())
      parameters.set(name, std::monostate{});
    else if (value.is_boolean())
      parameters.set(name, value.get<bool>());
    else if (value.is_number_integer())
      parameters.set(name, value.get<std::int64_t>());
    else if (value.is_number())
      parameters.set(name, value.get<double>());
    else
      parameters.set(name, value.get<std::string>());
  }
  return parameters;
}

std::string parameter_text(const Parameters::Value& value) {
  return std::visit(
      [](const auto& held) -> std::string {
        if constexpr (std::is_same_v<std::decay_t<decltype(held)>, std::monostate>)
          return "none";
        else
          return fmt::format("{}", held);
      },
      value);
}

std::string_view type_name(ParameterType type) {
  switch (type) {
    case ParameterType::integer:
      return "integer";
    case ParameterType::real:
      return "real";
    case ParameterType::boolean:
      return "boolean";
    case ParameterType::choice:
      return "choice";
  }
  return "";
}

std::string range_text(const ParameterSpec& spec) {
  std::string text;
  switch (spec.type) {
    case ParameterType::boolean:
      text = "true | false";
      break;
    case ParameterType::choice:
      text = fmt::format("{}", fmt::join(spec.choices, " | "));
      break;
    case ParameterType::integer:
    case ParameterType::real:
      if (!spec.minimum.empty() && !spec.maximum.empty())
        text = fmt::format("{}{} … {}", spec.above_minimum ? "above " : "", spec.minimum, spec.maximum);
      else if (!spec.minimum.empty())
        text = spec.above_minimum ? fmt::format("above {}", spec.minimum)
                                  : fmt::format("{} or more", spec.minimum);
      else if (!spec.maximum.empty())
        text = fmt::format("at most {}", spec.maximum);
      else
        text = "any number";
      break;
  }
  return spec.optional ? text + " | none" : text;
}

std::string check_raw_value(const ParameterSpec& spec, const std::string& raw) {
  if (spec.optional && raw == "none") return "";
  switch (spec.type) {
    case ParameterType::boolean:
      if (raw == "true" || raw == "false") return "";
      return fmt::format("{}: expected true or false, found '{}'", spec.name, raw);
    case ParameterType::choice: {
      for (const std::string& choice : spec.choices)
        if (choice == raw) return "";
      const auto nearest = nearest_name(raw, spec.choices);
      return fmt::format("{}: expected {}, found '{}'{}", spec.name, range_text(spec), raw,
                         nearest ? fmt::format("; did you mean {}?", *nearest) : "");
    }
    case ParameterType::integer:
    case ParameterType::real:
      break;
  }
  try {
    const Expression expression = Expression::parse(raw);
    if (!expression.is_constant()) return "";
    const double value = expression.evaluate({});
    if (spec.type == ParameterType::integer && std::isfinite(value) && value != std::floor(value))
      return fmt::format("{}: expected a whole number, found {}", spec.name, raw);
    if (!in_range(spec, value, nullptr)) return out_of_range(spec, raw, value, "");
  } catch (const Error& error) {
    return fmt::format("{}: {}", spec.name, error.message());
  }
  return "";
}

Parameters::Value resolve_value(const ParameterSpec& spec, const std::string& raw,
                                const ExpressionVariables& sizes) {
  const std::string problem = check_raw_value(spec, raw);
  if (!problem.empty()) throw Error(ErrorKind::config, problem);
  if (spec.optional && raw == "none") return std::monostate{};
  if (spec.type == ParameterType::boolean) return raw == "true";
  if (spec.type == ParameterType::choice) return raw;

  const Expression expression = Expression::parse(raw);
  double value = expression.evaluate(sizes);
  if (spec.type == ParameterType::integer && !expression.is_constant()) {
    // sqrt(p) = 7.6 means 7 features; p/3 with two features still means one, but less than nothing is wrong.
    value = std::floor(spec.nearest ? value + 0.5 : value);
    if (const auto minimum = bound(spec.minimum, &sizes); minimum && value >= 0.0 && value < *minimum)
      value = *minimum;
  }
  const std::string where = fmt::format(" where n = {}, p = {}, d = {}", sizes.n, sizes.p, sizes.d);
  if (!in_range(spec, value, &sizes) ||
      (spec.type == ParameterType::integer && std::abs(value) > largest_integer))
    throw Error(ErrorKind::config, out_of_range(spec, raw, value, where));
  if (spec.type == ParameterType::integer) return static_cast<std::int64_t>(value);
  return value;
}

Parameters resolve(const std::vector<ParameterSpec>& specs, const RawParameters& raw, Task task,
                   const ExpressionVariables& sizes) {
  Parameters parameters;
  for (const ParameterSpec& spec : specs) {
    const auto given = raw.find(spec.name);
    const std::string& fallback = task == Task::regression && !spec.regression_default.empty()
                                      ? spec.regression_default
                                      : spec.default_value;
    parameters.set(spec.name, resolve_value(spec, given != raw.end() ? given->second : fallback, sizes));
  }
  return parameters;
}

}  // namespace coppice
