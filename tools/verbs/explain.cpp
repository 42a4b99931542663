#include "experiments/audit/explain.h"

#include <memory>

#include "tools/cli.h"

namespace coppice {

void add_explain(CLI::App& app, Session& /*session*/) {
  struct ExplainArguments {
    std::string folder;
    std::string cell;
    bool json = false;
  };
  CLI::App* verb = app.add_subcommand("explain", "Show where a number of the tables comes from");
  const auto options = std::make_shared<ExplainArguments>();
  verb->add_option("DIR", options->folder, "A folder that 'coppice run' wrote")->required();
  verb->add_option("--cell", options->cell, "dataset,algorithm,metric")->required();
  verb->add_flag("--json", options->json, "Machine-readable");
  verb->callback([options] {
    const nlohmann::ordered_json explanation = explain_cell(options->folder, options->cell);
    if (options->json)
      print_json(explanation);
    else
      print(explanation_text(explanation));
  });
}

}  // namespace coppice
