#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/base/expression.h"
#include "core/data/task.h"

namespace coppice {

/// What values a hyper-parameter takes.
enum class ParameterType {
  integer,  ///< a whole number; fractions that an expression yields are rounded, as the parameter says
  real,     ///< a real number
  boolean,  ///< true or false
  choice,   ///< one of a list of words
};

/// The one declaration of a hyper-parameter. The config check, `describe`, the JSON Schema and the reference
/// page are all made from it.
struct ParameterSpec {
  std::string name;
  ParameterType type = ParameterType::integer;
  std::string default_value;         ///< as it would stand in a config; `none` where optional
  std::string regression_default;    ///< for regression tasks, if different
  std::string minimum;               ///< an expression of n, p, d, or empty: no bound
  std::string maximum;               ///< likewise
  bool above_minimum = false;        ///< the minimum itself is not allowed
  bool nearest = false;              ///< integer: fractions go to the nearest whole number, otherwise down
  bool optional = false;             ///< `none` is allowed and means "no limit" or "off"
  bool staged = false;               ///< one fit answers every smaller value
  std::vector<std::string> choices;  ///< for choice
  std::string meaning;               ///< one sentence
  std::string symbol;                ///< as the papers write it
  std::string reference;             ///< paper and section
};

/// A value as written in a config: a word or number in text form.
using RawParameters = std::map<std::string, std::string>;

/// The resolved values of all parameters of an algorithm for one dataset.
class Parameters {
 public:
  using Value = std::variant<std::monostate, std::int64_t, double, bool, std::string>;

  void set(const std::string& name, Value value) { values_[name] = std::move(value); }

  /// A number in the type that the parameter has already.
  void set_number(const std::string& name, double value);

  std::int64_t integer(const std::string& name) const;
  double real(const std::string& name) const;
  /// An integer or real value as a number.
  double number(const std::string& name) const;
  bool boolean(const std::string& name) const;
  const std::string& word(const std::string& name) const;
  /// Empty where the value is `none`.
  std::optional<std::int64_t> optional_integer(const std::string& name) const;
  std::optional<double> optional_real(const std::string& name) const;

  bool has(const std::string& name) const { return values_.contains(name); }
  const std::map<std::string, Value>& values() const { return values_; }

  nlohmann::json json() const;
  static Parameters from_json(const nlohmann::json& object);

 private:
  const Value& find(const std::string& name) const;
  std::map<std::string, Value> values_;
};

/// A value in the text form a config would have.
std::string parameter_text(const Parameters::Value& value);

/// What can be said of a raw value without knowing the data: is it of the type, inside constant bounds, one
/// of the choices? Empty if it is fine, else the reason.
std::string check_raw_value(const ParameterSpec& spec, const std::string& raw);

/// The value for data of this size; throws Error(config) if it is out of range there.
Parameters::Value resolve_value(const ParameterSpec& spec, const std::string& raw,
                                const ExpressionVariables& sizes);

/// Every parameter of the specs, from `raw` where given, else its default for the task.
Parameters resolve(const std::vector<ParameterSpec>& specs, const RawParameters& raw, Task task,
                   const ExpressionVariables& sizes);

/// `1 … p`, `> 0`, `gini | entropy`: the range of a parameter in words.
std::string range_text(const ParameterSpec& spec);
std::string_view type_name(ParameterType type);

}  // namespace coppice
