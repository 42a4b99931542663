#include <doctest/doctest.h>

#include "core/path/larger_nodes.h"
#include "tests/algorithms/small_data.h"
#include "tests/core/path/dense_design.h"
#include "tests/core/path/small_forest.h"

namespace {

using namespace coppice;
using namespace coppice::testing;

const std::vector<std::uint32_t> changed{3, 17, 41};

}  // namespace

TEST_CASE("sums that are brought up to date are the sums from scratch, bit for bit") {
  const DatasetView train(small_dataset(Task::regression, {.rows = 60, .outputs = 2}));
  const TreeSet trees = small_forest(train, "3");
  const NodeIndicators indicators(trees, train, {}, {});
  std::vector<double> values = regression_targets(train, 2).together(0, 2);
  std::vector<double> sums(indicators.nodes() * 2);
  for (std::size_t tree = 0; tree < 3; ++tree) indicators.add_up(tree, 2, values.data(), sums.data());
  for (const std::uint32_t row : changed) values[2 * row] -= 0.123;
  std::vector<double> again = sums;
  for (std::size_t tree = 0; tree < 3; ++tree) {
    indicators.add_up_again(tree, 2, values.data(), changed, again.data());
    indicators.add_up(tree, 2, values.data(), sums.data());
  }
  CHECK(again == sums);
}

TEST_CASE("the larger nodes are all that have two rows, with their sums") {
  const DatasetView train(small_dataset(Task::regression, {.rows = 60, .outputs = 1}));
  for (const std::string smallest : {"2", "12"}) {
    const TreeSet trees = small_forest(train, "4", smallest);
    const NodeIndicators indicators(trees, train, {}, {});
    const LargerNodes larger(indicators);
    const auto design = dense_design(trees, train);
    std::vector<double> values = regression_targets(train, 1).column(0);
    std::vector<double> sums(larger.size());
    std::size_t visited = 0;
    const auto look = [&](std::size_t place, double sum) {
      ++visited;
      double expected = 0.0;
      for (std::size_t i = 0; i < values.size(); ++i) expected += values[i] * design[larger.node(place)][i];
      REQUIRE(sum == doctest::Approx(expected).epsilon(1e-12).scale(1.0));
      REQUIRE(sum == sums[place]);
    };
    for (std::size_t tree = 0; tree < 4; ++tree) larger.add_up(tree, values, sums.data(), look);
    std::size_t with_two = 0;
    for (std::uint32_t node = 0; node < indicators.nodes(); ++node)
      with_two += indicators.count(node) > 1 ? 1 : 0;
    CHECK(visited == with_two);
    CHECK(larger.size() == with_two);

    for (const std::uint32_t row : changed) values[row] -= 0.123;
    std::vector<double> again = sums;
    for (std::size_t tree = 0; tree < 4; ++tree) {
      larger.add_up_again(tree, values, changed, again.data());
      larger.add_up(tree, values, sums.data(), [](std::size_t, double) {});
    }
    CHECK(again == sums);
  }
}

TEST_CASE("rows that a forest has never seen may leave nodes empty") {
  const auto data = small_dataset(Task::regression, {.rows = 60, .outputs = 1});
  const TreeSet trees = small_forest(DatasetView(data), "3");
  const DatasetView few(data, {5, 9, 31, 40});
  const NodeIndicators indicators(trees, few, {}, {});
  const LargerNodes larger(indicators);
  const std::vector<double> values{1.0, 10.0, 100.0, 1000.0};
  std::vector<double> sums(larger.size());
  const auto look = [&](std::size_t place, double sum) {
    double expected = 0.0;
    for (const std::uint32_t row : indicators.rows_of(larger.node(place))) expected += values[row];
    CHECK(sum == expected);
  };
  for (std::size_t tree = 0; tree < 3; ++tree) larger.add_up(tree, values, sums.data(), look);
}
