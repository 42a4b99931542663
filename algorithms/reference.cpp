#include "algorithms/reference.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "algorithms/registry.h"
#include "core/parameters/reference.h"

namespace coppice {

namespace {

std::string capability_text(const Capabilities& capabilities) {
  std::vector<std::string_view> tasks;
  for (const Task task : capabilities.tasks) tasks.push_back(task_name(task));
  return fmt::format("Tasks: {}. Missing values: {}. Categorical inputs: {}.", fmt::join(tasks, ", "),
                     capabilities.missing_values ? "yes" : "no",
                     capabilities.categorical ? "as such" : "one-hot encoded");
}

}  // namespace

std::string describe_algorithm(const AlgorithmDescription& description) {
  std::string text = fmt::format("{}\n  {}\n  {}\n", description.name, description.summary,
                                 capability_text(description.capabilities));
  if (!description.reference.empty()) text += fmt::format("  Reference: {}.\n", description.reference);
  return text + parameter_list(description.parameters);
}

nlohmann::ordered_json describe_algorithm_json(const AlgorithmDescription& description) {
  nlohmann::ordered_json json{{"name", description.name},
                              {"kind", "algorithm"},
                              {"summary", description.summary},
                              {"reference", description.reference},
                              {"missing-values", description.capabilities.missing_values},
                              {"categorical", description.capabilities.categorical}};
  for (const Task task : description.capabilities.tasks) json["tasks"].push_back(task_name(task));
  json["parameters"] = parameters_json(description.parameters);
  return json;
}

std::string algorithms_reference() {
  std::string page =
      "# Algorithms\n\nMade from the algorithms' own declarations; a test keeps it up to date. Numbers may "
      "be expressions of n (training rows), "
      "p (features) and d (outputs), such as `sqrt(p)`; whole-number parameters round them down, or to the "
      "nearest where they say so.\n";
  for (const std::string& name : Registry::instance().names()) {
    const AlgorithmDescription& description = Registry::instance().get(name).description();
    page += fmt::format("\n## {}\n\n{} {}\n", description.name, description.summary,
                        capability_text(description.capabilities));
    if (!description.reference.empty()) page += fmt::format("Reference: {}.\n", description.reference);
    if (!description.parameters.empty()) page += parameter_table(description.parameters);
  }
  return page;
}

}  // namespace coppice
