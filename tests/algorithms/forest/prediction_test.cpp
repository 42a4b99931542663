#include <functional>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "algorithms/forest/forest_model.h"
#include "algorithms/registry.h"
#include "core/base/arena.h"
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
    const auto& forest = dynamic_cast<const ForestModel&>(*model);
    const DatasetView all(data);
    const auto expected = scores_of_all(model->predict(all, Context{}));
    CHECK(expected == leaves_by_hand(forest, all, forest.stages()));

    std::vector<double> one_by_one;
    for (std::uint32_t row = 0; row < 120; ++row) {
      const auto scores = scores_of_all(model->predict(DatasetView(data, {row}), Context{}));
      one_by_one.insert(one_by_one.end(), scores.begin(), scores.end());
    }
    CHECK(one_by_one == expected);

    std::vector<double> threaded;
    in_arena(4, [&] { threaded = scores_of_all(model->predict(all, Context{})); });
    CHECK(threaded == expected);

    const std::vector<double> stages{1.0, 7.0, static_cast<double>(forest.stages())};
    model->predict_staged(
        all, stages,
        [&](std::size_t i, const Predictions& predictions) {
          CHECK(scores_of_all(predictions) ==
                leaves_by_hand(forest, all, static_cast<std::size_t>(stages[i])));
        },
        Context{});
  }
}
