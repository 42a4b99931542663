#include <algorithm>
#include <array>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "algorithms/forest/forest_model.h"
#include "algorithms/forest/row_order.h"
#include "algorithms/registry.h"
#include "core/base/arena.h"
#include "core/tree/row_blocks.h"
#include "tests/algorithms/fit_by_name.h"
#include "tests/algorithms/small_data.h"

namespace {

using namespace coppice;
using namespace coppice::testing;

/// The scores of all outputs, row after row.
std::vector<double> scores_of_all(const Predictions& predictions) {
  std::vector<double> scores;
  for (std::size_t row = 0; row < predictions.rows(); ++row)
    for (std::size_t output = 0; output < predictions.outputs(); ++output)
      scores.push_back(predictions.score(row, output));
  return scores;
}

/// What the first trees say, by the rows that their leaves list: sums of means in the order of trees, and
/// apart from them the leaves that list one row.
std::vector<double> leaves_by_hand(const ForestModel& model, const DatasetView& rows, std::size_t trees) {
  const ForestParts& parts = model.parts();
  const auto leaves = model.leaves_of(rows, 0, trees, Context{});
  std::vector<double> scores;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    std::vector<double> sums(parts.outputs, 0.0);
    std::vector<double> ones(parts.outputs, 0.0);
    for (std::size_t tree = 0; tree < trees; ++tree) {
      const auto listed = parts.leaf_rows.rows(tree, leaves[row * trees + tree]);
      std::vector<double> mean(parts.outputs, 0.0);
      listed.each([&](std::uint32_t train_row) {
        if (has_labels(parts.task))
          for (const std::uint32_t label : parts.leaf_rows.labels(train_row)) mean[label] += 1.0;
        else
          for (std::size_t j = 0; j < parts.outputs; ++j) mean[j] += parts.leaf_rows.values(train_row)[j];
      });
      const bool whole = has_labels(parts.task) && listed.size() == 1;
      for (std::size_t j = 0; j < parts.outputs; ++j)
        (whole ? ones : sums)[j] += mean[j] / static_cast<double>(listed.size());
    }
    for (std::size_t j = 0; j < parts.outputs; ++j)
      scores.push_back((sums[j] + ones[j]) / static_cast<double>(trees));
  }
  return scores;
}

/// Checks what a forest says of all rows of a dataset, in every way in which it can be asked.
void check_predictions(const std::shared_ptr<const Dataset>& data, const Model& model) {
  const auto& forest = dynamic_cast<const ForestModel&>(model);
  const DatasetView all(data);
  const auto expected = scores_of_all(model.predict(all, Context{}));
  CHECK(expected == leaves_by_hand(forest, all, forest.stages()));

  std::vector<double> one_by_one;
  for (std::uint32_t row = 0; row < all.size(); ++row) {
    const auto scores = scores_of_all(model.predict(DatasetView(data, {row}), Context{}));
    one_by_one.insert(one_by_one.end(), scores.begin(), scores.end());
  }
  CHECK(one_by_one == expected);

  std::vector<double> threaded;
  in_arena(4, [&] { threaded = scores_of_all(model.predict(all, Context{})); });
  CHECK(threaded == expected);

  const std::vector<double> stages{1.0, 7.0, 0.5 * static_cast<double>(forest.stages()),
                                   static_cast<double>(forest.stages())};
  model.predict_staged(
      all, stages,
      [&](std::size_t i, const Predictions& predictions) {
        CHECK(scores_of_all(predictions) == leaves_by_hand(forest, all, static_cast<std::size_t>(stages[i])));
      },
      Context{});
}

/// Rows of many features that are nearly all 0: others are 1, or any number.
std::shared_ptr<const Dataset> mostly_zeros(std::size_t rows, std::size_t features, std::uint32_t labels,
                                            bool ones) {
  constexpr std::size_t used = 60;  // the last ones: enough to tell rows apart
  Stream stream(11);
  Features columns(rows);
  for (std::size_t j = 0; j < features; ++j) {
    std::vector<std::uint32_t> present;
    std::vector<float> values;
    for (std::uint32_t row = 0; j + used >= features && row < rows; ++row) {
      if (stream.below(4) != 0) continue;
      present.push_back(row);
      values.push_back(ones ? 1.0F : static_cast<float>(stream.uniform(-0.5, 2.0)));
    }
    columns.add_sparse("", present, values);
  }
  LabelSets sets(labels);
  for (std::size_t row = 0; row < rows; ++row) {
    const auto half = labels / 2;
    const std::array present{static_cast<std::uint32_t>(stream.below(half)),
                             static_cast<std::uint32_t>(half + stream.below(half))};
    sets.add_row(present);
  }
  return std::make_shared<const Dataset>("zeros", Task::multilabel, std::move(columns), std::move(sets));
}

}  // namespace

TEST_CASE("predictions are what the leaves say, however rows, trees and threads are parted") {
  struct Case {
    Task task;
    std::uint32_t outputs;
    std::string algorithm;
    RawParameters parameters;
  };
  // More trees than bytes can count; leaves of one row and of several; scores listed and not; means kept and
  // not.
  const std::vector<Case> cases{
      {Task::multilabel, 5, "random-forest", {{"trees", "300"}}},
      {Task::multilabel, 5, "random-forest", {{"trees", "270"}, {"min_samples_leaf", "3"}}},
      {Task::multilabel, 5, "random-forest", {{"trees", "20"}, {"min_samples_leaf", "12"}}},
      {Task::multilabel, 150, "random-forest", {{"trees", "20"}, {"min_samples_leaf", "12"}}},
      {Task::multilabel, 150, "extra-trees", {{"trees", "20"}, {"max_depth", "6"}}},
      {Task::multiclass, 3, "extra-trees", {{"trees", "20"}, {"max_depth", "4"}}},
      {Task::regression, 4, "random-forest", {{"trees", "20"}, {"min_samples_leaf", "3"}}},
      {Task::regression, 4, "extra-trees", {{"trees", "20"}}},
  };
  for (const Case& each : cases) {
    CAPTURE(each.algorithm);
    CAPTURE(each.outputs);
    const auto data = small_dataset(each.task, {.rows = 120, .features = 6, .outputs = each.outputs});
    Rows train;
    for (std::uint32_t row = 0; row < 80; ++row) train.push_back(row);
    const auto model = fit_by_name(each.algorithm, DatasetView(data, train), each.parameters);
    check_predictions(data, *model);
  }
}

TEST_CASE("predictions are the same in the order of a tree's leaves, in which rows walk together") {
  struct Case {
    std::size_t rows;
    std::size_t features;
    std::uint32_t labels;
    bool ones;
  };
  // Rows as words and, in trees as large as they have to be for it, as bits; scores listed and not.
  for (const Case& each : {Case{400, 1500, 6, false}, Case{400, 1500, 150, false}, Case{3000, 90, 6, true},
                           Case{2500, 90, 150, true}}) {
    CAPTURE(each.features);
    CAPTURE(each.labels);
    const auto data = mostly_zeros(each.rows, each.features, each.labels, each.ones);
    const auto model = fit_by_name("extra-trees", DatasetView(data), {{"trees", "36"}});
    const auto& trees = dynamic_cast<const ForestModel&>(*model).parts().trees;
    const DatasetView all(data);
    CHECK_FALSE(RowBlocks(all, {}, 256, trees.forms()).in_bundles());
    CHECK(RowBlocks(all, {}, 256, trees.forms()).in_words() == !each.ones);
    check_predictions(data, *model);
  }
}

TEST_CASE("an order of rows is by leaf, and of those in a leaf as they come") {
  const auto data = small_dataset(Task::multilabel, {.rows = 9});
  const DatasetView rows(data, {8, 6, 4, 2, 0});
  const RowOrder as_they_come;
  CHECK(as_they_come[3] == 3);
  CHECK(std::ranges::equal(as_they_come.of(rows).rows(), rows.rows()));
  const std::vector<std::uint32_t> leaves{3, 0, 3, 1, 0};
  const RowOrder order(leaves, 4);
  const std::vector<std::uint32_t> expected{6, 0, 2, 8, 4};
  CHECK(std::ranges::equal(order.of(rows).rows(), expected));
  for (std::size_t place = 0; place < rows.size(); ++place) CHECK(rows[order[place]] == expected[place]);

  // Two threads have every other group.
  std::vector<std::uint32_t> many(3 * RowOrder::together + 5);
  for (std::uint32_t row = 0; row < many.size(); ++row)
    many[row] = static_cast<std::uint32_t>(many.size()) - 1 - row;
  const RowOrder dealt(many, many.size(), 2);
  for (std::size_t place = 0; place < many.size(); ++place) {
    const std::size_t group = place / RowOrder::together;
    const std::size_t from = group < 2 ? 2 * group : 2 * (group - 2) + 1;
    CHECK(many[dealt[place]] == from * RowOrder::together + place % RowOrder::together);
  }
}
