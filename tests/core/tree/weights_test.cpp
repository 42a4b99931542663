#include <algorithm>
#include <cmath>

#include <doctest/doctest.h>

#include "core/base/error.h"
#include "core/tree/apply.h"
#include "core/tree/grower.h"
#include "core/tree/leaf_rows.h"
#include "tests/algorithms/small_data.h"

namespace {

using namespace coppice;
using namespace coppice::testing;

GrowthOptions five_features() {
  GrowthOptions options;
  options.features = 5;
  return options;
}

GrownTree grow(const std::shared_ptr<const Dataset>& data, const Sample& sample) {
  const CodedInputs inputs(data->features(), DenseUse::sweeps, Context{});
  if (has_labels(data->task()))
    return grow_tree(inputs, LabelTargets{&data->labels()}, sample, five_features(), Stream(1), Context{});
  const RealGrid grid(data->targets().values(), data->output_count(), sample);
  return grow_tree(inputs, &grid, sample, five_features(), Stream(1), Context{});
}

}  // namespace

TEST_CASE("a row of weight two splits like two equal rows") {
  for (const Task task : {Task::multilabel, Task::multiclass, Task::regression}) {
    const auto data = small_dataset(task, {.rows = 80});
    std::vector<double> weights(80, 1.0);
    Rows twice(80);
    for (std::uint32_t row = 0; row < 80; ++row) twice[row] = row;
    for (std::uint32_t row = 0; row < 80; row += 3) {
      weights[row] = 2.0;
      twice.push_back(row);
    }
    const GrownTree weighted = grow(data, Sample::weighted(DatasetView(data), weights));
    const GrownTree drawn = grow(data, Sample::of(DatasetView(data, twice)));
    CHECK(weighted.feature == drawn.feature);
    CHECK(weighted.threshold == drawn.threshold);
    CHECK(weighted.decrease == drawn.decrease);
    CHECK(weighted.rows.size() == 80);
    CHECK(drawn.rows.size() == twice.size());
  }
}

TEST_CASE("the scale of weights does not matter") {
  for (const Task task : {Task::multilabel, Task::regression}) {
    const auto data = small_dataset(task, {.rows = 80});
    std::vector<double> small(80);
    std::vector<double> large(80);
    Stream stream(2);
    for (std::size_t row = 0; row < 80; ++row) {
      small[row] = 1e-9 * (0.1 + stream.uniform());
      large[row] = small[row] * 0x1.0p60;
    }
    const GrownTree one = grow(data, Sample::weighted(DatasetView(data), small));
    const GrownTree other = grow(data, Sample::weighted(DatasetView(data), large));
    CHECK(one.feature == other.feature);
    CHECK(one.decrease == other.decrease);
    CHECK(one.leaves() > 10);
  }
}

TEST_CASE("weights decide which split is best") {
  // x0 parts the first half of the rows from the second, x1 even from odd; y follows x0 in rows 0 to 3 only.
  Features features(8);
  features.add_dense("x0", std::vector<float>{0, 0, 1, 1, 0, 0, 1, 1});
  features.add_dense("x1", std::vector<float>{0, 1, 0, 1, 0, 1, 0, 1});
  const auto data = std::make_shared<const Dataset>("weights", std::move(features),
                                                    RealTargets(1, {0, 0, 1, 1, 0, 1, 0, 1}));
  GrowthOptions options;
  options.features = 2;
  options.max_depth = 1;
  const CodedInputs inputs(data->features(), DenseUse::sweeps, Context{});
  const auto root_feature = [&](double first, double second) {
    const std::vector<double> weights{first, first, first, first, second, second, second, second};
    const Sample sample = Sample::weighted(DatasetView(data), weights);
    const RealGrid grid(data->targets().values(), 1, sample);
    return grow_tree(inputs, &grid, sample, options, Stream(1), Context{}).feature[0];
  };
  CHECK(root_feature(1.5, 0.5) == 0);
  CHECK(root_feature(0.5, 1.5) == 1);
}

TEST_CASE("leaves of weighted samples have weighted means and survive saving") {
  const auto data = small_dataset(Task::multilabel, {.rows = 40, .outputs = 3});
  std::vector<double> weights(40);
  for (std::size_t row = 0; row < 40; ++row) weights[row] = static_cast<double>(row % 4);
  const Sample sample = Sample::weighted(DatasetView(data), weights);
  CHECK(sample.rows.size() == 30);
  const std::vector<GrownTree> trees{grow(data, sample)};
  const LeafRows leaves(trees, DatasetView(data), sample);
  REQUIRE(leaves.weighted());
  for (std::uint32_t row = 0; row < 40; ++row) CHECK(leaves.weight(row) == row % 4);
}

TEST_CASE("weights that cannot be are refused") {
  const auto data = small_dataset(Task::multilabel, {.rows = 3});
  const auto weighted = [&](const std::vector<double>& weights) {
    return Sample::weighted(DatasetView(data), weights);
  };
  CHECK_THROWS_AS(weighted({1, 2}), Error);
  CHECK_THROWS_AS(weighted({1, -2, 1}), Error);
  CHECK_THROWS_AS(weighted({0, 0, 0}), Error);
  CHECK_THROWS_AS(weighted({1, std::nan(""), 0}), Error);
  CHECK_THROWS_AS(weighted({1e308, 1e308, 1e308}), Error);
  CHECK(weighted({0, 1e-300, 1}).rows.size() == 2);
}

TEST_CASE("rows come to the leaf that lists them, from dense and sparse columns") {
  for (const Inputs kind : {Inputs::dense, Inputs::sparse, Inputs::sparse_dense}) {
    const auto data = small_dataset(Task::multilabel, {.rows = 300, .features = 12, .inputs = kind});
    const Rows train = [] {
      Rows rows;
      for (std::uint32_t row = 0; row < 300; row += 2) rows.push_back(row);
      return rows;
    }();
    const std::vector<GrownTree> trees{grow(data, Sample::of(DatasetView(data, train))),
                                       grow(data, Sample::bootstrap(DatasetView(data, train), Stream(3)))};
    const TreeSet set(trees);
    const auto leaves = apply_trees(set, 0, 2, DatasetView(data), Context{});
    REQUIRE(leaves.size() == 600);
    for (std::size_t t = 0; t < 2; ++t) {
      const auto leaf_of = trees[t].leaf_of_rows(300);
      std::size_t known = 0;
      for (std::size_t row = 0; row < 300; ++row) {
        CHECK(leaves[2 * row + t] < trees[t].leaves());
        if (leaf_of[row] == GrownTree::no_leaf) continue;
        CHECK(leaves[2 * row + t] == leaf_of[row]);
        ++known;
      }
      CHECK(known > 80);
    }
    CHECK(apply_trees(set, 1, 2, DatasetView(data, {7}), Context{})[0] == leaves[15]);
  }
}

TEST_CASE("trees grown on projected outputs are labelled by the true labels") {
  const auto data = small_dataset(Task::multilabel, {.rows = 120, .outputs = 9});
  const Sample sample = Sample::of(DatasetView(data));
  Stream stream(5);
  std::vector<double> projected(120 * 2, 0.0);
  std::vector<double> matrix(9 * 2);
  for (double& value : matrix) value = stream.normal();
  for (std::size_t row = 0; row < 120; ++row)
    for (const std::uint32_t label : data->labels()[row])
      for (std::size_t q = 0; q < 2; ++q) projected[2 * row + q] += matrix[2 * label + q];
  const RealGrid grid(projected, 2, sample);
  const CodedInputs inputs(data->features(), DenseUse::sweeps, Context{});
  const std::vector<GrownTree> trees{grow_tree(inputs, &grid, sample, five_features(), Stream(1), Context{})};
  const LeafRows leaves(trees, DatasetView(data));
  CHECK(trees[0].leaves() > 20);
  for (std::uint32_t leaf = 0; leaf < trees[0].leaves(); ++leaf) {
    std::size_t i = 0;
    leaves.rows(0, leaf).each([&](std::uint32_t row) {
      CHECK(row == trees[0].leaf_rows(leaf)[i++]);
      CHECK(std::ranges::equal(leaves.labels(row), data->labels()[row]));
    });
  }
}
