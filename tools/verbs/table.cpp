#include <memory>

#include <fmt/format.h>

#include "experiments/store/result_folder.h"
#include "experiments/tables/comparison_table.h"
#include "experiments/tuning/chosen_table.h"
#include "tools/chosen_metrics.h"
#include "tools/cli.h"

namespace coppice {

namespace {

struct Options {
  std::string folder;
  std::vector<std::string> metrics;
  std::string format = "text";
  std::string rows = "datasets";
  bool chosen = false;
  bool json = false;
};

void show(const Options& options) {
  const TableFormat format = parse_table_format(options.format);
  if (options.chosen) {
    const Table table = chosen_table(options.folder);
    if (options.json)
      print_json(table.json());
    else
      print(render(table, format, stdout_layout()));
    return;
  }
  ComparisonOptions comparison;
  comparison.rows = parse_table_rows(options.rows);
  const ResultSet results = load_results(options.folder);
  const std::vector<Metric> metrics = chosen_metrics(options.metrics, results);
  if (options.json) {
    nlohmann::ordered_json tables = nlohmann::json::array();
    for (const Metric& metric : metrics)
      tables.push_back(comparison_table(results, metric, comparison).json());
    print_json(tables);
    return;
  }
  const TextLayout layout = stdout_layout();
  std::string text;
  for (const Metric& metric : metrics)
    text +=
        (text.empty() ? "" : "\n") + render(comparison_table(results, metric, comparison), format, layout);
  print(text);
}

}  // namespace

void add_table(CLI::App& app, Session& /*session*/) {
  CLI::App* verb = app.add_subcommand("table", "Print comparison tables of a results folder");
  const auto options = std::make_shared<Options>();
  verb->add_option("DIR", options->folder, "A folder that 'coppice run' wrote")->required();
  verb->add_option("--metric", options->metrics, "One table for each; all scores by default")
      ->allow_extra_args(false);
  verb->add_option("--format", options->format, "text, markdown, csv, latex or html");
  verb->add_option("--rows", options->rows, "datasets or algorithms");
  verb->add_flag("--chosen", options->chosen,
                 "What 'tune' chose, for every repeat and fold, instead of scores");
  verb->add_flag("--json", options->json, "Machine-readable");
  verb->callback([options] { show(*options); });
}

}  // namespace coppice
