#include <memory>

#include <fmt/format.h>

#include "algorithms/registry.h"
#include "core/base/nearest_name.h"
#include "core/losses/loss.h"
#include "core/metrics/metric.h"
#include "core/projections/adaptive_projection.h"
#include "core/projections/projection.h"
#include "experiments/config/protocols.h"
#include "experiments/data/listing.h"
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

Lines list_projections() {
  Lines lines;
  for (const auto& kind : projection_kinds())
    lines.emplace_back(kind->description().name, kind->description().summary);
  for (const AdaptiveProjectionDescription& kind : adaptive_projections())
    lines.emplace_back(kind.name, kind.summary);
  return lines;
}

Lines list_losses() {
  Lines lines;
  for (const auto& loss : losses()) lines.emplace_back(loss->description().name, loss->description().summary);
  return lines;
}

Lines list_protocols() {
  Lines lines;
  for (const ProtocolDescription& protocol : protocol_descriptions())
    lines.emplace_back(protocol.name, protocol.summary);
  return lines;
}

/// Rows, features and outputs, as far as the catalogue tells them.
std::string shape_text(const std::map<std::string, std::size_t>& shape) {
  std::string text;
  for (const char* key : {"rows", "train", "test", "features", "outputs"})
    if (const auto found = shape.find(key); found != shape.end())
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ", found->second, key);
  return text;
}

std::string presence(const DatasetListing& dataset) {
  if (dataset.generated) return "generated";
  if (dataset.present) return "present";
  return dataset.fetchable ? "can be fetched" : "absent";
}

void show_datasets(const std::string& folder, bool as_json) {
  const auto datasets = list_datasets(DataPath::standard(folder));
  if (as_json) {
    nlohmann::ordered_json json = nlohmann::json::array();
    for (const DatasetListing& dataset : datasets)
      json.push_back({{"name", dataset.name},
                      {"summary", dataset.domain},
                      {"task", task_name(dataset.task)},
                      {"generated", dataset.generated},
                      {"present", dataset.present},
                      {"fetchable", dataset.fetchable},
                      {"shape", dataset.shape}});
    return print_json(json);
  }
  Lines lines;
  for (const DatasetListing& dataset : datasets)
    lines.emplace_back(dataset.name,
                       fmt::format("{:<14}  {:<11}  {}", presence(dataset), task_name(dataset.task),
                                   dataset.generated ? dataset.domain : shape_text(dataset.shape)));
  print(two_columns(lines));
}

}  // namespace

void add_list(CLI::App& app, Session& /*session*/) {
  struct ListArguments {
    std::string what;
    std::string data;
    bool json = false;
  };
  CLI::App* verb = app.add_subcommand(
      "list", "What there is: algorithms, datasets, metrics, projections, losses, protocols");
  const auto options = std::make_shared<ListArguments>();
  verb->add_option("WHAT", options->what, "algorithms, datasets, metrics, projections, losses or protocols")
      ->required();
  verb->add_option("--data", options->data,
                   "Folder with data files, looked at before $COPPICE_DATA and datasets/files");
  verb->add_flag("--json", options->json, "Machine-readable");
  verb->callback([options] {
    if (options->what == "datasets") return show_datasets(options->data, options->json);
    const std::vector<std::pair<std::string, Lines (*)()>> lists{{"algorithms", list_algorithms},
                                                                 {"metrics", list_metrics},
                                                                 {"projections", list_projections},
                                                                 {"losses", list_losses},
                                                                 {"protocols", list_protocols}};
    std::vector<std::string> known{"datasets"};
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
