#include "experiments/statistics/compare.h"

#include <memory>

#include <fmt/format.h>

#include "experiments/results/combine.h"
#include "experiments/statistics/cd_diagram.h"
#include "experiments/statistics/compare_tables.h"
#include "experiments/store/files.h"
#include "experiments/store/result_folder.h"
#include "tools/chosen_metrics.h"
#include "tools/cli.h"

namespace coppice {

namespace {

struct Options {
  std::vector<std::string> folders;
  std::vector<std::string> metrics;
  std::string format = "text";
  std::string baseline;
  double alpha = 0.05;
  std::string diagram;
  bool json = false;
};

void write_diagram(const Comparison& comparison, const std::string& file) {
  if (file.ends_with(".svg")) return write_atomically(file, cd_diagram_svg(comparison));
  if (file.ends_with(".tex") || file.ends_with(".tikz"))
    return write_atomically(file, cd_diagram_tikz(comparison));
  throw Error(ErrorKind::usage,
              fmt::format("--diagram {}: expected a name that ends in .svg, .tex or .tikz", file));
}

void show(const Options& options) {
  const TableFormat format = parse_table_format(options.format);
  if (!(options.alpha > 0.0) || !(options.alpha < 1.0))
    throw Error(ErrorKind::usage,
                fmt::format("--alpha: expected a level between 0 and 1, found {}", options.alpha));
  std::vector<ResultSet> parts;
  for (const std::string& folder : options.folders) parts.push_back(load_results(folder));
  const ResultSet results = combine(parts);
  CompareOptions compare;
  compare.alpha = options.alpha;
  if (!options.baseline.empty()) compare.baseline = options.baseline;
  const std::vector<Metric> metrics = chosen_metrics(options.metrics, results);
  if (!options.diagram.empty() && metrics.size() != 1)
    throw Error(ErrorKind::usage, "--diagram draws one metric; name it with --metric");
  nlohmann::ordered_json all = nlohmann::json::array();
  std::string text;
  for (const Metric& metric : metrics) {
    const Comparison comparison = compare_algorithms(results, metric, compare);
    if (options.json)
      all.push_back(comparison.json());
    else
      text += (text.empty() ? "" : "\n") + render_comparison(comparison, format, stdout_layout());
    if (!options.diagram.empty()) write_diagram(comparison, options.diagram);
  }
  if (options.json)
    print_json(all);
  else
    print(text);
}

}  // namespace

void add_compare(CLI::App& app, Session& /*session*/) {
  CLI::App* verb = app.add_subcommand(
      "compare", "Test which algorithms differ: Friedman, Nemenyi, Wilcoxon, t-tests, Bayesian signed-rank");
  const auto options = std::make_shared<Options>();
  verb->add_option("DIR", options->folders, "Folders that 'coppice run' wrote")->required();
  verb->add_option("--metric", options->metrics, "All scores by default")->allow_extra_args(false);
  verb->add_option("--format", options->format, "text, markdown, csv, latex or html");
  verb->add_option("--baseline", options->baseline, "Compare the others with this algorithm only");
  verb->add_option("--alpha", options->alpha, "Level of significance; 0.05 by default");
  verb->add_option("--diagram", options->diagram,
                   "Write the critical-difference diagram of the metric: .svg, or .tex for TikZ");
  verb->add_flag("--json", options->json, "Machine-readable");
  verb->callback([options] { show(*options); });
}

}  // namespace coppice
