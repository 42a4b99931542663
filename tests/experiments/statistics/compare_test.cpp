#include "experiments/statistics/compare.h"

#include <algorithm>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "core/base/error.h"
#include "experiments/statistics/cd_diagram.h"
#include "experiments/statistics/compare_tables.h"
#include "tests/experiments/tables/example_results.h"

using namespace coppice;
using doctest::Approx;

namespace {

/// `count` datasets; algorithm i is 0.1 i better than the first on each of them, but for a little noise.
ExampleResults staircase(int count, const std::vector<std::string>& algorithms, int repeats = 3) {
  std::vector<std::string> datasets;
  for (int i = 0; i < count; ++i) datasets.push_back(fmt::format("d{}", i));
  ExampleResults example(datasets, algorithms);
  Stream noise(7);
  for (const std::string& dataset : datasets)
    for (std::size_t i = 0; i < algorithms.size(); ++i)
      for (int repeat = 0; repeat < repeats; ++repeat)
        example.trial(dataset, algorithms[i], repeat, 0,
                      0.3 + 0.1 * static_cast<double>(i) + 0.01 * noise.uniform());
  return example;
}

Comparison compared(const ExampleResults& example, const CompareOptions& options = {}) {
  return compare_algorithms(example.results, example.results.metrics[0], options);
}

bool warns(const Comparison& comparison, const std::string& part) {
  return std::any_of(comparison.warnings.begin(), comparison.warnings.end(),
                     [&](const std::string& warning) { return warning.find(part) != std::string::npos; });
}

}  // namespace

TEST_CASE("a clear order is found by every test") {
  const Comparison comparison = compared(staircase(12, {"low", "middle", "high"}));
  CHECK(comparison.datasets.size() == 12);
  CHECK(comparison.friedman->average_ranks == std::vector<double>{3, 2, 1});
  CHECK(comparison.nemenyi->bars.empty());
  REQUIRE(comparison.pairs.size() == 3);
  const PairComparison& pair = comparison.pairs[1];
  CHECK(comparison.algorithms[pair.first] == "low");
  CHECK(comparison.algorithms[pair.second] == "high");
  CHECK(pair.second_wins == 12);
  CHECK(pair.wilcoxon.p == Approx(2.0 / 4096));
  CHECK(pair.holm == Approx(6.0 / 4096));
  CHECK(pair.wilcoxon.rank_biserial == -1.0);
  CHECK(pair.student.p < 1e-10);
  CHECK(pair.bayesian->second_better > 0.999);
  CHECK(comparison.rope == 0.01);
  CHECK(comparison.warnings.size() == 1);
  CHECK(warns(comparison, "not known whether trials on one dataset share rows"));
}

TEST_CASE("the direction of the metric turns wins and posterior around") {
  ExampleResults example = staircase(12, {"low", "high"});
  example.results.metrics = {example_metric("score", false)};
  const Comparison comparison = compared(example);
  CHECK(comparison.pairs[0].first_wins == 12);
  CHECK(comparison.pairs[0].bayesian->first_better > 0.999);
  CHECK(comparison.friedman->average_ranks == std::vector<double>{1, 2});
}

TEST_CASE("with a baseline only pairs with it are compared") {
  CompareOptions options;
  options.baseline = "middle";
  const Comparison comparison = compared(staircase(12, {"low", "middle", "high"}), options);
  REQUIRE(comparison.pairs.size() == 2);
  for (const PairComparison& pair : comparison.pairs) CHECK(comparison.algorithms[pair.second] == "middle");
  options.baseline = "midle";
  CHECK_THROWS_WITH_AS(compared(staircase(12, {"low", "middle"}), options),
                       "there is no algorithm 'midle' to compare with; did you mean middle?", Error);
}

TEST_CASE("a pair's figures do not depend on which others are compared") {
  const Comparison two = compared(staircase(9, {"low", "middle"}));
  ExampleResults example = staircase(9, {"low", "middle", "high"});
  example.results.algorithms.pop_back();
  const Comparison cut = compared(example);
  CHECK(two.pairs[0].bayesian->equal == compared(staircase(9, {"low", "middle"})).pairs[0].bayesian->equal);
  CHECK(cut.pairs.size() == 1);
}

TEST_CASE("incomplete datasets are left out and said so") {
  ExampleResults example = staircase(8, {"low", "high"});
  example.results.rows.pop_back();
  const Comparison comparison = compared(example);
  CHECK(comparison.datasets.size() == 7);
  CHECK(warns(comparison, "left out, as not every algorithm has all its trials there: d7"));
  ExampleResults absent = staircase(8, {"low", "high"});
  absent.results.algorithms.push_back("absent");
  CHECK(warns(compared(absent), "left out, as they have all trials on no dataset: absent"));
}

TEST_CASE("few datasets are warned of") {
  const Comparison three = compared(staircase(3, {"low", "high"}));
  CHECK(warns(three, "3 datasets are too few"));
  CHECK(warns(three, "the Wilcoxon test cannot give p below 0.25"));
  CHECK_FALSE(warns(compared(staircase(12, {"low", "high"})), "too few"));
  const Comparison one = compared(staircase(1, {"low", "high"}));
  CHECK(warns(one, "one dataset only"));
  CHECK_FALSE(one.friedman.has_value());
  CHECK(comparison_tables(one).size() == 1);
}

TEST_CASE("parts of the same data are not taken for datasets in silence") {
  ExampleResults example = staircase(3, {"low", "high"});
  DatasetDetail detail;
  for (const char* name : {"d0", "d1"}) {
    detail.name = name;
    detail.source = "yeast";
    detail.part = detail.name == "d1";
    example.results.dataset_details.push_back(detail);
  }
  CHECK(warns(compared(example), "parts of the same data (yeast)"));
  example.results.dataset_details[1].part = false;
  CHECK_FALSE(warns(compared(example), "parts of the same data"));
}

TEST_CASE("nothing to compare is an error") {
  CHECK_THROWS_AS(compared(staircase(3, {"alone"})), Error);
  ExampleResults empty({"d"}, {"x", "y"});
  CHECK_THROWS_AS(compared(empty), Error);
}

TEST_CASE("equivalent algorithms: the Friedman test says so and pairs are not to be relied on") {
  ExampleResults example = staircase(10, {"a", "b", "c"});
  Stream noise(3);
  for (ResultRow& row : example.results.rows) row.value = noise.uniform();
  const Comparison comparison = compared(example);
  CHECK(comparison.friedman->f_p > 0.05);
  CHECK(warns(comparison, "does not reject"));
  CHECK(comparison.nemenyi->bars.size() == 1);
}

TEST_CASE("resampled trials get the corrected t-test and a warning") {
  ExampleResults example = staircase(2, {"low", "high"}, 5);
  DatasetDetail detail;
  detail.name = "d0";
  detail.train = 90;
  detail.test = 10;
  detail.resampled = true;
  example.results.dataset_details.push_back(detail);
  detail.name = "d1";
  detail.resampled = false;
  example.results.dataset_details.push_back(detail);
  const Comparison comparison = compared(example);
  REQUIRE(comparison.on_datasets.size() == 2);
  const DatasetTest& resampled = comparison.on_datasets[0].test;
  REQUIRE(resampled.corrected.has_value());
  // Its variance is (1/5 + 1/9) / (1/5) times Student's.
  CHECK(resampled.student.t / resampled.corrected->t == Approx(std::sqrt(1.0 + 5.0 / 9.0)));
  CHECK_FALSE(comparison.on_datasets[1].test.corrected.has_value());
  CHECK(warns(comparison, "go by the corrected resampled t-test"));
  CHECK_FALSE(warns(comparison, "not known"));
}

TEST_CASE("cross-validation is known to be resampled by its folds") {
  ExampleResults example({"d"}, {"x", "y"});
  Stream noise(5);
  for (int fold = 0; fold < 10; ++fold)
    example.trial("d", "x", 0, fold, noise.uniform()).trial("d", "y", 0, fold, noise.uniform());
  const DatasetTest test = compared(example).on_datasets[0].test;
  CHECK(test.student.pairs == 10);
  CHECK(test.student.t / test.corrected->t == Approx(std::sqrt((1.0 / 10 + 1.0 / 9) / (1.0 / 10))));
}

TEST_CASE("tables of a comparison") {
  const Comparison comparison = compared(staircase(12, {"low", "high"}));
  const Table wilcoxon = wilcoxon_table(comparison);
  CHECK(wilcoxon.cells[0][1].text == "0.00049 (<)");
  CHECK(wilcoxon.cells[1][0].text == "0.00049 (>)");
  CHECK(wilcoxon.cells[0][1].emphasis == Emphasis::best);
  CHECK(wilcoxon.cells[0][0].text.empty());
  const Table ranks = rank_summary_table(comparison);
  CHECK(ranks.rows[0].text == "high");
  CHECK(ranks.cells[0][0].text == "1.00");
  const Table pairs = pair_table(comparison);
  CHECK(pairs.cells[0][0].text == "0/0/12");
  CHECK(pairs.cells[0].size() == pairs.columns.size());
  const std::string text = render_comparison(comparison, TableFormat::text, {.width = 80});
  CHECK(text.find("Friedman over 12 datasets: χ²(1) = 12, p = 0.00053") != std::string::npos);
  CHECK(text.find("warning: it is not known") != std::string::npos);
  CHECK(render_comparison(comparison, TableFormat::latex).find("\n% warning: it is not known") !=
        std::string::npos);
  CHECK(
      render_comparison(comparison, TableFormat::csv).starts_with("algorithm,average rank,not told apart\n"));
}

TEST_CASE("the tables of a comparison can be chosen") {
  const Comparison comparison = compared(staircase(12, {"low", "high"}));
  CHECK(comparison_tables(comparison).size() == 3);
  const std::vector<Table> chosen = comparison_tables(comparison, {"datasets", "ranks"});
  REQUIRE(chosen.size() == 2);
  CHECK(chosen[0].rows.size() == 12);
  CHECK(chosen[1].rows[0].text == "high");
  CHECK_THROWS_WITH_AS(comparison_tables(comparison, {"rank"}),
                       "a comparison has no table 'rank'; did you mean ranks?", Error);
  CHECK_THROWS_AS(comparison_tables(compared(staircase(1, {"x", "y"})), {"ranks"}), Error);
  CHECK(parse_zero_handling("pratt") == ZeroHandling::pratt);
  CHECK_THROWS_WITH_AS(parse_zero_handling("prat"),
                       "pairs without a difference cannot be handled by 'prat'; did you mean pratt?", Error);
}

TEST_CASE("letters mark algorithms that are not told apart") {
  ExampleResults example = staircase(6, {"a", "b", "c", "d", "e"});
  const Comparison comparison = compared(example);
  REQUIRE(comparison.nemenyi->bars == std::vector<RankBar>{{0, 2}, {1, 3}, {2, 4}});
  CHECK(warns(comparison, "overlap"));
  const Table ranks = rank_summary_table(comparison);
  CHECK(ranks.cells[0][1].text == "a");
  CHECK(ranks.cells[2][1].text == "abc");
  CHECK(ranks.cells[4][1].text == "c");
}

TEST_CASE("json of a comparison") {
  const auto object = compared(staircase(12, {"low", "high"})).json();
  CHECK(object["friedman"]["chi_square"] == Approx(12.0));
  CHECK(object["friedman"]["f"].is_null());
  CHECK(object["pairs"][0]["wilcoxon"]["exact"] == true);
  CHECK(object["pairs"][0]["second_wins"] == 12);
  CHECK(object["on_datasets"].size() == 12);
  CHECK(object["warnings"].size() == 1);
}

TEST_CASE("critical-difference diagrams name every algorithm and escape it") {
  const Comparison comparison = compared(staircase(6, {"<script>", "b_%", "c", "d", "e"}));
  const std::string svg = cd_diagram_svg(comparison, PictureUse::in_page);
  CHECK(svg.find("<rect") == std::string::npos);
  CHECK(cd_diagram_svg(comparison, PictureUse::file).find("fill=\"white\"") != std::string::npos);
  CHECK(svg.find("<script>") == std::string::npos);
  CHECK(svg.find("&lt;script&gt; (5.00)") != std::string::npos);
  CHECK(svg.find("critical difference 2.49") != std::string::npos);
  const std::string tikz = cd_diagram_tikz(comparison);
  CHECK(tikz.find("b\\_\\% (4.00)") != std::string::npos);
  // Three bars, each thicker than any other line.
  std::size_t bars = 0;
  for (std::size_t at = svg.find("stroke-width=\"3.5\""); at != std::string::npos;
       at = svg.find("stroke-width=\"3.5\"", at + 1))
    ++bars;
  CHECK(bars == 3);
  CHECK_THROWS_AS(cd_diagram_svg(compared(staircase(1, {"x", "y"})), PictureUse::file), Error);
}
