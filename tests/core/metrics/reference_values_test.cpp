#include <algorithm>
#include <cmath>
#include <numeric>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "tests/core/metrics/cases.h"

namespace coppice {

namespace {

using testing::Case;

constexpr std::size_t cases = 300;

/// All labels of a row, the highest score first, ties by index: the slow and obvious way.
std::vector<std::size_t> ranking_of(const Case& problem, std::size_t row) {
  std::vector<std::size_t> order(problem.outputs);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t left, std::size_t right) {
    return problem.scores[row][left] > problem.scores[row][right];
  });
  return order;
}

double precision_at(const Case& problem, std::size_t k) {
  double sum = 0.0;
  for (std::size_t row = 0; row < problem.rows(); ++row) {
    const auto order = ranking_of(problem, row);
    for (std::size_t r = 0; r < std::min(k, order.size()); ++r) sum += problem.is_true(row, order[r]) ? 1 : 0;
  }
  return sum / static_cast<double>(k * problem.rows());
}

double ndcg_at(const Case& problem, std::size_t k) {
  double sum = 0.0;
  for (std::size_t row = 0; row < problem.rows(); ++row) {
    const auto order = ranking_of(problem, row);
    double gain = 0.0;
    double best = 0.0;
    for (std::size_t r = 0; r < std::min(k, order.size()); ++r) {
      const double discount = 1.0 / std::log2(static_cast<double>(r) + 2.0);
      if (problem.is_true(row, order[r])) gain += discount;
      if (r < problem.labels[row].size()) best += discount;
    }
    if (best > 0.0) sum += gain / best;
  }
  return sum / static_cast<double>(problem.rows());
}

/// With the case itself as the training part.
double psp_at(const Case& problem, std::size_t k, Propensity propensity) {
  const auto rows = static_cast<double>(problem.rows());
  const double c = std::max(0.0, std::log(rows) - 1.0) * std::pow(propensity.b + 1.0, propensity.a);
  std::vector<double> weights(problem.outputs);
  for (std::size_t label = 0; label < problem.outputs; ++label) {
    double occurrences = 0.0;
    for (std::size_t row = 0; row < problem.rows(); ++row) occurrences += problem.is_true(row, label) ? 1 : 0;
    const double p = 1.0 / (1.0 + c * std::exp(-propensity.a * std::log(occurrences + propensity.b)));
    weights[label] = 1.0 / p;
  }
  double gained = 0.0;
  double best = 0.0;
  for (std::size_t row = 0; row < problem.rows(); ++row) {
    const auto order = ranking_of(problem, row);
    for (std::size_t r = 0; r < std::min(k, order.size()); ++r)
      if (problem.is_true(row, order[r])) gained += weights[order[r]];
    std::vector<double> of_truth;
    for (const std::uint32_t label : problem.labels[row]) of_truth.push_back(weights[label]);
    std::sort(of_truth.rbegin(), of_truth.rend());
    for (std::size_t r = 0; r < std::min(k, of_truth.size()); ++r) best += of_truth[r];
  }
  return gained / best;
}

double rrmse(const Case& problem, const std::vector<double>& means) {
  double sum = 0.0;
  for (std::size_t j = 0; j < problem.outputs; ++j) {
    double error = 0.0;
    double baseline = 0.0;
    for (std::size_t row = 0; row < problem.rows(); ++row) {
      error += std::pow(problem.targets[row][j] - problem.scores[row][j], 2);
      baseline += std::pow(problem.targets[row][j] - means[j], 2);
    }
    sum += std::sqrt(error / baseline);
  }
  return sum / static_cast<double>(problem.outputs);
}

void check_equal(double ours, double reference) {
  if (std::isnan(reference)) {
    CHECK(std::isnan(ours));
  } else {
    CHECK(ours == doctest::Approx(reference).epsilon(1e-12));
  }
}

}  // namespace

TEST_CASE("metrics of the first K labels agree with a full sort, ties in the order of the labels") {
  for (const Task task : {Task::multilabel, Task::multiclass}) {
    for (std::size_t index = 0; index < cases; ++index) {
      const Case problem = testing::random_case(task, Stream(11).at("case", index));
      const auto values = testing::evaluate(problem, problem.sparse(), testing::names_for(task));
      CAPTURE(index);
      for (const std::size_t k : {1U, 2U, 3U, 50U}) {
        check_equal(values.at(fmt::format("precision@{}", k)), precision_at(problem, k));
        check_equal(values.at(fmt::format("ndcg@{}", k)), ndcg_at(problem, k));
        check_equal(values.at(fmt::format("psp@{}", k)), psp_at(problem, k, Propensity{}));
      }
      check_equal(values.at("one-error"), 1.0 - precision_at(problem, 1));
      if (task == Task::multiclass) check_equal(values.at("accuracy"), precision_at(problem, 1));
    }
  }
}

TEST_CASE("psp@K takes the constants of the dataset and the counts of the training part") {
  Case train;
  train.outputs = 3;
  for (std::uint32_t i = 0; i < 40; ++i) {
    train.labels.push_back(i == 0 ? std::vector<std::uint32_t>{1} : std::vector<std::uint32_t>{0});
    train.scores.push_back({0.0, 0.0, 0.0});
  }
  ScoringContext context = ScoringContext::of(train.view());
  CHECK(context.train_rows == 40);
  CHECK(context.train_label_counts == std::vector<std::uint32_t>{39, 1, 0});
  context.propensity = {0.6, 2.6};

  Case test;
  test.outputs = 3;
  test.labels = {{0, 1}, {0}, {}, {2}};
  test.scores = {{0.9, 0.1, 0.2}, {0.1, 0.9, 0.2}, {0.1, 0.2, 0.3}, {0.1, 0.2, 0.3}};
  Scorer scorer(testing::metrics_of({"psp@1"}), context);
  scorer.add(test.view(), test.dense());

  const double c = (std::log(40.0) - 1.0) * std::pow(3.6, 0.6);
  const auto weight = [c](double count) { return 1.0 + c * std::pow(count + 2.6, -0.6); };
  const double gained = weight(39) + 0.0 + weight(0);
  const double best = weight(1) + weight(39) + weight(0);
  CHECK(scorer.values().at("psp@1") == doctest::Approx(gained / best).epsilon(1e-13));
}

TEST_CASE("rrmse compares with the mean of the training part") {
  for (std::size_t index = 0; index < cases; ++index) {
    const Case train = testing::random_case(Task::regression, Stream(12).at("train", index));
    Case test = testing::random_case(Task::regression, Stream(12).at("test", index));
    test.outputs = train.outputs;
    for (auto* matrix : {&test.targets, &test.scores})
      for (auto& row : *matrix) row.resize(train.outputs, 0.25);
    const ScoringContext context = ScoringContext::of(train.view());
    for (std::size_t j = 0; j < train.outputs; ++j) {
      double sum = 0.0;
      for (const auto& row : train.targets) sum += row[j];
      CHECK(context.train_target_means[j] == sum / static_cast<double>(train.rows()));
    }
    Scorer scorer(testing::metrics_of({"rrmse"}), context);
    scorer.add(test.view(), test.dense());
    check_equal(scorer.values().at("rrmse"), rrmse(test, context.train_target_means));
  }
}

TEST_CASE("r² keeps its precision where the mean is large against the deviation") {
  Case problem;
  problem.task = Task::regression;
  problem.outputs = 1;
  double sum = 0.0;
  std::vector<double> small;
  Stream random(5);
  for (int i = 0; i < 1000; ++i) small.push_back(std::floor(random.uniform(0.0, 1000.0)) / 1024.0);
  for (const double value : small) {
    problem.targets.push_back({1048576.0 + value});
    problem.scores.push_back({1048576.0 + value + 0.125});
    sum += value;
  }
  double deviation = 0.0;
  for (const double value : small) deviation += std::pow(value - sum / 1000.0, 2);
  const double expected = 1.0 - 1000.0 * 0.125 * 0.125 / deviation;
  CHECK(testing::evaluate(problem, problem.dense(), {"r2-macro"}).at("r2-macro") ==
        doctest::Approx(expected).epsilon(1e-9));
}

}  // namespace coppice
