#include "core/parameters/declare.h"

namespace coppice {

namespace {

ParameterSpec declared(const std::string& name, ParameterType type, const std::string& fallback,
                       const std::string& meaning, const std::string& reference) {
  ParameterSpec spec;
  spec.name = name;
  spec.type = type;
  spec.default_value = fallback;
  spec.meaning = meaning;
  spec.reference = reference;
  return spec;
}

}  // namespace

ParameterSpec number_parameter(const std::string& name, ParameterType type, const std::string& fallback,
                               const std::string& minimum, const std::string& meaning,
                               const std::string& symbol, const std::string& reference) {
  ParameterSpec spec = declared(name, type, fallback, meaning, reference);
  spec.minimum = minimum;
  spec.optional = fallback == "none";
  spec.symbol = symbol;
  return spec;
}

ParameterSpec choice_parameter(const std::string& name, const std::vector<std::string>& choices,
                               const std::string& meaning, const std::string& reference) {
  ParameterSpec spec = declared(name, ParameterType::choice, choices.front(), meaning, reference);
  spec.choices = choices;
  return spec;
}

ParameterSpec switch_parameter(const std::string& name, bool fallback, const std::string& meaning,
                               const std::string& reference) {
  return declared(name, ParameterType::boolean, fallback ? "true" : "false", meaning, reference);
}

}  // namespace coppice
