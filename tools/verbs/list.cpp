#include <memory>

#include <fmt/format.h>

#include "algorithms/registry.h"
#include "core/base/nearest_name.h"
#include "core/data/generators/generator.h"
#include "core/metrics/metric.h"
#include "experiments/config/protocols.h"
#include "experiments/data/catalogue.h"
#include "tools/cli.h"

namespace coppice {

namespace {

using Lines = std::vector<std::pair<std::string, std::string>>;

Lines list_algorithms() {
  Lines lines;
  for (const std::string& name : Registry::instance().names())
    lines.emplace_back(name, Registry::instance().get(name).description().summary);
  return lines;
}

Lines list_metrics() {
  Lines lines;
  for (const MetricDescription& metric : metric_descriptions())
    lines.emplace_back(metric.name, metric.summary);
  return lines;
}

Lines list_protocols() {
  Lines lines;
  for (const ProtocolDescription& protocol : protocol_descriptions())
    lines.emplace_back(protocol.name, protocol.summary);
  return lines;
}

Lines list_datasets() {
  Lines lines;
  for (const auto& generator : generators())
    lines.emplace_back(generator->description().name, "generated: " + generator->description().summary);
  for (const std::string& name : catalogue_names()) {
    const auto entry = find_in_catalogue(name);
    if (entry) lines.emplace_back(name, std::string(task_name(entry->task)));
  }
  return lines;
}

}  // namespace

void add_list(CLI::App& app, Session& /*session*/) {
  struct Options {
    std::string what;
    bool json = false;
  };
  CLI::App* verb = app.add_subcommand("list", "What there is: algorithms, datasets, metrics, protocols");
  const auto options = std::make_shared<Options>();
  verb->add_option("WHAT", options->what, "algorithms, datasets, metrics or protocols")->required();
  verb->add_flag("--json", options->json, "Machine-readable");
  verb->callback([options] {
    const std::vector<std::pair<std::string, Lines (*)()>> lists{{"algorithms", list_algorithms},
                                                                 {"datasets", list_datasets},
                                                                 {"metrics", list_metrics},
                                                                 {"protocols", list_protocols}};
    std::vector<std::string> known;
    for (const auto& [name, make] : lists) {
      known.push_back(name);
      if (name != options->what) continue;
      if (!options->json) return print(two_columns(make()));
      nlohmann::ordered_json json = nlohmann::json::array();
      for (const auto& [item, summary] : make()) json.push_back({{"name", item}, {"summary", summary}});
      return print_json(json);
    }
    throw Error(ErrorKind::usage,
                fmt::format("nothing to list as '{}'{}", options->what, did_you_mean(options->what, known)));
  });
}

}  // namespace coppice
