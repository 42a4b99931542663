#include "experiments/tables/pivot_table.h"

#include <doctest/doctest.h>

#include "core/base/error.h"
#include "experiments/tables/published_table.h"
#include "tests/experiments/tables/example_results.h"

using namespace coppice;

namespace {

ExampleResults swept() {
  ExampleResults example({"a", "b"}, {"RF", "RO size=1 k=2", "RO size=10 k=2", "RO size=1 k=5"});
  const std::vector<double> shift{0.0, 0.1, 0.3, 0.2};
  for (const char* dataset : {"a", "b"})
    for (std::size_t i = 0; i < 4; ++i)
      example.repeats(dataset, example.results.algorithms[i], {0.50 + shift[i], 0.52 + shift[i]});
  example.results.algorithm_details = {{"RF", "RF", {}},
                                       {"RO size=1 k=2", "RO", {{"size", "1"}, {"k", "2"}}},
                                       {"RO size=10 k=2", "RO", {{"size", "10"}, {"k", "2"}}},
                                       {"RO size=1 k=5", "RO", {{"size", "1"}, {"k", "5"}}}};
  return example;
}

Table published_of(double ours_first, double ours_second, std::optional<double> deviation,
                   bool higher_is_better = true) {
  ExampleResults example({"a"}, {"x"}, {example_metric("score", higher_is_better)});
  example.repeats("a", "x", {ours_first, ours_second});
  example.results.published = {{"score", "a", "x", 0.5, deviation}, {"other", "a", "x", 0.7, {}}};
  example.results.published_source = "Somebody 2014, Table 1";
  return *published_table(example.results, example.results.metrics[0]);
}

}  // namespace

TEST_CASE("a swept parameter becomes columns") {
  const ExampleResults example = swept();
  const Table table = pivot_table(example.results, example.results.metrics[0], "size");
  REQUIRE(table.columns.size() == 3);
  CHECK(table.columns[0].text == "size=1");
  CHECK(table.columns[1].text == "size=10");
  CHECK(table.columns[2].text == "no size");
  REQUIRE(table.rows.size() == 6);
  CHECK(table.rows[0].text == "a, RO k=2");
  CHECK(table.cells[0][0].text == "0.610 ± 0.014");
  CHECK(table.cells[0][1].text == "0.810 ± 0.014");
  CHECK(table.cells[0][1].emphasis == Emphasis::best);
  CHECK(table.cells[0][2].text == "—");
  CHECK(table.rows[1].text == "a, RO k=5");
  CHECK(table.cells[1][1].text == "—");
  CHECK(table.cells[1][0].emphasis == Emphasis::none);
  CHECK(table.rows[2].text == "a, RF");
  CHECK(table.cells[2][2].text == "0.510 ± 0.014");
  const Table turned =
      pivot_table(example.results, example.results.metrics[0], "size", TableRows::algorithms);
  CHECK(turned.rows[1].text == "size=10");
  CHECK(turned.cells[1][0].text == "0.810 ± 0.014");
}

TEST_CASE("holes of a pivot table are marked") {
  ExampleResults example = swept();
  example.hole("a", "RO size=10 k=2", 2, 0, "missing");
  const Table table = pivot_table(example.results, example.results.metrics[0], "size");
  CHECK(table.cells[0][1].text == "0.810 ± 0.014 †");
  CHECK(table.notes == std::vector<std::string>{"—, †: some or all trials have no result."});
}

TEST_CASE("a parameter that nothing sweeps is refused") {
  const ExampleResults example = swept();
  CHECK_THROWS_WITH_AS(pivot_table(example.results, example.results.metrics[0], "sise"),
                       "no algorithm sweeps 'sise'; did you mean size?", Error);
  ExampleResults plain({"a"}, {"x"});
  CHECK_THROWS_WITH_AS(pivot_table(plain.results, plain.results.metrics[0], "size"),
                       "no algorithm sweeps 'size': there is no sweep in this experiment", Error);
}

TEST_CASE("ours beside published, with the distance in deviations and a verdict") {
  // Ours: 0.51 ± 0.0141; theirs 0.5 ± 0.01: 0.01 / √(0.0002 + 0.0001) = 0.577.
  const Table table = published_of(0.50, 0.52, 0.01);
  REQUIRE(table.rows.size() == 1);
  CHECK(table.rows[0].text == "a, x");
  CHECK(table.cells[0][0].text == "0.510 ± 0.014");
  CHECK(table.cells[0][1].text == "0.500 ± 0.010");
  CHECK(table.cells[0][2].text == "+0.010");
  CHECK(table.cells[0][3].text == "+0.6");
  CHECK(table.cells[0][4].text == "agrees");
  CHECK(*table.cells[0][0].numbers->mean == doctest::Approx(0.51));
  CHECK(table.notes[0] == "Published: Somebody 2014, Table 1.");
  CHECK(table.notes[2] == "Of 1 published: 1 \"agrees\".");
  CHECK(published_of(0.52, 0.54, 0.01).cells[0][4].text == "within 2 std");
  CHECK(published_of(0.58, 0.60, 0.01).cells[0][4].text == "ours is better");
  CHECK(published_of(0.58, 0.60, 0.01, false).cells[0][4].text == "ours is worse");
  CHECK(published_of(0.40, 0.42, 0.01).cells[0][4].text == "ours is worse");
  CHECK(published_of(0.48, 0.48, std::nullopt).cells[0][4].text == "no std to judge by");
  CHECK(published_of(0.5, 0.5, std::nullopt).cells[0][4].text == "agrees");
}

TEST_CASE("published scores without one of ours show as such") {
  ExampleResults example({"a"}, {"x"});
  example.results.published = {{"score", "a", "x", 0.5, 0.01}};
  const Table table = *published_table(example.results, example.results.metrics[0]);
  CHECK(table.cells[0][0].text == "—");
  CHECK(table.cells[0][4].text == "no result");
  example.results.published.push_back({"score", "elsewhere", "x", 0.5, 0.01});
  const Table cut = *published_table(example.results, example.results.metrics[0]);
  CHECK(cut.rows.size() == 1);
  CHECK(cut.notes.back() == "Not shown: 1 published of datasets that this experiment has not.");
  ExampleResults none({"a"}, {"x"});
  CHECK_FALSE(published_table(none.results, none.results.metrics[0]).has_value());
}
