#include "experiments/tables/comparison_table.h"

#include <limits>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "core/base/error.h"
#include "tests/experiments/tables/example_results.h"

using namespace coppice;

namespace {
ExampleResults quickstart() {
  ExampleResults example({"friedman1-chain", "friedman1-ind"}, {"constant", "RF", "ET"},
                         {example_metric("r2-macro")});
  example.repeats("friedman1-chain", "constant", {-0.001, -0.007})
      .repeats("friedman1-chain", "RF", {0.604, 0.620})
      .repeats("friedman1-chain", "ET", {0.628, 0.640})
      .repeats("friedman1-ind", "constant", {-0.002, -0.004})
      .repeats("friedman1-ind", "RF", {0.31, 0.35})
      .repeats("friedman1-ind", "ET", {0.31, 0.35});
  return example;
}

Table table_of(const ExampleResults& example, const ComparisonOptions& options = {}) {
  return comparison_table(example.results, example.results.metrics[0], options);
}

std::vector<std::string> texts(const std::vector<TableCell>& cells) {
  std::vector<std::string> result;
  for (const TableCell& cell : cells) result.push_back(cell.text);
  return result;
}
}  // namespace

TEST_CASE("a comparison shows mean ± std and rank, and the average rank below") {
  const Table table = table_of(quickstart());
  CHECK(table.title == "r2-macro, mean ± std over 2 repeats (rank), higher is better");
  REQUIRE(table.rows.size() == 3);
  CHECK(texts(table.cells[0]) ==
        std::vector<std::string>{"-0.004 ± 0.004 (3)", "0.612 ± 0.011 (2)", "0.634 ± 0.008 (1)"});
  CHECK(texts(table.cells[1]) ==
        std::vector<std::string>{"-0.003 ± 0.001 (3)", "0.330 ± 0.028 (1.5)", "0.330 ± 0.028 (1.5)"});
  CHECK(table.rows[2].text == "average rank");
  CHECK(table.rows[2].apart);
  CHECK(texts(table.cells[2]) == std::vector<std::string>{"3.0", "1.8", "1.2"});
  CHECK(table.notes.empty());
}

TEST_CASE("the best is marked, all of them on a tie, and then nothing is second") {
  const Table table = table_of(quickstart());
  CHECK(table.cells[0][2].emphasis == Emphasis::best);
  CHECK(table.cells[0][1].emphasis == Emphasis::second);
  CHECK(table.cells[0][0].emphasis == Emphasis::none);
  CHECK(table.cells[1][1].emphasis == Emphasis::best);
  CHECK(table.cells[1][2].emphasis == Emphasis::best);
  CHECK(table.cells[1][0].emphasis == Emphasis::none);
}

TEST_CASE("the direction is the metric's") {
  ExampleResults example({"a"}, {"x", "y"}, {example_metric("loss", false)});
  example.repeats("a", "x", {0.1, 0.2}).repeats("a", "y", {0.3, 0.4});
  const Table table = table_of(example);
  CHECK(table.cells[0][0].emphasis == Emphasis::best);
  CHECK(*table.cells[0][0].numbers->rank == 1.0);
  CHECK(table.title == "loss, mean ± std over 2 repeats (rank), lower is better");
}

TEST_CASE("holes are marked, explained and keep the algorithm out of the ranks") {
  ExampleResults example = quickstart();
  example.results.algorithms.push_back("GB");
  example.results.algorithms.push_back("late");
  example.repeats("friedman1-chain", "GB", {0.9});
  example.hole("friedman1-chain", "GB", 1, 0, "failed: out of memory");
  example.repeats("friedman1-ind", "GB", {0.1, 0.2});
  for (const int repeat : {0, 1})
    for (const char* dataset : {"friedman1-chain", "friedman1-ind"})
      example.hole(dataset, "late", repeat, 0, "missing");
  const Table table = table_of(example);
  CHECK(table.cells[0][3].text == "0.900 †");
  CHECK(table.cells[0][3].emphasis == Emphasis::none);
  CHECK(table.cells[0][2].text == "0.634 ± 0.008 (1)");
  CHECK(table.cells[1][3].text == "0.150 ± 0.071 (3)");
  CHECK(table.cells[0][4].text == "—");
  CHECK(texts(table.cells[2]) == std::vector<std::string>{"4.0", "1.5", "1.5", "3.0", "—"});
  REQUIRE(table.notes.size() == 2);
  CHECK(table.notes[0] ==
        "† not all trials: GB on friedman1-chain: 1 failed: out of memory, not ranked; late on "
        "friedman1-chain: 2 missing; late on friedman1-ind: 2 missing");
  CHECK(table.notes[1] ==
        "The average rank leaves out friedman1-chain, where not every algorithm is ranked.");
}

TEST_CASE("a long list of holes is cut short with its number") {
  std::vector<std::string> datasets;
  for (int i = 0; i < 20; ++i) datasets.push_back(fmt::format("d{}", i));
  ExampleResults example(datasets, {"x"});
  for (const std::string& dataset : datasets) example.hole(dataset, "x", 0, 0, "missing");
  const Table table = table_of(example);
  REQUIRE_FALSE(table.notes.empty());
  CHECK(table.notes[0].ends_with("x on d7: 1 missing; and 12 more"));
  CHECK(table.title == "score, one trial each (rank), higher is better");
}

TEST_CASE("datasets that the metric does not apply to are left out and named") {
  ExampleResults example({"labels", "numbers"}, {"x", "y"},
                         {example_metric("lrap"), example_metric("mse", false)});
  example.repeats("labels", "x", {0.5, 0.6}).repeats("labels", "y", {0.5, 0.7});
  example.trial_metric("mse", "numbers", "x", 0, 0, 3.0).trial_metric("mse", "numbers", "y", 0, 0, 4.0);
  const Table table = table_of(example);
  CHECK(table.rows[0].text == "labels");
  CHECK(table.rows[1].text == "average rank");
  CHECK(table.notes == std::vector<std::string>{"Not shown, lrap does not apply: numbers."});
}

TEST_CASE("algorithms as rows are the same table turned") {
  const Table turned = table_of(quickstart(), {.rows = TableRows::algorithms});
  const Table table = table_of(quickstart());
  REQUIRE(turned.rows.size() == 3);
  CHECK(turned.row_kind == "algorithm");
  CHECK(turned.columns[2].text == "average rank");
  CHECK(turned.columns[2].apart);
  for (std::size_t row = 0; row < 3; ++row)
    for (std::size_t column = 0; column < 3; ++column)
      CHECK(turned.cells[row][column].text == table.cells[column][row].text);
}

TEST_CASE("without ranks there is nothing about them") {
  const Table table = table_of(quickstart(), {.ranks = false});
  CHECK(table.rows.size() == 2);
  CHECK(table.title == "r2-macro, mean ± std over 2 repeats, higher is better");
  CHECK(table.cells[0][2].text == "0.634 ± 0.008");
  CHECK(table.cells[0][2].emphasis == Emphasis::best);
}

TEST_CASE("what differs from a baseline beyond chance is marked") {
  ExampleResults example({"a"}, {"base", "better", "worse", "same"}, {example_metric("score")});
  example.repeats("a", "base", {0.50, 0.51, 0.52, 0.53})
      .repeats("a", "better", {0.60, 0.61, 0.63, 0.64})
      .repeats("a", "worse", {0.40, 0.41, 0.43, 0.44})
      .repeats("a", "same", {0.51, 0.50, 0.53, 0.52});
  const Table table = table_of(example, {.baseline = "base"});
  CHECK(table.cells[0][0].text == "0.515 ± 0.013 (2.5)");
  CHECK(table.cells[0][1].text == "0.620 ± 0.018 • (1)");
  CHECK(table.cells[0][2].text == "0.420 ± 0.018 ∘ (4)");
  CHECK(table.cells[0][3].text == "0.515 ± 0.013 (2.5)");
  CHECK(table.notes ==
        std::vector<std::string>{
            "•, ∘ better, worse than base on that dataset: paired t-test, two-sided p at most 0.05."});
  example.results.metrics = {example_metric("score", false)};
  CHECK(table_of(example, {.baseline = "base"}).cells[0][2].text == "0.420 ± 0.018 • (1)");
  CHECK_THROWS_AS(table_of(example, {.baseline = "bse"}), Error);
}

TEST_CASE("wrong names are refused with the nearest right one") {
  CHECK_THROWS_WITH_AS(parse_table_rows("dataset"),
                       "the rows of a table cannot be 'dataset'; did you mean datasets?", Error);
  CHECK(parse_table_rows("algorithms") == TableRows::algorithms);
  CHECK_THROWS_AS(parse_table_format("latx"), Error);
  CHECK(parse_table_format("latex") == TableFormat::latex);
}
