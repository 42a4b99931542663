#include <memory>

#include <fmt/format.h>

#include "tools/cli.h"
#include "tools/experiment_options.h"

namespace coppice {

void add_check(CLI::App& app, Session& /*session*/) {
  CLI::App* verb =
      app.add_subcommand("check", "Validate a config: every problem at once, each with its place");
  const auto options = std::make_shared<ExperimentOptions>();
  options->add_to(*verb);
  verb->callback([options] {
    const Plan plan = options->plan();
    std::string text = fmt::format("{}: no problems ({} trials)\n", options->config, plan.trials.size());
    for (const std::string& warning : plan.warnings) text += fmt::format("note: {}\n", warning);
    print(text);
  });
}

}  // namespace coppice
