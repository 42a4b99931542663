#include "experiments/statistics/compare.h"

#include <memory>

#include <fmt/format.h>

#include "experiments/results/combine.h"
#include "experiments/results/select.h"
#include "experiments/run.h"
#include "experiments/statistics/cd_diagram.h"
#include "experiments/statistics/compare_tables.h"
#include "experiments/store/files.h"
#include "experiments/store/result_folder.h"
#include "tools/chosen_metrics.h"
#include "tools/cli.h"

namespace coppice {

namespace {

struct CompareArguments {
  std::vector<std::string> folders;
  std::vector<std::string> metrics;
  std::string format = "text";
  std::string baseline;
  double alpha = default_alpha;
  std::string only;
  std::vector<std::string> tables;
  std::string zeros = "drop";
  std::optional<double> rope;
  std::string diagram;
  bool json = false;
};

void write_diagram(const Comparison& comparison, const std::string& file) {
  if (file.ends_with(".svg")) return write_atomically(file, cd_diagram_svg(comparison, PictureUse::file));
  if (file.ends_with(".tex") || file.ends_with(".tikz"))
    return write_atomically(file, cd_diagram_tikz(comparison));
  throw Error(ErrorKind::usage,
              fmt::format("--diagram {}: expected a name that ends in .svg, .tex or .tikz", file));
}

/// One for each metric. Where the user did not name them, those that cannot be compared are told and left
/// out, unless that is all of them.
std::vector<Comparison> compare_all(const ResultSet& results, const std::vector<Metric>& metrics,
                                    const CompareOptions& options, bool named) {
  std::vector<Comparison> comparisons;
  std::vector<std::string> reasons;
  for (const Metric& metric : metrics) {
    try {
      comparisons.push_back(compare_algorithms(results, metric, options));
    } catch (const Error& error) {
      if (named) throw;
      reasons.push_back(error.message());
    }
  }
  if (comparisons.empty()) throw Error(ErrorKind::usage, reasons[0]);
  for (const std::string& reason : reasons) fmt::print(stderr, "left out: {}\n", reason);
  return comparisons;
}

void show(const CompareArguments& options) {
  const TableFormat format = parse_table_format(options.format);
  check_alpha(options.alpha);
  if (options.rope && !(*options.rope >= 0.0))
    throw Error(ErrorKind::usage,
                fmt::format("--rope: expected a difference of 0 or more, found {}", *options.rope));
  std::vector<ResultSet> parts;
  for (const std::string& folder : options.folders) parts.push_back(load_results(folder));
  ResultSet results = combine(parts);
  const TrialSelection selection = TrialSelection::parse(options.only);
  select_results(results, selection.datasets, selection.algorithms);
  CompareOptions compare;
  compare.zeros = parse_zero_handling(options.zeros);
  compare.rope = options.rope;
  compare.alpha = options.alpha;
  if (!options.baseline.empty()) compare.baseline = options.baseline;
  const std::vector<Metric> metrics = chosen_metrics(options.metrics, results);
  if (!options.diagram.empty() && metrics.size() != 1)
    throw Error(ErrorKind::usage, "--diagram draws one metric; name it with --metric");
  const std::vector<Comparison> comparisons =
      compare_all(results, metrics, compare, !options.metrics.empty());
  if (!options.diagram.empty()) write_diagram(comparisons[0], options.diagram);
  if (options.json) {
    nlohmann::ordered_json all = nlohmann::json::array();
    for (const Comparison& comparison : comparisons) all.push_back(comparison.json());
    return print_json(all);
  }
  std::string text;
  for (const Comparison& comparison : comparisons)
    text +=
        (text.empty() ? "" : "\n") + render_comparison(comparison, format, stdout_layout(), options.tables);
  print(text);
}

}  // namespace

void add_compare(CLI::App& app, Session& /*session*/) {
  CLI::App* verb = app.add_subcommand(
      "compare", "Test which algorithms differ: Friedman, Nemenyi, Wilcoxon, t-tests, Bayesian signed-rank");
  const auto options = std::make_shared<CompareArguments>();
  verb->add_option("DIR", options->folders, "Folders that 'coppice run' wrote")->required();
  verb->add_option("--metric", options->metrics, "All scores by default")->allow_extra_args(false);
  verb->add_option("--format", options->format, "text, markdown, csv, latex or html");
  verb->add_option("--baseline", options->baseline, "Compare the others with this algorithm only");
  verb->add_option("--alpha", options->alpha, "Level of significance; 0.05 by default");
  verb->add_option("--only", options->only,
                   "Compare a part: dataset=NAME,algorithm=ID, each as often as wanted");
  verb->add_option(
          "--table", options->tables,
          "Print this table: ranks, wilcoxon, pairs or datasets (t-tests on each); as often as wanted")
      ->allow_extra_args(false);
  verb->add_option("--zeros", options->zeros,
                   "What the Wilcoxon test does with pairs without a difference: drop, pratt or split");
  verb->add_option("--rope", options->rope,
                   "The largest difference that means nothing in practice, for the Bayesian test");
  verb->add_option("--diagram", options->diagram,
                   "Write the critical-difference diagram of the metric: .svg, or .tex for TikZ");
  verb->add_flag("--json", options->json, "Machine-readable");
  verb->callback([options] { show(*options); });
}

}  // namespace coppice
