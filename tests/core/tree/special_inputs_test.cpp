// Categorical inputs, missing values, large nodes.

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include <doctest/doctest.h>

#include "core/base/arena.h"
#include "core/data/encode.h"
#include "core/tree/apply.h"
#include "core/tree/grower.h"
#include "tests/algorithms/small_data.h"

namespace {

using namespace coppice;
using namespace coppice::testing;

constexpr float missing = std::numeric_limits<float>::quiet_NaN();

GrowthOptions features_of(const Dataset& data, SplitRule rule = SplitRule::best) {
  GrowthOptions options;
  options.features = static_cast<std::uint32_t>(data.feature_count());
  options.rule = rule;
  return options;
}

GrownTree grow(const std::shared_ptr<const Dataset>& data, const GrowthOptions& options,
               std::uint64_t seed = 1) {
  const Sample sample = Sample::of(DatasetView(data));
  const CodedInputs inputs(data->features(), dense_use(options.rule), Context{});
  if (has_labels(data->task()))
    return grow_tree(inputs, LabelTargets{&data->labels()}, sample, options, Stream(seed), Context{});
  const RealGrid grid(data->targets().values(), data->output_count(), sample);
  return grow_tree(inputs, &grid, sample, options, Stream(seed), Context{});
}

/// A dataset with one categorical column and one or more real outputs.
std::shared_ptr<const Dataset> categorical_data(std::uint32_t categories, std::size_t outputs,
                                                std::uint64_t seed, bool numeric_too = false) {
  Stream stream(seed);
  constexpr std::size_t rows = 60;
  std::vector<float> codes(rows);
  std::vector<double> level(categories * outputs);
  for (double& value : level) value = stream.normal();
  std::vector<double> targets(rows * outputs);
  for (std::size_t i = 0; i < rows; ++i) {
    codes[i] = static_cast<float>(stream.below(categories));
    for (std::size_t j = 0; j < outputs; ++j)
      targets[i * outputs + j] =
          level[static_cast<std::size_t>(codes[i]) * outputs + j] + 0.3 * stream.normal();
  }
  std::vector<std::string> names;
  for (std::uint32_t c = 0; c < categories; ++c) names.push_back(std::string(1, static_cast<char>('a' + c)));
  Features features(rows);
  features.add_categorical("kind", codes, names);
  if (numeric_too) {
    std::vector<float> values(rows);
    for (float& value : values) value = static_cast<float>(stream.normal());
    features.add_dense("number", values);
  }
  return std::make_shared<const Dataset>("categories", std::move(features), RealTargets(outputs, targets));
}

/// The weighted decrease of the variance by a subset of categories going left.
double decrease_of(const Dataset& data, std::uint32_t subset) {
  const std::size_t d = data.output_count();
  std::vector<double> left(d, 0.0);
  std::vector<double> right(d, 0.0);
  double left_rows = 0.0;
  double right_rows = 0.0;
  for (std::size_t row = 0; row < data.rows(); ++row) {
    const auto category = static_cast<std::uint32_t>(data.features().column(0).at(row));
    const bool goes_left = ((subset >> category) & 1U) != 0;
    (goes_left ? left_rows : right_rows) += 1.0;
    for (std::size_t j = 0; j < d; ++j) (goes_left ? left : right)[j] += data.targets()[row][j];
  }
  if (left_rows == 0.0 || right_rows == 0.0) return 0.0;
  double score = 0.0;
  for (std::size_t j = 0; j < d; ++j) {
    const double total = left[j] + right[j];
    score += left[j] * left[j] / left_rows + right[j] * right[j] / right_rows -
             total * total / (left_rows + right_rows);
  }
  return score / static_cast<double>(data.rows());
}

double best_decrease(const Dataset& data, std::uint32_t categories) {
  double best = 0.0;
  for (std::uint32_t subset = 1; subset < (1U << categories) - 1; ++subset)
    best = std::max(best, decrease_of(data, subset));
  return best;
}

bool same_splits(const GrownTree& a, const GrownTree& b) {
  return a.feature == b.feature && a.next == b.next && a.rows == b.rows && a.leaf_end == b.leaf_end &&
         a.kinds == b.kinds && a.categories == b.categories;
}

}  // namespace

TEST_CASE("the best subset of categories is found for a single output") {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const auto data = categorical_data(7, 1, seed);
    GrowthOptions options = features_of(*data);
    options.max_depth = 1;
    const GrownTree tree = grow(data, options);
    REQUIRE(tree.leaves() == 2);
    CHECK(tree.decrease[0] == doctest::Approx(best_decrease(*data, 7)));
    CHECK((tree.kinds[0] & GrownTree::categorical) != 0);
    CHECK(tree.categories.size() == 2);
    CHECK(tree.decrease[0] ==
          doctest::Approx(decrease_of(*data, static_cast<std::uint32_t>(tree.categories[1]))));
  }
}

TEST_CASE("several outputs order categories by projection: nearly the best subset") {
  double share = 0.0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const auto data = categorical_data(6, 3, seed);
    GrowthOptions options = features_of(*data);
    options.max_depth = 1;
    const GrownTree tree = grow(data, options);
    REQUIRE(tree.leaves() == 2);
    share += tree.decrease[0] / best_decrease(*data, 6) / 20.0;
    CHECK(tree.decrease[0] <= best_decrease(*data, 6) * (1.0 + 1e-9));
  }
  CHECK(share > 0.97);
}

TEST_CASE("two categories are one-hot encoded columns") {
  for (const auto rule : {SplitRule::best, SplitRule::random_cut}) {
    const auto data = categorical_data(2, 1, 3);
    const auto encoded = std::make_shared<const Dataset>(one_hot_encoded(*data));
    const GrownTree tree = grow(data, features_of(*data, rule));
    const GrownTree other = grow(encoded, features_of(*encoded, rule));
    REQUIRE(tree.leaves() == 2);
    REQUIRE(other.leaves() == 2);
    CHECK(tree.decrease == other.decrease);
    auto parts = [](const GrownTree& grown) {
      std::vector<Rows> sides{Rows(grown.leaf_rows(0).begin(), grown.leaf_rows(0).end()),
                              Rows(grown.leaf_rows(1).begin(), grown.leaf_rows(1).end())};
      std::sort(sides.begin(), sides.end());
      return sides;
    };
    CHECK(parts(tree) == parts(other));
  }
}

TEST_CASE("trees on categories and missing values lead rows to the leaves that list them") {
  for (const auto rule : {SplitRule::best, SplitRule::random_cut}) {
    for (std::uint64_t seed = 1; seed <= 6; ++seed) {
      const auto base = categorical_data(9, 2, seed, true);
      Features features(60);
      std::vector<float> codes(base->features().column(0).values.begin(),
                               base->features().column(0).values.end());
      std::vector<float> numbers(base->features().column(1).values.begin(),
                                 base->features().column(1).values.end());
      for (std::size_t row = 0; row < 60; row += 5) codes[row] = missing;
      for (std::size_t row = 1; row < 60; row += 7) numbers[row] = missing;
      features.add_categorical("kind", codes, base->features().categories(0));
      features.add_dense("number", numbers);
      const auto values = base->targets().values();
      const auto data = std::make_shared<const Dataset>("both", std::move(features),
                                                        RealTargets(2, {values.begin(), values.end()}));
      GrowthOptions options = features_of(*data, rule);
      if (seed % 2 == 0) options.min_samples_leaf = 3;
      if (seed % 3 == 0) options.max_leaves = 12;
      const std::vector<GrownTree> trees{grow(data, options, seed)};
      CHECK(trees[0].leaves() > 5);
      const auto leaf_of = trees[0].leaf_of_rows(60);
      CHECK(apply_trees(TreeSet(trees), 0, 1, DatasetView(data), Context{}) == leaf_of);
      if (seed % 2 == 0)
        for (std::size_t leaf = 0; leaf < trees[0].leaves(); ++leaf)
          CHECK(trees[0].leaf_rows(leaf).size() >= 3);
    }
  }
}

TEST_CASE("missing values go where they decrease the impurity most") {
  // Rows without a value have the outputs of small values, or of large ones.
  for (const bool like_small : {true, false}) {
    for (const auto rule : {SplitRule::best, SplitRule::random_cut}) {
      std::vector<float> column;
      std::vector<double> target;
      for (int i = 0; i < 10; ++i) {
        column.push_back(0.0F);
        target.push_back(0.0);
        column.push_back(1.0F);
        target.push_back(1.0);
        column.push_back(missing);
        target.push_back(like_small ? 0.0 : 1.0);
      }
      Features features(30);
      features.add_dense("x", column);
      const auto data =
          std::make_shared<const Dataset>("missing", std::move(features), RealTargets(1, target));
      const std::vector<GrownTree> trees{grow(data, features_of(*data, rule))};
      REQUIRE(trees[0].leaves() == 2);
      CHECK((!trees[0].kinds.empty() && (trees[0].kinds[0] & GrownTree::missing_left) != 0) == like_small);
      const float gone = missing;
      const float small = 0.0F;
      const TreeSet set(trees);
      CHECK((set.leaf(0, &gone) == set.leaf(0, &small)) == like_small);
    }
  }
}

TEST_CASE("rows with a value can be parted from those without") {
  Features features(6);
  features.add_dense("x", std::vector<float>{2, missing, 2, missing, 2, missing});
  const auto data =
      std::make_shared<const Dataset>("missing", std::move(features), RealTargets(1, {0, 1, 0, 1, 0, 1}));
  for (const auto rule : {SplitRule::best, SplitRule::random_cut})
    CHECK(grow(data, features_of(*data, rule)).leaves() == 2);
}

TEST_CASE("values that are never missing make the same tree whether or not others are") {
  // The missing rows are not in the sample.
  const auto complete = small_dataset(Task::multilabel, {.rows = 100});
  Features features(100);
  for (std::size_t j = 0; j < complete->feature_count(); ++j) {
    const auto values = complete->features().column(j).values;
    std::vector<float> column(values.begin(), values.end());
    if (j % 2 == 0) column[99] = missing;
    features.add_dense("", column);
  }
  LabelSets labels(complete->labels());
  const auto data = std::make_shared<const Dataset>("some", Task::multilabel, std::move(features), labels);
  for (const auto rule : {SplitRule::best, SplitRule::random_cut}) {
    const auto grow_first = [&](const std::shared_ptr<const Dataset>& from) {
      const CodedInputs inputs(from->features(), dense_use(rule), Context{});
      return grow_tree(inputs, LabelTargets{&from->labels()}, Sample::of(DatasetView(from).slice(0, 99)),
                       features_of(*from, rule), Stream(1), Context{});
    };
    CHECK(grow_first(complete).threshold == grow_first(data).threshold);
    CHECK(grow_first(complete).feature == grow_first(data).feature);
  }
}

TEST_CASE("large nodes searched in parallel have the same splits") {
  for (const auto rule : {SplitRule::best, SplitRule::random_cut}) {
    for (const Inputs kind : {Inputs::dense, Inputs::sparse}) {
      for (const Task task : {Task::multilabel, Task::regression}) {
        const auto data = small_dataset(task, {.rows = 300, .features = 70, .inputs = kind});
        GrowthOptions options = features_of(*data, rule);
        options.features = 9;
        GrownTree one_by_one;
        in_arena(1, [&] { one_by_one = grow(data, options); });
        options.parallel_work = 1;
        GrownTree shared;
        in_arena(2, [&] { shared = grow(data, options); });
        CHECK(same_splits(shared, one_by_one));
        CHECK(shared.threshold == one_by_one.threshold);
      }
    }
  }
}

TEST_CASE("a branch for each category, and an empty leaf for those that do not occur") {
  Features features(8);
  features.add_categorical("kind", std::vector<float>{0, 0, 0, 2, 2, 3, 3, 3}, {"a", "b", "c", "d"});
  LabelSets labels(1, {{}, {}, {}, {}, {}, {}, {}, {}});
  const auto data = std::make_shared<const Dataset>("kinds", Task::multilabel, std::move(features), labels);
  const CodedInputs inputs(data->features(), DenseUse::cuts, Context{});
  GrowthOptions options;
  options.rule = SplitRule::random_cut;
  options.branch_for_each_category = true;
  options.max_depth = 1;
  const std::vector<GrownTree> trees{
      grow_tree(inputs, NoTargets{}, Sample::of(DatasetView(data)), options, Stream(1), Context{})};
  const GrownTree& tree = trees[0];
  REQUIRE(tree.leaves() == 4);
  std::vector<std::size_t> sizes;
  for (std::size_t leaf = 0; leaf < 4; ++leaf) sizes.push_back(tree.leaf_rows(leaf).size());
  CHECK(sizes == std::vector<std::size_t>{3, 2, 3, 8});
  const TreeSet set(trees);
  const float absent = 1.0F;
  CHECK(tree.leaf_rows(set.leaf(0, &absent)).size() == 8);
  for (std::uint32_t row = 0; row < 8; ++row) {
    const float code = data->features().column(0).at(row);
    const auto rows = tree.leaf_rows(set.leaf(0, &code));
    CHECK(std::find(rows.begin(), rows.end(), row) != rows.end());
    CHECK(rows.size() < 8);
  }
}
