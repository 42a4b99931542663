#include "experiments/tables/score_grid.h"

#include <cmath>
#include <limits>

#include <doctest/doctest.h>

#include "experiments/tables/comparison_table.h"
#include "experiments/tables/ranks.h"
#include "tests/experiments/tables/example_results.h"

using namespace coppice;

namespace {
const double nan_value = std::numeric_limits<double>::quiet_NaN();

ScoreGrid grid_of(const ExampleResults& example) {
  return ScoreGrid(example.results, example.results.metrics[0]);
}
}  // namespace

TEST_CASE("mean and deviation are over repeats where there are several") {
  ExampleResults example({"a"}, {"x"});
  example.repeats("a", "x", {1.0, 2.0, 4.0});
  const Summary summary = grid_of(example).cell(0, 0).summary;
  CHECK(summary.mean == doctest::Approx(7.0 / 3.0));
  CHECK(*summary.deviation == doctest::Approx(std::sqrt(7.0 / 3.0)));
  CHECK(summary.count == 3);
}

TEST_CASE("folds are averaged within their repeat first") {
  ExampleResults example({"a"}, {"x"});
  // The second repeat has lost a fold: it still weighs as much as the first.
  example.trial("a", "x", 0, 0, 1.0).trial("a", "x", 0, 1, 3.0).trial("a", "x", 1, 0, 6.0);
  const ScoreGrid grid = grid_of(example);
  CHECK(grid.values(0, 0) == std::vector<double>{2.0, 6.0});
  CHECK(grid.cell(0, 0).summary.mean == 4.0);
  CHECK(*grid.cell(0, 0).summary.deviation == doctest::Approx(std::sqrt(8.0)));
  CHECK(grid.cell(0, 0).summary.count == 2);
  CHECK(grid.shape(0) == TrialShape{2, 2});
}

TEST_CASE("with one repeat mean and deviation are over its folds") {
  ExampleResults example({"a"}, {"x"});
  example.trial("a", "x", 0, 1, 3.0).trial("a", "x", 0, 0, 1.0);
  const Summary summary = grid_of(example).cell(0, 0).summary;
  CHECK(summary.mean == 2.0);
  CHECK(*summary.deviation == doctest::Approx(std::sqrt(2.0)));
}

TEST_CASE("a planned repeat that is still missing counts for the shape") {
  // Only the first of two repeats is done: its folds must not pose as the repeats of the final table.
  ExampleResults example({"a"}, {"x"});
  example.trial("a", "x", 0, 0, 1.0).trial("a", "x", 0, 1, 3.0).hole("a", "x", 1, 0, "missing");
  const GridCell cell = grid_of(example).cell(0, 0);
  CHECK(cell.summary.count == 1);
  CHECK_FALSE(cell.summary.deviation.has_value());
  CHECK(cell.missing == 1);
}

TEST_CASE("one value has no deviation and equal values deviate by exactly nothing") {
  ExampleResults example({"a"}, {"x", "y"});
  example.repeats("a", "x", {0.1});
  example.repeats("a", "y", {0.1, 0.1, 0.1});
  const ScoreGrid grid = grid_of(example);
  CHECK_FALSE(grid.cell(0, 0).summary.deviation.has_value());
  CHECK(grid.cell(0, 1).summary.mean == 0.1);
  CHECK(*grid.cell(0, 1).summary.deviation == 0.0);
}

TEST_CASE("the last stage of a trial is the finished model") {
  ExampleResults example({"a"}, {"x"});
  example.trial("a", "x", 0, 0, 0.1, "trees=1").trial("a", "x", 1, 0, 0.2, "trees=1");
  example.trial("a", "x", 0, 0, 0.5, "trees=10").trial("a", "x", 1, 0, 0.7, "trees=10");
  const ScoreGrid grid = grid_of(example);
  CHECK(grid.values(0, 0) == std::vector<double>{0.5, 0.7});
}

TEST_CASE("undefined scores are left out and counted") {
  ExampleResults example({"a"}, {"x", "y"});
  example.repeats("a", "x", {1.0, nan_value, 3.0});
  example.repeats("a", "y", {1.0, 2.0, 3.0});
  const ScoreGrid grid = grid_of(example);
  CHECK(grid.cell(0, 0).summary.mean == 2.0);
  CHECK(grid.cell(0, 0).summary.count == 2);
  CHECK(grid.cell(0, 0).undefined == 1);
  CHECK_FALSE(grid.cell(0, 0).complete);
  CHECK(grid.cell(0, 1).complete);
}

TEST_CASE("rows of names that are not listed are ignored") {
  ExampleResults example({"a"}, {"x"});
  example.repeats("a", "x", {1.0}).repeats("b", "x", {5.0}).repeats("a", "z", {7.0});
  example.hole("b", "x", 0, 0, "missing");
  const ScoreGrid grid = grid_of(example);
  CHECK(grid.datasets() == 1);
  CHECK(grid.cell(0, 0).summary.mean == 1.0);
}

TEST_CASE("ties share the average of their places") {
  CHECK(average_ranks(std::vector<double>{0.5, 0.7, 0.5, 0.1}, true) ==
        std::vector<double>{2.5, 1.0, 2.5, 4.0});
  CHECK(average_ranks(std::vector<double>{0.5, 0.7, 0.5, 0.1}, false) ==
        std::vector<double>{2.5, 4.0, 2.5, 1.0});
  CHECK(average_ranks(std::vector<double>{1.0, 1.0, 1.0}, true) == std::vector<double>{2.0, 2.0, 2.0});
  CHECK(average_ranks(std::vector<double>{}, true).empty());
}

TEST_CASE("the ranks are those printed in Table 6.8 of the thesis") {
  // Column edm: gbmort … st-rf, means as printed, and water-quality with its ties.
  CHECK(average_ranks(std::vector<double>{0.39, 0.25, 0.35, 0.36, 0.31, 0.51, 0.34, 0.47}, true) ==
        std::vector<double>{3, 8, 5, 4, 7, 1, 6, 2});
  CHECK(average_ranks(std::vector<double>{0.14, 0.15, 0.14, 0.14, 0.13, 0.16, 0.13, 0.14}, true) ==
        std::vector<double>{4.5, 2, 4.5, 4.5, 7.5, 1, 7.5, 4.5});
}

TEST_CASE("average ranks are over the datasets where every algorithm is ranked") {
  ExampleResults example({"a", "b", "c"}, {"x", "y", "never"});
  example.repeats("a", "x", {1.0, 1.0}).repeats("a", "y", {2.0, 2.0});
  example.repeats("b", "x", {3.0, 3.0}).repeats("b", "y", {2.0, 2.0});
  example.repeats("c", "x", {9.0, 9.0}).repeats("c", "y", {2.0});
  const RankTable table = rank_algorithms(grid_of(example));
  CHECK(table.averaged == std::vector<bool>{true, true, false});
  CHECK(*table.averages[0] == 1.5);
  CHECK(*table.averages[1] == 1.5);
  CHECK_FALSE(table.averages[2].has_value());
  CHECK(*table.ranks[2][0] == 1.0);
  CHECK_FALSE(table.ranks[2][1].has_value());
}

TEST_CASE("repeats that some have not finished are set aside where all have finished another") {
  ExampleResults example({"a", "b"}, {"ahead", "behind", "never"});
  example.repeats("a", "ahead", {1.0, 5.0, 9.0}).repeats("a", "behind", {2.0, 3.0});
  example.hole("a", "behind", 2, 0, "missing");
  for (int repeat = 0; repeat < 3; ++repeat) example.hole("a", "never", repeat, 0, "missing");
  // On b nothing is finished by both: what there is stays.
  example.repeats("b", "ahead", {1.0})
      .hole("b", "ahead", 1, 0, "missing")
      .hole("b", "behind", 0, 0, "missing");
  example.trial("b", "behind", 1, 0, 4.0);
  const ScoreGrid grid = grid_of(example);
  CHECK(grid.values(0, 0) == std::vector<double>{1.0, 5.0});
  CHECK(grid.cell(0, 0).aside == 1);
  CHECK(grid.cell(0, 0).has_holes());
  CHECK(grid.values(0, 1) == std::vector<double>{2.0, 3.0});
  CHECK(grid.cell(0, 1).aside == 0);
  CHECK(grid.cell(0, 0).complete);
  CHECK(grid.cell(0, 1).complete);
  CHECK_FALSE(grid.cell(0, 2).has_value());
  CHECK(grid.values(1, 0) == std::vector<double>{1.0});
  CHECK(grid.values(1, 1) == std::vector<double>{4.0});
}

TEST_CASE("a failed trial sets nothing aside") {
  ExampleResults example({"a"}, {"x", "y"});
  example.repeats("a", "x", {1.0, 5.0}).repeats("a", "y", {2.0});
  example.hole("a", "y", 1, 0, "failed: out of memory");
  const ScoreGrid grid = grid_of(example);
  CHECK(grid.values(0, 0) == std::vector<double>{1.0, 5.0});
  CHECK(grid.cell(0, 0).complete);
  CHECK_FALSE(grid.cell(0, 1).complete);
}

TEST_CASE("a trial that nobody finished keeps nobody from being ranked") {
  ExampleResults example({"a"}, {"x", "y"});
  example.repeats("a", "x", {1.0}).repeats("a", "y", {2.0});
  example.hole("a", "x", 1, 0, "missing").hole("a", "y", 1, 0, "missing");
  const RankTable table = rank_algorithms(grid_of(example));
  CHECK(*table.averages[0] == 2.0);
  CHECK(*table.averages[1] == 1.0);
}
