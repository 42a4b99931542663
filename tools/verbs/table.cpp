#include <fmt/format.h>

#include <memory>

#include "experiments/store/result_folder.h"
#include "experiments/tables/comparison_table.h"
#include "tools/cli.h"

namespace coppice {

namespace {

struct Options {
  std::string folder;
  std::vector<std::string> metrics;
  std::string format = "text";
  std::string rows = "datasets";
  bool json = false;
};

/// The metrics asked for, or all scores of the experiment: costs only by name.
std::vector<Metric> chosen_metrics(const Options& options, const ResultSet& results) {
  std::vector<Metric> chosen;
  std::string known;
  for (const Metric& metric : results.metrics) known += (known.empty() ? "" : ", ") + metric.name;
  for (const std::string& name : options.metrics) {
    const Metric metric = parse_metric(name);
    const bool there = std::any_of(results.metrics.begin(), results.metrics.end(), [&](const Metric& each) { return each.name == metric.name; });
    if (!there) throw Error(ErrorKind::usage, fmt::format("'{}' has no metric '{}'; it has {}", options.folder, name, known));
    chosen.push_back(metric);
  }
  if (!chosen.empty()) return chosen;
  for (const Metric& metric : results.metrics)
    if (!metric.description->cost) chosen.push_back(metric);
  return chosen.empty() ? results.metrics : chosen;
}

void show(const Options& options) {
  const TableFormat format = parse_table_format(options.format);
  ComparisonOptions comparison;
  comparison.rows = parse_table_rows(options.rows);
  const ResultSet results = load_results(options.folder);
  const std::vector<Metric> metrics = chosen_metrics(options, results);
  if (options.json) {
    nlohmann::ordered_json tables = nlohmann::json::array();
    for (const Metric& metric : metrics) tables.push_back(comparison_table(results, metric, comparison).json());
    print_json(tables);
    return;
  }
  TextLayout layout;
  layout.width = stdout_width();
  layout.ansi = stdout_is_terminal();
  std::string text;
  for (const Metric& metric : metrics) text += (text.empty() ? "" : "\n") + render(comparison_table(results, metric, comparison), format, layout);
  print(text);
}

}  // namespace

void add_table(CLI::App& app, Session& /*session*/) {
  CLI::App* verb = app.add_subcommand("table", "Print comparison tables of a results folder");
  const auto options = std::make_shared<Options>();
  verb->add_option("DIR", options->folder, "A folder that 'coppice run' wrote")->required();
  verb->add_option("--metric", options->metrics, "One table for each; all scores by default")->allow_extra_args(false);
  verb->add_option("--format", options->format, "text, markdown, csv, latex or html");
  verb->add_option("--rows", options->rows, "datasets or algorithms");
  verb->add_flag("--json", options->json, "Machine-readable");
  verb->callback([options] { show(*options); });
}

}  // namespace coppice
