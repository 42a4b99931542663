#include <memory>

#include <fmt/format.h>

#include "core/metrics/metric.h"
#include "tools/cli.h"
#include "tools/saved_model.h"
#include "tools/single_dataset.h"

namespace coppice {

namespace {

struct EvaluateArguments {
  std::string model;
  SingleDataset dataset;
  std::vector<std::string> metrics;
  bool json = false;
};

std::vector<Metric> chosen_metrics(const EvaluateArguments& options, const Dataset& dataset) {
  std::vector<Metric> metrics;
  for (const std::string& name : options.metrics) metrics.push_back(parse_metric(name));
  if (!metrics.empty()) return metrics;
  for (const MetricDescription& description : metric_descriptions()) {
    if (!description.from_predictions()) continue;
    const bool family = description.name.ends_with("@K");
    const Metric metric = parse_metric(family ? description.name.substr(0, description.name.size() - 1) + "1"
                                              : description.name);
    if (metric.applies_to(dataset.task())) metrics.push_back(metric);
  }
  return metrics;
}

void evaluate(const EvaluateArguments& options) {
  const SavedModel saved = load_model(options.model);
  const auto dataset = suited_to(saved, options.dataset.load());
  const DatasetView rows = options.dataset.view(dataset);
  const std::vector<Metric> metrics = chosen_metrics(options, *dataset);
  catch_interrupts();
  Context context{Stream(options.dataset.seed), &stop_flag(), nullptr};
  context.best_labels = best_labels_of(metrics);
  const DatasetView train(dataset, dataset->given_split() ? dataset->given_split()->train
                                                          : Rows(rows.rows().begin(), rows.rows().end()));
  Scorer scorer(metrics, ScoringContext::of(train));
  rows.for_each_batch(
      [&](const DatasetView& batch) { scorer.add(batch, saved.model->predict(batch, context)); });
  const auto values = scorer.values();
  nlohmann::ordered_json json{{"model", options.model},
                              {"dataset", dataset->name()},
                              {"rows", rows.size()},
                              {"metrics", nlohmann::json::object()}};
  std::vector<std::pair<std::string, std::string>> lines;
  for (const Metric& metric : metrics) {
    lines.emplace_back(metric.name, fmt::format("{:.6g}", values.at(metric.name)));
    json["metrics"][metric.name] = values.at(metric.name);
  }
  if (options.json)
    print_json(json);
  else
    print(fmt::format("{} on {} rows of {}\n{}", saved.algorithm, rows.size(), dataset->name(),
                      two_columns(lines)));
}

}  // namespace

void add_evaluate(CLI::App& app, Session& /*session*/) {
  CLI::App* verb = app.add_subcommand("evaluate", "Score a saved model");
  const auto options = std::make_shared<EvaluateArguments>();
  verb->add_option("MODEL", options->model, "A file that 'coppice train' wrote")->required();
  options->dataset.add_to(*verb, "test");
  verb->add_option("--metric", options->metrics, "All that fit the task by default")->allow_extra_args(false);
  verb->add_flag("--json", options->json, "Machine-readable");
  verb->callback([options] { evaluate(*options); });
}

}  // namespace coppice
