// Trees grown one after another on the same rows are those of grow_tree().

#include "core/tree/repeated_grower.h"

#include <cmath>
#include <numeric>

#include <doctest/doctest.h>

#include "core/base/arena.h"
#include "core/tree/real_grid.h"
#include "core/tree/sample.h"
#include "tests/algorithms/small_data.h"

namespace {

using namespace coppice;
using namespace coppice::testing;

/// Columns of all kinds: real, of few values, sparse with values on both sides of zero, two values.
std::shared_ptr<const Dataset> mixed_columns(std::size_t rows, std::uint64_t seed) {
  Stream stream = Stream(seed).at("mixed");
  Features features(rows);
  std::vector<float> column(rows);
  for (int j = 0; j < 40; ++j) {
    for (float& value : column) {
      const double normal = stream.normal();
      const double uniform = stream.uniform();
      if (j % 5 == 0) value = static_cast<float>(normal);
      if (j % 5 == 1) value = static_cast<float>(stream.below(6));
      if (j % 5 == 2) value = uniform < 0.12 ? static_cast<float>(normal) : 0.0F;
      if (j % 5 == 3) value = uniform < 0.1 ? 1.0F : 0.0F;
      if (j % 5 == 4) value = uniform < 0.8 ? 2.0F : -1.0F;
    }
    features.add_dense("", column);
  }
  return std::make_shared<const Dataset>("mixed", std::move(features),
                                         RealTargets(1, std::vector<double>(rows, 0.0)));
}

std::vector<double> random_targets(std::size_t rows, std::size_t outputs, std::uint64_t seed) {
  Stream stream = Stream(seed).at("targets");
  std::vector<double> values(rows * outputs);
  for (double& value : values) value = stream.normal();
  return values;
}

GrowthOptions small_trees(std::uint64_t leaves) {
  GrowthOptions options;
  options.features = 40;
  options.max_leaves = leaves;
  return options;
}

RepeatedTree grow_repeated_tree(const RepeatedGrower& grower, const std::vector<double>& values,
                                std::size_t outputs, const Sample& sample, const Rows& rows) {
  BlockedTargets targets(rows.size(), outputs);
  std::vector<std::uint32_t> weights;
  for (const std::uint32_t row : rows) weights.push_back(sample.weights[row]);
  for (std::size_t j = 0; j < outputs; ++j) {
    std::vector<double> column;
    for (const std::uint32_t row : rows) column.push_back(values[row * outputs + j]);
    targets.set(j, column, weights, sample.total);
  }
  Context context;
  GrowthMemory memory;
  grower.grow(targets, weights, Stream(6), memory, context);  // whatever is left from another tree
  return grower.grow(targets, weights, Stream(5), memory, context);
}

}  // namespace

TEST_CASE("repeated growing gives the trees of grow_tree on all kinds of columns") {
  Context context;
  const auto data = mixed_columns(300, 1);
  Rows rows;
  for (std::uint32_t row = 0; row < 300; row += row % 7 == 0 ? 2 : 1) rows.push_back(row);
  const DatasetView view(data, rows);
  const auto inputs = CodedInputs::of(data, DenseUse::sweeps, context);
  for (const std::size_t outputs : {1U, 3U, 14U, 37U})
    for (const std::uint64_t leaves : {2U, 8U, 30U})
      for (const bool bootstrap : {false, true}) {
        CAPTURE(outputs);
        CAPTURE(leaves);
        CAPTURE(bootstrap);
        GrowthOptions options = small_trees(leaves);
        options.min_samples_leaf = leaves == 30 ? 3 : 1;
        if (leaves == 8) options.max_depth = 4;
        REQUIRE(RepeatedGrower::suits(*inputs, options));
        const auto values = random_targets(300, outputs, outputs + leaves);
        const Sample sample = bootstrap ? Sample::bootstrap(view, Stream(3)) : Sample::of(view);
        const RealGrid grid(values, outputs, sample);
        const GrownTree expected = grow_tree(*inputs, &grid, sample, options, Stream(5), context);
        const RepeatedGrower grower(inputs, rows, options);
        const RepeatedTree found = grow_repeated_tree(grower, values, outputs, sample, rows);
        CHECK(found.tree.feature == expected.feature);
        CHECK(found.tree.threshold == expected.threshold);
        CHECK(found.tree.next == expected.next);
        CHECK(found.tree.depth == expected.depth);
        const auto leaf_of = expected.leaf_of_rows(300);
        for (std::size_t i = 0; i < rows.size(); ++i) CHECK(found.leaf[i] == leaf_of[rows[i]]);
        for (std::size_t i = 0; i < found.tree.decrease.size(); ++i)
          CHECK(found.tree.decrease[i] == doctest::Approx(expected.decrease[i]).epsilon(1e-9));
      }
}

TEST_CASE("repeated growing is the same for any number of threads" * doctest::test_suite("scheduler")) {
  Context context;
  const auto data = mixed_columns(3000, 2);
  const auto inputs = CodedInputs::of(data, DenseUse::sweeps, context);
  Rows rows(3000);
  std::iota(rows.begin(), rows.end(), 0U);
  const Sample sample = Sample::of(DatasetView(data, rows));
  const auto values = random_targets(3000, 37, 9);
  const RepeatedGrower grower(inputs, rows, small_trees(8));
  std::vector<RepeatedTree> trees;
  for (const int threads : {1, 4})
    in_arena(threads, [&] { trees.push_back(grow_repeated_tree(grower, values, 37, sample, rows)); });
  CHECK(trees[0].tree.feature == trees[1].tree.feature);
  CHECK(trees[0].tree.threshold == trees[1].tree.threshold);
  CHECK(trees[0].tree.decrease == trees[1].tree.decrease);
  CHECK(trees[0].leaf == trees[1].leaf);
}

TEST_CASE("repeated growing breaks ties as grow_tree does") {
  // Every column twice: equal splits everywhere.
  Context context;
  const auto single = mixed_columns(80, 3);
  Features features(80);
  for (int copy = 0; copy < 2; ++copy)
    for (std::size_t j = 0; j < 40; ++j) features.add_copy("", single->features(), j);
  const auto data = std::make_shared<const Dataset>("twice", std::move(features),
                                                    RealTargets(1, std::vector<double>(80, 0.0)));
  const auto inputs = CodedInputs::of(data, DenseUse::sweeps, context);
  GrowthOptions options = small_trees(6);
  options.features = 80;
  Rows rows(80);
  std::iota(rows.begin(), rows.end(), 0U);
  const Sample sample = Sample::of(DatasetView(data, rows));
  const RepeatedGrower grower(inputs, rows, options);
  for (const std::uint64_t seed : {1U, 2U, 3U, 4U, 5U, 6U}) {
    // Whole numbers whose mean is one too: both growers compute the same to the last bit.
    auto values = random_targets(80, 1, seed);
    double sum = 0.0;
    for (double& value : values) sum += value = std::round(4.0 * value);
    values[0] -= sum;
    const RealGrid grid(values, 1, sample);
    const GrownTree expected = grow_tree(*inputs, &grid, sample, options, Stream(5), context);
    const RepeatedTree found = grow_repeated_tree(grower, values, 1, sample, rows);
    CHECK(found.tree.feature == expected.feature);
    CHECK(found.tree.threshold == expected.threshold);
  }
}

TEST_CASE("repeated growing leaves nodes alone in which nothing can be gained") {
  Context context;
  const auto data = mixed_columns(60, 4);
  const auto inputs = CodedInputs::of(data, DenseUse::sweeps, context);
  Rows rows(60);
  std::iota(rows.begin(), rows.end(), 0U);
  const Sample sample = Sample::of(DatasetView(data, rows));
  const RepeatedGrower grower(inputs, rows, small_trees(8));
  const RepeatedTree constant = grow_repeated_tree(grower, std::vector<double>(60, 3.7), 1, sample, rows);
  CHECK(constant.tree.feature.size() == 1);
  for (const std::uint32_t leaf : constant.leaf) CHECK(leaf == 0);
}
