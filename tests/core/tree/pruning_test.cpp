#include "core/tree/pruning.h"

#include <cmath>
#include <fstream>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include "core/tree/apply.h"
#include "tests/algorithms/small_data.h"

namespace {

using namespace coppice;
using namespace coppice::testing;

GrownTree grow(const DatasetView& view, std::uint32_t features) {
  GrowthOptions options;
  options.features = features;
  const Sample sample = Sample::of(view);
  const CodedInputs inputs(view.dataset().features(), DenseUse::sweeps, Context{});
  const RealGrid grid(view.dataset().targets().values(), view.dataset().output_count(), sample);
  return grow_tree(inputs, &grid, sample, options, Stream(1), Context{});
}

/// The squared error of a tree on some rows.
double error_of(const GrownTree& tree, const DatasetView& rows) {
  const Dataset& data = rows.dataset();
  const auto leaves = apply_trees(TreeSet(std::span(&tree, 1)), 0, 1, rows, Context{});
  double error = 0.0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto members = tree.leaf_rows(leaves[i]);
    for (std::size_t j = 0; j < data.output_count(); ++j) {
      double mean = 0.0;
      for (const std::uint32_t row : members)
        mean += data.targets()[row][j] / static_cast<double>(members.size());
      error += std::pow(data.targets()[rows[i]][j] - mean, 2);
    }
  }
  return error;
}

}  // namespace

TEST_CASE("cost-complexity pruning equals scikit-learn's") {
  std::ifstream file(std::string(COPPICE_SOURCE_DIR) + "/tests/core/tree/golden/golden_pruning.json");
  const nlohmann::json golden = nlohmann::json::parse(file);
  const auto x = golden.at("x").get<std::vector<std::vector<float>>>();
  const auto y = golden.at("y").get<std::vector<std::vector<double>>>();
  Features features(x.size());
  for (std::size_t j = 0; j < x[0].size(); ++j) {
    std::vector<float> column;
    for (const auto& row : x) column.push_back(row[j]);
    features.add_dense("", column);
  }
  std::vector<double> values;
  for (const auto& row : y) values.insert(values.end(), row.begin(), row.end());
  const auto data =
      std::make_shared<const Dataset>("golden", std::move(features), RealTargets(y[0].size(), values));
  const GrownTree tree = grow(DatasetView(data), static_cast<std::uint32_t>(x[0].size()));
  // scikit-learn averages the impurity over outputs, coppice adds it up.
  const auto outputs = static_cast<double>(y[0].size());
  for (const nlohmann::json& step : golden.at("steps")) {
    const GrownTree pruned = prune_cost_complexity(tree, step.at("alpha").get<double>() * outputs);
    CHECK(pruned.leaves() == step.at("leaves").get<std::size_t>());
    CHECK(pruned.depth == step.at("depth").get<std::uint32_t>());
    double impurity = error_of(pruned, DatasetView(data)) / static_cast<double>(x.size()) / outputs;
    CHECK(impurity == doctest::Approx(step.at("impurity").get<double>()));
  }
  CHECK(golden.at("steps").size() > 5);
}

TEST_CASE("the pruning sequence ascends and ends at the root") {
  const auto data = small_dataset(Task::regression, {.rows = 150, .outputs = 2});
  const GrownTree tree = grow(DatasetView(data), 6);
  const auto steps = weakest_links(tree);
  REQUIRE(!steps.empty());
  CHECK(steps.back().node == 0);
  for (std::size_t s = 1; s < steps.size(); ++s) CHECK(steps[s - 1].alpha <= steps[s].alpha);
  CHECK(prune_cost_complexity(tree, 1e300).leaves() == 1);
  CHECK(prune_cost_complexity(tree, 1e300).rows.size() == 150);
  CHECK(prune_cost_complexity(tree, -1.0).feature == tree.feature);
  CHECK(prune_cost_complexity(tree, -1.0).rows == tree.rows);
  CHECK(prune_cost_complexity(tree, -1.0).depth == tree.depth);
}

TEST_CASE("the chosen coefficient is the best of the sequence on the rows held back") {
  const auto data = small_dataset(Task::regression, {.rows = 300, .outputs = 2});
  const DatasetView train = DatasetView(data).slice(0, 200);
  const DatasetView held = DatasetView(data).slice(200, 300);
  const GrownTree tree = grow(train, 6);
  const auto leaves = apply_trees(TreeSet(std::span(&tree, 1)), 0, 1, held, Context{});
  const double alpha = best_alpha(tree, OutputRows(*data), held.rows(), leaves);
  const double chosen = error_of(prune_cost_complexity(tree, alpha), held);
  CHECK(chosen <= error_of(tree, held) * (1.0 + 1e-12));
  for (const PruningStep& step : weakest_links(tree))
    CHECK(chosen <= error_of(prune_cost_complexity(tree, step.alpha), held) * (1.0 + 1e-9));
}

TEST_CASE("reduced-error pruning never raises the error on its rows and leaves nothing to gain") {
  const auto data = small_dataset(Task::regression, {.rows = 300, .outputs = 2}, 4);
  const DatasetView train = DatasetView(data).slice(0, 200);
  const DatasetView held = DatasetView(data).slice(200, 300);
  const GrownTree tree = grow(train, 6);
  const auto leaves = apply_trees(TreeSet(std::span(&tree, 1)), 0, 1, held, Context{});
  const GrownTree pruned = prune_reduced_error(tree, OutputRows(*data), held.rows(), leaves);
  CHECK(pruned.leaves() < tree.leaves());
  CHECK(pruned.rows.size() == 200);
  const double error = error_of(pruned, held);
  CHECK(error < error_of(tree, held));
  for (std::size_t node = 0; node < pruned.feature.size(); ++node) {
    if (pruned.feature[node] < 0) continue;
    std::vector<std::uint8_t> becomes_leaf(pruned.feature.size(), 0);
    becomes_leaf[node] = 1;
    CHECK(error_of(collapsed(pruned, becomes_leaf), held) > error);
  }
}
