#include <memory>

#include <fmt/format.h>

#include "experiments/results/select.h"
#include "experiments/run.h"
#include "experiments/store/result_folder.h"
#include "experiments/tables/comparison_table.h"
#include "experiments/tables/joined_table.h"
#include "experiments/tables/pivot_table.h"
#include "experiments/tables/published_table.h"
#include "experiments/tuning/chosen_table.h"
#include "tools/chosen_metrics.h"
#include "tools/cli.h"

namespace coppice {

namespace {

struct TableArguments {
  std::string folder;
  std::vector<std::string> metrics;
  std::string format = "text";
  std::string rows;
  std::string only;
  std::string pivot;
  std::string baseline;
  double alpha = default_alpha;
  bool chosen = false;
  bool joined = false;
  bool published = false;
  bool without_ranks = false;
  bool json = false;
};

ComparisonOptions comparison_options(const TableArguments& options) {
  ComparisonOptions comparison;
  if (!options.rows.empty()) comparison.rows = parse_table_rows(options.rows);
  comparison.ranks = !options.without_ranks;
  if (!options.baseline.empty()) comparison.baseline = options.baseline;
  comparison.alpha = options.alpha;
  return comparison;
}

void add_published(const ResultSet& results, const std::vector<Metric>& metrics, std::vector<Table>& tables) {
  for (const Metric& metric : metrics)
    if (auto table = published_table(results, metric)) tables.push_back(std::move(*table));
}

std::vector<Table> make_tables(const TableArguments& options, TableFormat format) {
  if (options.chosen) return {chosen_table(options.folder)};
  const ComparisonOptions comparison = comparison_options(options);
  ResultSet results = load_results(options.folder);
  const TrialSelection selection = TrialSelection::parse(options.only);
  select_results(results, selection.datasets, selection.algorithms);
  const std::vector<Metric> metrics = chosen_metrics(options.metrics, results);
  std::vector<Table> tables;
  if (options.published) {
    add_published(results, options.metrics.empty() ? results.metrics : metrics, tables);
    if (tables.empty())
      throw Error(ErrorKind::usage,
                  "nothing is published for these metrics: the config's 'expect' says what "
                  "a paper reports");
    return tables;
  }
  if (!options.pivot.empty()) {
    for (const Metric& metric : metrics)
      tables.push_back(pivot_table(results, metric, options.pivot, comparison.rows));
    return tables;
  }
  if (options.joined) {
    tables.push_back(joined_table(results, metrics, comparison));
  } else {
    for (const Metric& metric : metrics) tables.push_back(comparison_table(results, metric, comparison));
  }
  // For the eye they belong together; a file wants one kind of table.
  if (format == TableFormat::text && !options.json) add_published(results, metrics, tables);
  return tables;
}

void show(const TableArguments& options) {
  check_alpha(options.alpha);
  const TableFormat format = parse_table_format(options.format);
  const std::vector<Table> tables = make_tables(options, format);
  if (options.json) {
    nlohmann::ordered_json list = nlohmann::json::array();
    for (const Table& table : tables) list.push_back(table.json());
    print_json(list);
    return;
  }
  TextLayout layout = stdout_layout();
  layout.may_transpose = layout.may_transpose && options.rows.empty();
  std::string text;
  for (const Table& table : tables) text += (text.empty() ? "" : "\n") + render(table, format, layout);
  print(text);
}

}  // namespace

void add_table(CLI::App& app, Session& /*session*/) {
  CLI::App* verb = app.add_subcommand("table", "Print comparison tables of a results folder");
  const auto options = std::make_shared<TableArguments>();
  verb->add_option("DIR", options->folder, "A folder that 'coppice run' wrote, finished or not")->required();
  verb->add_option("--metric", options->metrics, "One table for each; all scores by default")
      ->allow_extra_args(false);
  verb->add_option("--format", options->format, "text, markdown, csv, latex or html");
  verb->add_option("--rows", options->rows, "datasets (the default) or algorithms");
  verb->add_option("--only", options->only,
                   "Show a part: dataset=NAME,algorithm=ID, each as often as wanted");
  verb->add_flag("--chosen", options->chosen,
                 "What 'tune' chose, for every repeat and fold, instead of scores");
  verb->add_flag("--joined", options->joined, "All metrics in one table");
  verb->add_option("--pivot", options->pivot,
                   "A swept parameter as columns, or as rows with '--rows algorithms'");
  verb->add_option("--baseline", options->baseline,
                   "Mark what is significantly better or worse than this algorithm");
  verb->add_option("--alpha", options->alpha, "Level of significance of the marks; 0.05 by default");
  verb->add_flag("--no-ranks", options->without_ranks, "Leave the ranks out");
  verb->add_flag("--published", options->published,
                 "Only the published values of the config's 'expect' beside ours, with a verdict");
  verb->add_flag("--json", options->json, "Machine-readable");
  verb->callback([options] { show(*options); });
}

}  // namespace coppice
