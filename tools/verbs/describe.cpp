#include <memory>

#include <fmt/format.h>

#include "algorithms/reference.h"
#include "algorithms/registry.h"
#include "core/base/nearest_name.h"
#include "core/data/generators/generator.h"
#include "core/losses/loss.h"
#include "core/metrics/metric.h"
#include "core/parameters/reference.h"
#include "core/projections/adaptive_projection.h"
#include "core/projections/projection.h"
#include "experiments/config/protocols.h"
#include "experiments/data/catalogue.h"
#include "tools/cli.h"

namespace coppice {

namespace {

/// A description in both forms.
struct Described {
  std::string text;
  nlohmann::ordered_json json;
};

std::optional<Described> describe_metric(const std::string& name) {
  for (const MetricDescription& metric : metric_descriptions()) {
    const std::size_t at = metric.name.find("@K");
    const bool family = at != std::string::npos && name.starts_with(metric.name.substr(0, at + 1));
    if (metric.name != name && !family) continue;
    Described described;
    std::string tasks;
    for (const Task task : metric.tasks)
      tasks += fmt::format("{}{}", tasks.empty() ? "" : ", ", task_name(task));
    described.text = fmt::format("{}\n  {}\n  {}\n  Tasks: {}. {} is better. Reference: {}.\n", metric.name,
                                 metric.summary, metric.definition, tasks,
                                 metric.higher_is_better ? "Higher" : "Lower", metric.reference);
    described.json = {{"name", metric.name},
                      {"kind", "metric"},
                      {"summary", metric.summary},
                      {"definition", metric.definition},
                      {"reference", metric.reference},
                      {"higher-is-better", metric.higher_is_better},
                      {"tasks", nlohmann::json::array()}};
    for (const Task task : metric.tasks) described.json["tasks"].push_back(task_name(task));
    return described;
  }
  return std::nullopt;
}

std::optional<Described> describe_protocol(const std::string& name) {
  for (const ProtocolDescription& protocol : protocol_descriptions())
    if (protocol.name == name)
      return Described{fmt::format("{} ({})\n  {}\n  Reference: {}.\n", protocol.name, protocol.form,
                                   protocol.summary, protocol.reference),
                       {{"name", protocol.name},
                        {"kind", "protocol"},
                        {"form", protocol.form},
                        {"summary", protocol.summary},
                        {"reference", protocol.reference}}};
  return std::nullopt;
}

std::optional<Described> describe_projection(const std::string& name) {
  for (const auto& kind : projection_kinds()) {
    const ProjectionDescription& description = kind->description();
    if (description.name != name) continue;
    const std::string largest = description.largest_size.empty() ? "any" : description.largest_size;
    Described described{
        fmt::format("{} (projection)\n  {}\n  Largest size q: {}.\n", name, description.summary, largest),
        {{"name", name},
         {"kind", "projection"},
         {"summary", description.summary},
         {"reference", description.reference},
         {"random", description.random},
         {"largest-size", largest}}};
    if (!description.parameter.empty()) {
      described.text += fmt::format("  Reads the parameter {}.\n", description.parameter);
      described.json["parameter"] = description.parameter;
    }
    if (!description.reference.empty())
      described.text += fmt::format("  Reference: {}.\n", description.reference);
    return described;
  }
  return std::nullopt;
}

std::optional<Described> describe_adaptive_projection(const std::string& name) {
  for (const AdaptiveProjectionDescription& kind : adaptive_projections())
    if (kind.name == name)
      return Described{
          fmt::format("{} (projection)\n  {}\n  Reference: {}.\n", name, kind.summary, kind.reference),
          {{"name", name}, {"kind", "projection"}, {"summary", kind.summary}, {"reference", kind.reference}}};
  return std::nullopt;
}

std::optional<Described> describe_loss(const std::string& name) {
  for (const auto& loss : losses()) {
    const LossDescription& about = loss->description();
    if (about.name != name) continue;
    const std::string outputs = about.labels && about.real ? "labels and real outputs"
                                : about.labels             ? "labels"
                                                           : "real outputs";
    return Described{fmt::format("{} (loss)\n  {}\n  {}\n  For {}. Reference: {}.\n", name, about.summary,
                                 about.formula, outputs, about.reference),
                     {{"name", name},
                      {"kind", "loss"},
                      {"summary", about.summary},
                      {"formula", about.formula},
                      {"reference", about.reference},
                      {"labels", about.labels},
                      {"real", about.real}}};
  }
  return std::nullopt;
}

std::optional<Described> describe_generator(const std::string& name) {
  const Generator* generator = find_generator(name);
  if (generator == nullptr) return std::nullopt;
  const GeneratorDescription& description = generator->description();
  return Described{fmt::format("{} (generated data, {})\n  {}\n  Reference: {}.\n{}", description.name,
                               task_name(description.task), description.summary, description.reference,
                               parameter_list(description.parameters)),
                   {{"name", description.name},
                    {"kind", "generator"},
                    {"summary", description.summary},
                    {"reference", description.reference},
                    {"task", task_name(description.task)},
                    {"parameters", parameters_json(description.parameters)}}};
}

std::optional<Described> describe_dataset(const std::string& name) {
  const auto entry = find_in_catalogue(name);
  if (!entry) return std::nullopt;
  Described described;
  described.text = fmt::format("{} (dataset of the catalogue, {})\n", entry->name, task_name(entry->task));
  described.json = {{"name", entry->name},
                    {"kind", "dataset"},
                    {"task", task_name(entry->task)},
                    {"format", entry->format}};
  std::vector<std::pair<std::string, std::string>> lines;
  for (const auto& [key, value] : entry->shape) lines.emplace_back("  " + key, fmt::format("{}", value));
  for (const auto& [key, value] :
       std::vector<std::pair<std::string, std::string>>{{"domain", entry->domain},
                                                        {"format", entry->format},
                                                        {"origin", entry->origin},
                                                        {"licence", entry->licence},
                                                        {"source", entry->source},
                                                        {"note", entry->note}})
    if (!value.empty()) {
      lines.emplace_back("  " + key, value);
      described.json[key] = value;
    }
  described.json["shape"] = entry->shape;
  described.text += two_columns(lines);
  return described;
}

std::optional<Described> describe_algorithm_named(const std::string& name) {
  const Algorithm* algorithm = Registry::instance().find(name);
  if (algorithm == nullptr) return std::nullopt;
  return Described{describe_algorithm(algorithm->description()),
                   describe_algorithm_json(algorithm->description())};
}

}  // namespace

void add_describe(CLI::App& app, Session& /*session*/) {
  struct DescribeArguments {
    std::string name;
    bool json = false;
  };
  CLI::App* verb = app.add_subcommand(
      "describe",
      "All there is to say about an algorithm, metric, dataset, generator, projection, loss or protocol");
  const auto options = std::make_shared<DescribeArguments>();
  verb->add_option("NAME", options->name, "As in 'coppice list'")->required();
  verb->add_flag("--json", options->json, "Machine-readable");
  verb->callback([options] {
    for (const auto describe :
         {describe_algorithm_named, describe_metric, describe_projection, describe_adaptive_projection,
          describe_loss, describe_generator, describe_dataset, describe_protocol})
      if (const auto described = describe(options->name))
        return options->json ? print_json(described->json) : print(described->text);
    std::vector<std::string> known = Registry::instance().names();
    for (const MetricDescription& metric : metric_descriptions()) known.push_back(metric.name);
    for (const std::string& name : known_dataset_names()) known.push_back(name);
    for (const auto& kind : projection_kinds()) known.push_back(kind->description().name);
    for (const AdaptiveProjectionDescription& kind : adaptive_projections()) known.push_back(kind.name);
    for (const std::string& name : loss_names()) known.push_back(name);
    for (const ProtocolDescription& protocol : protocol_descriptions()) known.push_back(protocol.name);
    throw Error(ErrorKind::usage,
                fmt::format("nothing is called '{}'{}; see 'coppice list algorithms' and the like",
                            options->name, did_you_mean(options->name, known)));
  });
}

}  // namespace coppice
