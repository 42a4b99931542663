#include <cstdlib>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "experiments/statistics/cd_diagram.h"
#include "experiments/statistics/compare_tables.h"
#include "experiments/tables/comparison_table.h"
#include "experiments/tables/joined_table.h"
#include "experiments/tables/pivot_table.h"
#include "experiments/tables/published_table.h"
#include "tests/experiments/data/temporary.h"
#include "tests/experiments/tables/example_results.h"

using namespace coppice;

TEST_CASE("LaTeX compiles every table and diagram, whatever the names") {
  if (std::system(
          "command -v pdflatex > /dev/null 2>&1 && kpsewhich tikz.sty booktabs.sty > /dev/null 2>&1") != 0) {
    MESSAGE("skipped: pdflatex with booktabs and tikz is not installed");
    return;
  }
  ExampleResults example({"[x] \\ {y} $5 ^~#", "a_b & 100%", "plain", "\"quoted\" <tag> |", "naïve café"},
                         {"random_forest", "50% & more", "c#", "-0.5 {x}"});
  Stream noise(3);
  for (const std::string& dataset : example.results.datasets)
    for (const std::string& algorithm : example.results.algorithms)
      example.repeats(dataset, algorithm, {-noise.uniform(), noise.uniform(), noise.uniform()});
  example.results.algorithms.push_back("late");
  example.hole("plain", "late", 0, 0, "failed: 100% of memory_used");
  const Metric& metric = example.results.metrics[0];
  example.results.algorithm_details = {{"c#", "c", {{"trees_k", "#"}}},
                                       {"-0.5 {x}", "c", {{"trees_k", "x_2"}}}};
  example.results.published = {{metric.name, "plain", "c#", 0.5, 0.1},
                               {metric.name, "plain", "none", 0.5, {}}};
  example.results.published_source = "Somebody & others, Table 5 %";
  const Comparison comparison = compare_algorithms(example.results, metric);
  std::string document =
      "\\documentclass{article}\n\\usepackage{booktabs,tikz}\n\\begin{document}\n"
      "\\resizebox{\\textwidth}{!}{\\begin{minipage}{3\\textwidth}\n";
  // Floats have no place in a box.
  std::string tables =
      render_latex(comparison_table(example.results, metric, {.baseline = "c#"})) +
      render_latex(comparison_table(example.results, metric, {.rows = TableRows::algorithms})) +
      render_latex(joined_table(example.results, {metric, metric})) +
      render_latex(pivot_table(example.results, metric, "trees_k")) +
      render_latex(*published_table(example.results, metric)) +
      render_comparison(comparison, TableFormat::latex);
  for (const std::string environment : {"\\begin{table}", "\\end{table}"})
    for (std::size_t at = tables.find(environment); at != std::string::npos; at = tables.find(environment))
      tables.erase(at, environment.size());
  for (std::size_t at = tables.find("\\caption{"); at != std::string::npos; at = tables.find("\\caption{"))
    tables.replace(at, 9, "\\textit{");
  document += tables + cd_diagram_tikz(comparison) + "\\end{minipage}}\n\\end{document}\n";
  const TemporaryFolder folder;
  folder.write("tables.tex", document);
  const int code = std::system(
      fmt::format("cd {} && pdflatex -interaction=nonstopmode -halt-on-error tables.tex > log.txt 2>&1 || "
                  "{{ grep -A3 '^!' log.txt; false; }}",
                  folder.path().string())
          .c_str());
  CHECK(code == 0);
  CHECK(std::filesystem::file_size(folder.path() / "tables.pdf") > 1000);
}
