#include "experiments/config/schema.h"

#include "tools/cli.h"

namespace coppice {

void add_schema(CLI::App& app, Session& /*session*/) {
  CLI::App* verb = app.add_subcommand("schema", "Print the JSON Schema of the config, for editors");
  verb->callback([] { print_json(config_schema()); });
}

}  // namespace coppice
