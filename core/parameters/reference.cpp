#include "core/parameters/reference.h"

#include <fmt/format.h>

namespace coppice {

namespace {

std::string default_text(const ParameterSpec& spec) {
  if (spec.regression_default.empty()) return spec.default_value;
  return fmt::format("{}; regression {}", spec.default_value, spec.regression_default);
}

std::string meaning_text(const ParameterSpec& spec) {
  std::string text = spec.meaning;
  if (!spec.symbol.empty()) text += fmt::format(" ({} in the papers)", spec.symbol);
  if (spec.staged) text += " Staged: one fit answers every smaller value.";
  if (!spec.reference.empty()) text += fmt::format(" [{}]", spec.reference);
  return text;
}

/// A bar would end a cell of a Markdown table.
std::string table_cell(const std::string& text) {
  std::string escaped;
  for (const char character : text) {
    if (character == '|') escaped += '\\';
    escaped += character;
  }
  return escaped;
}

}  // namespace

std::string parameter_list(const std::vector<ParameterSpec>& specs) {
  std::string text = specs.empty() ? "\nNo parameters.\n" : "\nParameters\n";
  for (const ParameterSpec& spec : specs)
    text += fmt::format("  {} ({}, default {}; {})\n      {}\n", spec.name, type_name(spec.type),
                        default_text(spec), range_text(spec), meaning_text(spec));
  return text;
}

std::string parameter_table(const std::vector<ParameterSpec>& specs) {
  std::string text = "\n| name | type | default | range | meaning |\n| --- | --- | --- | --- | --- |\n";
  for (const ParameterSpec& spec : specs)
    text += fmt::format("| `{}` | {} | {} | {} | {} |\n", spec.name, type_name(spec.type),
                        table_cell(default_text(spec)), table_cell(range_text(spec)),
                        table_cell(meaning_text(spec)));
  return text;
}

nlohmann::ordered_json parameters_json(const std::vector<ParameterSpec>& specs) {
  nlohmann::ordered_json list = nlohmann::json::array();
  for (const ParameterSpec& spec : specs)
    list.push_back({{"name", spec.name},
                    {"type", type_name(spec.type)},
                    {"default", spec.default_value},
                    {"regression-default", spec.regression_default},
                    {"range", range_text(spec)},
                    {"staged", spec.staged},
                    {"meaning", spec.meaning},
                    {"symbol", spec.symbol},
                    {"reference", spec.reference}});
  return list;
}

}  // namespace coppice
