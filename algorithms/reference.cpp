#include "algorithms/reference.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "algorithms/registry.h"

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

std::string capability_text(const Capabilities& capabilities) {
  std::vector<std::string_view> tasks;
  for (const Task task : capabilities.tasks) tasks.push_back(task_name(task));
  return fmt::format("Tasks: {}. Missing values: {}. Categorical inputs: {}.", fmt::join(tasks, ", "),
                     capabilities.missing_values ? "yes" : "no", capabilities.categorical ? "as such" : "one-hot encoded");
}

/// A bar would end a cell of a Markdown table.
std::string table_cell(const std::string& text) {
  std::string escaped;
  for (const char character : text) escaped += character == '|' ? std::string("\\|") : std::string(1, character);
  return escaped;
}

}  // namespace

std::string describe_algorithm(const AlgorithmDescription& description) {
  std::string text = fmt::format("{}\n  {}\n  {}\n", description.name, description.summary, capability_text(description.capabilities));
  if (!description.reference.empty()) text += fmt::format("  Reference: {}.\n", description.reference);
  text += description.parameters.empty() ? "\nNo parameters.\n" : "\nParameters\n";
  for (const ParameterSpec& spec : description.parameters)
    text += fmt::format("  {} ({}, default {}; {})\n      {}\n", spec.name, type_name(spec.type), default_text(spec), range_text(spec), meaning_text(spec));
  return text;
}

nlohmann::ordered_json describe_algorithm_json(const AlgorithmDescription& description) {
  nlohmann::ordered_json json{{"name", description.name},
                              {"kind", "algorithm"},
                              {"summary", description.summary},
                              {"reference", description.reference},
                              {"missing-values", description.capabilities.missing_values},
                              {"categorical", description.capabilities.categorical}};
  for (const Task task : description.capabilities.tasks) json["tasks"].push_back(task_name(task));
  json["parameters"] = nlohmann::json::array();
  for (const ParameterSpec& spec : description.parameters)
    json["parameters"].push_back({{"name", spec.name},
                                  {"type", type_name(spec.type)},
                                  {"default", spec.default_value},
                                  {"regression-default", spec.regression_default},
                                  {"range", range_text(spec)},
                                  {"staged", spec.staged},
                                  {"meaning", spec.meaning},
                                  {"symbol", spec.symbol},
                                  {"reference", spec.reference}});
  return json;
}

std::string algorithms_reference() {
  std::string page =
      "# Algorithms\n\nMade from the algorithms' own declarations; a test keeps it up to date. Numbers may be expressions of n (training rows), "
      "p (features) and d (outputs), such as `sqrt(p)`; whole-number parameters round them down.\n";
  for (const std::string& name : Registry::instance().names()) {
    const AlgorithmDescription& description = Registry::instance().get(name).description();
    page += fmt::format("\n## {}\n\n{} {}\n", description.name, description.summary, capability_text(description.capabilities));
    if (!description.reference.empty()) page += fmt::format("Reference: {}.\n", description.reference);
    if (description.parameters.empty()) continue;
    page += "\n| parameter | type | default | range | meaning |\n| --- | --- | --- | --- | --- |\n";
    for (const ParameterSpec& spec : description.parameters)
      page += fmt::format("| `{}` | {} | {} | {} | {} |\n", spec.name, type_name(spec.type), table_cell(default_text(spec)),
                          table_cell(range_text(spec)), table_cell(meaning_text(spec)));
  }
  return page;
}

}  // namespace coppice
