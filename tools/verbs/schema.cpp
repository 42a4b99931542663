#include "experiments/config/schema.h"

#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "core/base/error.h"
#include "core/base/nearest_name.h"
#include "experiments/export/results_schema.h"
#include "tools/cli.h"

namespace coppice {

namespace {

void show_schema(const std::string& what) {
  if (what == "config") return print_json(config_schema());
  if (what == "results") return print_json(results_schema());
  const std::vector<std::string> known{"config", "results"};
  throw Error(ErrorKind::usage, fmt::format("there is no schema of '{}'{}", what, did_you_mean(what, known)));
}

}  // namespace

void add_schema(CLI::App& app, Session& /*session*/) {
  CLI::App* verb = app.add_subcommand(
      "schema", "Print the JSON Schema of the config, for editors, or of results.json, for programs");
  const auto what = std::make_shared<std::string>("config");
  verb->add_option("WHAT", *what, "config (the default) or results");
  verb->callback([what] { show_schema(*what); });
}

}  // namespace coppice
