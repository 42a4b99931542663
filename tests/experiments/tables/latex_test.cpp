#include <cstdlib>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "experiments/statistics/cd_diagram.h"
#include "experiments/statistics/compare_tables.h"
#include "experiments/tables/comparison_table.h"
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
  const Comparison comparison = compare_algorithms(example.results, metric);
  std::string document =
      "\\documentclass{article}\n\\usepackage{booktabs,tikz}\n\\begin{document}\n"
      "\\resizebox{\\textwidth}{!}{\\begin{minipage}{3\\textwidth}\n";
  // Floats have no place in a box.
  std::string tables =
      render_latex(comparison_table(example.results, metric, {.baseline = "c#"})) +
      render_latex(comparison_table(example.results, metric, {.rows = TableRows::algorithms})) +
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
