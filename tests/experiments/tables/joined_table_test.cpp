#include "experiments/tables/joined_table.h"

#include <doctest/doctest.h>

#include "tests/experiments/tables/example_results.h"

using namespace coppice;

namespace {

ExampleResults two_metrics(const std::vector<std::string>& datasets) {
  ExampleResults example(datasets, {"x", "y"}, {example_metric("lrap"), example_metric("loss", false)});
  for (const std::string& dataset : datasets)
    for (const int repeat : {0, 1}) {
      example.trial_metric("lrap", dataset, "x", repeat, 0, 0.5 + 0.1 * repeat);
      example.trial_metric("lrap", dataset, "y", repeat, 0, 0.7 + 0.1 * repeat);
      example.trial_metric("loss", dataset, "x", repeat, 0, 0.1 + 0.01 * repeat);
      example.trial_metric("loss", dataset, "y", repeat, 0, 0.2 + 0.01 * repeat);
    }
  return example;
}

}  // namespace

TEST_CASE("several metrics make one table, average ranks at its end") {
  const ExampleResults example = two_metrics({"a", "b"});
  const Table table = joined_table(example.results, example.results.metrics);
  std::vector<std::string> rows;
  for (const TableHeader& row : table.rows) rows.push_back(row.text);
  CHECK(rows == std::vector<std::string>{"lrap, a", "lrap, b", "loss, a", "loss, b", "lrap, average rank",
                                         "loss, average rank"});
  CHECK(table.rows[4].apart);
  CHECK_FALSE(table.rows[5].apart);
  CHECK(table.cells[0][1].emphasis == Emphasis::best);
  CHECK(table.cells[2][0].emphasis == Emphasis::best);
  CHECK(table.cells[5][0].text == "1.0");
  CHECK(table.title == "mean ± std (rank); what is better: lrap (higher), loss (lower)");
  const Table turned =
      joined_table(example.results, example.results.metrics, {.rows = TableRows::algorithms});
  CHECK(turned.rows[1].text == "y");
  CHECK(turned.cells[1][0].text == table.cells[0][1].text);
}

TEST_CASE("with one dataset the rows are the metrics") {
  const ExampleResults example = two_metrics({"a"});
  const Table table = joined_table(example.results, example.results.metrics, {.ranks = false});
  REQUIRE(table.rows.size() == 2);
  CHECK(table.rows[1].text == "loss");
  CHECK(table.row_kind == "metric");
  CHECK(table.title == "a, mean ± std; what is better: lrap (higher), loss (lower)");
}
