#include "core/path/stagewise.h"

#include <algorithm>
#include <cmath>

#include <doctest/doctest.h>

#include "core/path/path_targets.h"
#include "tests/algorithms/small_data.h"
#include "tests/core/path/dense_design.h"
#include "tests/core/path/small_forest.h"

namespace {

using namespace coppice;
using namespace coppice::testing;

double product(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

/// Follows a path by the book on the dense design: every node that was chosen must be one that correlates
/// most, and must have moved by ε in the right direction. Returns how many steps it has followed.
std::size_t follow(const NodePath& path, std::vector<std::vector<double>> design, std::vector<double> y,
                   const StagewiseOptions& options, double deviation) {
  const bool standardised = options.scale == IndicatorScale::standardised;
  std::vector<double> factors;
  for (auto& column : design) {
    std::vector<double> plain = column;
    standardise(column, standardised);
    standardise(plain, false);
    const double length = std::sqrt(product(plain, plain));
    factors.push_back(length == 0.0 ? 0.0 : std::sqrt(product(column, column)) / length);
  }
  standardise(y, true);
  for (std::size_t knot = 1; knot < path.knots(); ++knot) {
    const auto changes = path.changes_of(knot);
    REQUIRE(changes.size() == 1);
    const std::uint32_t node = changes[0].node;
    double largest = 0.0;
    for (const auto& column : design) largest = std::max(largest, std::abs(product(column, y)));
    const double correlation = product(design[node], y);
    REQUIRE(std::abs(correlation) == doctest::Approx(largest).epsilon(1e-9));
    const double move = correlation > 0.0 ? options.step : -options.step;
    REQUIRE(changes[0].weight == doctest::Approx(move * factors[node] * deviation).epsilon(1e-9));
    for (std::size_t i = 0; i < y.size(); ++i) y[i] -= move * design[node][i];
  }
  return path.knots() - 1;
}

}  // namespace

TEST_CASE("stagewise steps are those of a brute-force reference") {
  const DatasetView train(small_dataset(Task::regression, {.rows = 40, .outputs = 1}));
  const TreeSet trees = small_forest(train, "7");
  const NodeIndicators indicators(trees, train, {}, {});
  const PathTargets targets = regression_targets(train, 1);
  const double deviation = TargetScales(targets.column(0), 1).deviations[0];
  for (const IndicatorScale scale : {IndicatorScale::centred, IndicatorScale::standardised}) {
    StagewiseOptions options;
    options.scale = scale;
    options.step = 0.02;
    options.length = 4.0;
    const NodePath path = stagewise_path(indicators, targets, options, {});
    CHECK(follow(path, dense_design(trees, train), targets.column(0), options, deviation) > 80);
    // The intercept makes the mean of the model that of the outputs.
    PathScores scores(path, indicators);
    for (const double length : {0.0, 0.5, 2.0}) {
      double mean = 0.0;
      for (const double score : scores.at(length)) mean += score / 40.0;
      CHECK(mean == doctest::Approx(TargetScales(targets.column(0), 1).means[0]));
    }
  }
}

TEST_CASE("a path ends where no step reduces the loss, and fits the training rows by then") {
  const DatasetView train(small_dataset(Task::regression, {.rows = 30, .outputs = 1}));
  const TreeSet trees = small_forest(train, "5");
  const NodeIndicators indicators(trees, train, {}, {});
  StagewiseOptions options;
  options.length = 1000.0;
  const PathTargets targets = regression_targets(train, 1);
  const NodePath path = stagewise_path(indicators, targets, options, {});
  CHECK(path.lengths.back() < 100.0);
  PathScores scores(path, indicators);
  const auto at = scores.at(path.lengths.back());
  const auto truth = targets.column(0);
  for (std::size_t i = 0; i < truth.size(); ++i)
    CHECK(at[i] == doctest::Approx(truth[i]).epsilon(0.1).scale(1.0));
}

TEST_CASE("of nodes with the same rows the one is taken that keeps the fewest test nodes") {
  const DatasetView train(small_dataset(Task::regression, {.rows = 30, .outputs = 1}));
  const TreeSet trees = small_forest(train, "20");
  const NodeIndicators indicators(trees, train, {}, {});
  StagewiseOptions options;
  options.scale = IndicatorScale::standardised;
  options.length = 3.0;
  const NodePath path = stagewise_path(indicators, regression_targets(train, 1), options, {});
  std::vector<bool> kept(indicators.nodes(), false);
  const auto new_tests = [&](std::uint32_t node) {
    std::size_t tests = 0;
    for (; indicators.parent(node) != node; node = indicators.parent(node))
      tests += kept[indicators.parent(node)] ? 0 : 1;
    return tests;
  };
  std::size_t leaves = 0;
  for (const NodePath::Change& change : path.changes) {
    if (indicators.count(change.node) == 1) {
      ++leaves;
      const std::uint32_t row = indicators.rows_of(change.node)[0];
      for (std::size_t tree = 0; tree < indicators.trees(); ++tree)
        if (indicators.count(indicators.leaf(tree, row)) == 1)
          REQUIRE(new_tests(change.node) <= new_tests(indicators.leaf(tree, row)));
    }
    for (std::uint32_t node = change.node; indicators.parent(node) != node; node = indicators.parent(node))
      kept[indicators.parent(node)] = true;
  }
  CHECK(leaves > 5);
}

TEST_CASE("separate outputs are separate paths; shared ones move together and find the same for one output") {
  const DatasetView train(small_dataset(Task::regression, {.rows = 40, .outputs = 3}));
  const TreeSet trees = small_forest(train, "5");
  const NodeIndicators indicators(trees, train, {}, {});
  StagewiseOptions options;
  options.length = 1.0;
  const PathTargets all = regression_targets(train, 3);
  const NodePath separate = stagewise_path(indicators, all, options, {});
  for (std::uint32_t output = 0; output < 3; ++output) {
    PathTargets one = regression_targets(train, 1);
    one.column = [&](std::size_t) { return all.column(output); };
    const NodePath alone = stagewise_path(indicators, one, options, {});
    std::size_t same = 0;
    for (const NodePath::Change& change : separate.changes)
      if (change.output == output) {
        REQUIRE(change.node == alone.changes[same].node);
        REQUIRE(change.weight == alone.changes[same++].weight);
      }
    CHECK(same == alone.changes.size());
  }
  options.shared = true;
  const NodePath shared = stagewise_path(indicators, all, options, {});
  const TargetScales scales(all.together(0, 3), 3);
  for (std::size_t knot = 1; knot < shared.knots(); ++knot) {
    double squares = 0.0;
    for (const NodePath::Change& change : shared.changes_of(knot)) {
      CHECK(change.node == shared.changes_of(knot)[0].node);
      const double scaled = change.weight / scales.deviations[change.output];
      squares += scaled * scaled;
    }
    REQUIRE(std::sqrt(squares) == doctest::Approx(options.step).epsilon(1e-9));
  }
}

TEST_CASE("logistic steps follow the gradient of the likelihood") {
  const DatasetView train(small_dataset(Task::multilabel, {.rows = 50, .outputs = 1}));
  const TreeSet trees = small_forest(train, "4");
  const NodeIndicators indicators(trees, train, {}, {});
  PathTargets targets;
  targets.rows = 50;
  targets.logistic = true;
  targets.column = [&](std::size_t) {
    std::vector<double> column;
    for (const std::uint32_t row : train.rows())
      column.push_back(train.dataset().labels().contains(row, 0) ? 1.0 : 0.0);
    return column;
  };
  const auto truth = targets.column(0);
  StagewiseOptions options;
  options.step = 0.05;
  options.length = 5.0;
  const NodePath path = stagewise_path(indicators, targets, options, {});
  REQUIRE(path.knots() > 50);
  auto design = dense_design(trees, train);
  for (auto& column : design) standardise(column, false);
  PathScores scores(path, indicators);
  double loss_before = 1e300;
  for (std::size_t knot = 0; knot < path.knots(); ++knot) {
    std::vector<double> residuals;
    double loss = 0.0;
    const auto at = scores.at(path.lengths[knot]);
    for (std::size_t i = 0; i < 50; ++i) {
      const double p = 1.0 / (1.0 + std::exp(-at[i]));
      residuals.push_back(truth[i] - p);
      loss -= std::log(truth[i] > 0.5 ? p : 1.0 - p);
    }
    CHECK(loss < loss_before);
    loss_before = loss;
    if (knot + 1 == path.knots()) break;
    double largest = 0.0;
    for (const auto& column : design) largest = std::max(largest, std::abs(product(column, residuals)));
    const NodePath::Change& change = path.changes_of(knot + 1)[0];
    const double correlation = product(design[change.node], residuals);
    REQUIRE(std::abs(correlation) == doctest::Approx(largest).epsilon(1e-6));
    REQUIRE(change.weight == doctest::Approx(correlation > 0.0 ? 0.05 : -0.05));
  }
}

TEST_CASE("outputs without variance, a single leaf and a single row give the trivial path") {
  const auto data = small_dataset(Task::regression, {.rows = 20, .outputs = 1, .inputs = Inputs::constant});
  const DatasetView train(data);
  const TreeSet leaves = small_forest(train, "2");
  CHECK(leaves.nodes(0) == 1);
  const PathTargets targets = regression_targets(train, 1);
  const NodePath none = stagewise_path(NodeIndicators(leaves, train, {}, {}), targets, {}, {});
  CHECK(none.knots() == 1);
  CHECK(none.intercepts[0] == doctest::Approx(TargetScales(targets.column(0), 1).means[0]));

  const DatasetView rows(small_dataset(Task::regression, {.rows = 20, .outputs = 1}));
  PathTargets constant = regression_targets(rows, 1);
  constant.column = [](std::size_t) { return std::vector<double>(20, 0.1); };
  const NodePath still =
      stagewise_path(NodeIndicators(small_forest(rows, "2"), rows, {}, {}), constant, {}, {});
  CHECK(still.knots() == 1);
  CHECK(still.intercepts[0] == doctest::Approx(0.1));
}
