#include <memory>

#include <fmt/format.h>

#include "algorithms/registry.h"
#include "tools/cli.h"

namespace coppice {

namespace {

struct InspectArguments {
  std::string model;
  bool json = false;
};

void inspect(const InspectArguments& options) {
  const SavedModel saved = load_model(options.model);
  if (options.json) {
    nlohmann::ordered_json json{{"model", options.model},
                                {"algorithm", saved.algorithm},
                                {"task", task_name(saved.schema.task)},
                                {"bytes", saved.bytes},
                                {"features", saved.schema.features.size()},
                                {"outputs", saved.schema.outputs.size()}};
    json["facts"] = saved.model->facts();
    json["parameters"] = saved.parameters.json();
    json["provenance"] = saved.provenance;
    return print_json(json);
  }
  std::vector<std::pair<std::string, std::string>> lines{
      {"algorithm", saved.algorithm},
      {"task", std::string(task_name(saved.schema.task))},
      {"features", fmt::format("{}", saved.schema.features.size())},
      {"outputs", fmt::format("{}", saved.schema.outputs.size())},
      {"bytes", fmt::format("{}", saved.bytes)}};
  for (const auto& [name, value] : saved.model->facts()) lines.emplace_back(name, fmt::format("{}", value));
  std::string text = two_columns(lines) + "\nparameters\n";
  lines.clear();
  for (const auto& [name, value] : saved.parameters.values())
    lines.emplace_back("  " + name, parameter_text(value));
  text += two_columns(lines) + "\nprovenance\n";
  lines.clear();
  for (const auto& [name, value] : saved.provenance.items())
    lines.emplace_back("  " + name, value.is_string() ? value.get<std::string>() : value.dump());
  text += two_columns(lines);
  const std::string description = saved.model->describe(saved.schema);
  print(description.empty() ? text : text + "\n" + description);
}

}  // namespace

void add_inspect(CLI::App& app, Session& /*session*/) {
  CLI::App* verb = app.add_subcommand(
      "inspect", "Show what a saved model is: size, depth, parameters, importances, rules");
  const auto options = std::make_shared<InspectArguments>();
  verb->add_option("MODEL", options->model, "A file that 'coppice train' wrote")->required();
  verb->add_flag("--json", options->json, "Machine-readable");
  verb->callback([options] { inspect(*options); });
}

}  // namespace coppice
