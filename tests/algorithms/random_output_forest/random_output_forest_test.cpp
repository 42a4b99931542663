#include "algorithms/random_output_forest/random_output_forest.h"

#include <cmath>

#include <doctest/doctest.h>

#include "algorithms/forest/forest.h"
#include "algorithms/registry.h"
#include "core/base/error.h"
#include "core/metrics/metric.h"
#include "core/projections/output_columns.h"
#include "tests/algorithms/small_data.h"

namespace {

using namespace coppice;
using namespace coppice::testing;

struct Parts {
  DatasetView train;
  DatasetView test;
};

Parts parts(const std::shared_ptr<const Dataset>& data) {
  const DatasetView all(data);
  return {all.slice(0, all.size() / 2), all.slice(all.size() / 2, all.size())};
}

std::unique_ptr<Model> fitted(const std::string& name, const DatasetView& train, const RawParameters& raw,
                              std::uint64_t seed = 1) {
  const Algorithm& algorithm = Registry::instance().get(name);
  const AlgorithmDescription description = algorithm.description_for(raw);
  const Dataset& data = train.dataset();
  const Parameters parameters =
      resolve(description.parameters, raw, data.task(),
              {static_cast<double>(train.size()), static_cast<double>(data.feature_count()),
               static_cast<double>(data.output_count())});
  return algorithm.fit(train, parameters, Context{Stream(seed), nullptr, nullptr});
}

std::vector<double> scores(const Model& model, const DatasetView& rows) {
  const Predictions predictions = model.predict(rows, {});
  std::vector<double> all;
  for (std::size_t row = 0; row < predictions.rows(); ++row)
    for (std::size_t j = 0; j < predictions.outputs(); ++j) all.push_back(predictions.score(row, j));
  return all;
}

/// The mean squared error over rows, summed over outputs.
double squared_error(const Model& model, const DatasetView& rows) {
  const std::vector<double> predicted = scores(model, rows);
  const std::size_t d = rows.dataset().output_count();
  double sum = 0.0;
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (std::size_t j = 0; j < d; ++j) {
      const double truth =
          rows.dataset().task() == Task::regression
              ? rows.dataset().targets()[rows[i]][j]
              : (rows.dataset().labels().contains(rows[i], static_cast<std::uint32_t>(j)) ? 1.0 : 0.0);
      sum += std::pow(predicted[i * d + j] - truth, 2);
    }
  return sum / static_cast<double>(rows.size());
}

}  // namespace

TEST_CASE("the identity gives exactly the plain forest, for every base and task") {
  for (const std::string base : {"random-forest", "extra-trees", "decision-tree"})
    for (const Task task : {Task::multilabel, Task::multiclass, Task::regression}) {
      CAPTURE(base);
      CAPTURE(task_name(task));
      const auto data = parts(small_dataset(task, {.rows = 200, .outputs = 5}));
      RawParameters raw;
      if (base != "decision-tree") raw["trees"] = "7";
      const auto plain = fitted(base, data.train, raw);
      raw.insert({{"base", base}, {"projection", "identity"}});
      const auto projected = fitted("random-output-forest", data.train, raw);
      CHECK(scores(*projected, data.test) == scores(*plain, data.test));
      raw["size"] = "d";
      CHECK(scores(*fitted("random-output-forest", data.train, raw), data.test) == scores(*plain, data.test));
    }
}

TEST_CASE("an orthogonal projection onto all outputs keeps distances, and so the plain forest") {
  // Real outputs: no two splits are equally good, so rounding has nothing to decide.
  const auto data = parts(small_dataset(Task::regression, {.rows = 200, .outputs = 8}));
  const auto plain = scores(*fitted("random-forest", data.train, {{"trees", "10"}}), data.test);
  for (const std::string projection : {"hadamard", "subsample", "pca"}) {
    CAPTURE(projection);
    const auto projected = scores(*fitted("random-output-forest", data.train,
                                          {{"trees", "10"}, {"projection", projection}, {"size", "d"}}),
                                  data.test);
    for (std::size_t i = 0; i < plain.size(); ++i) CHECK(projected[i] == doctest::Approx(plain[i]));
  }
}

TEST_CASE("with growing size the predictions of gaussian trees approach the plain forest's") {
  const auto data = parts(small_dataset(Task::multilabel, {.rows = 300, .outputs = 12}));
  const auto plain = scores(*fitted("random-forest", data.train, {{"trees", "20"}}), data.test);
  double first = 0.0;
  double before = 1e300;
  for (const std::string size : {"1", "16", "16384"}) {
    const auto projected =
        scores(*fitted("random-output-forest", data.train, {{"trees", "20"}, {"size", size}}), data.test);
    double difference = 0.0;
    for (std::size_t i = 0; i < plain.size(); ++i) difference += std::abs(plain[i] - projected[i]);
    difference /= static_cast<double>(plain.size());
    CHECK(difference < before);
    before = difference;
    if (size == "1") first = difference;
  }
  CHECK(before < 0.3 * first);
}

TEST_CASE("individual subspaces have no larger error than a shared one, on average over many seeds") {
  // Thesis 5.2: the variance of the projection is divided by the number of trees.
  const auto data = parts(small_dataset(Task::multilabel, {.rows = 240, .outputs = 16}));
  double individual = 0.0;
  double shared = 0.0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const RawParameters raw{{"trees", "25"}, {"size", "1"}};
    individual += squared_error(*fitted("random-output-forest", data.train, raw, seed), data.test);
    RawParameters one = raw;
    one["subspace"] = "shared";
    shared += squared_error(*fitted("random-output-forest", data.train, one, seed), data.test);
  }
  CHECK(individual < shared);
}

TEST_CASE("a smaller number of trees is a part of the larger forest, whatever the subspace") {
  const auto data = parts(small_dataset(Task::regression, {.rows = 120}));
  for (const std::string subspace : {"individual", "shared"}) {
    CAPTURE(subspace);
    const auto large = fitted("random-output-forest", data.train, {{"trees", "9"}, {"subspace", subspace}});
    const auto small = fitted("random-output-forest", data.train, {{"trees", "4"}, {"subspace", subspace}});
    const std::vector<double> stages{4.0};
    large->predict_staged(data.test, stages,
                          [&](std::size_t, const Predictions& staged) {
                            const auto direct = scores(*small, data.test);
                            for (std::size_t i = 0; i < direct.size(); ++i)
                              CHECK(staged.score(i / staged.outputs(), i % staged.outputs()) == direct[i]);
                          },
                          {});
  }
}

TEST_CASE("the base decides which parameters there are and their defaults") {
  const Algorithm& algorithm = Registry::instance().get("random-output-forest");
  CHECK(algorithm.description_for({{"base", "random-forest"}}).find("bootstrap")->default_value == "true");
  CHECK(algorithm.description_for({{"base", "extra-trees"}}).find("bootstrap")->default_value == "false");
  CHECK(algorithm.description_for({{"base", "decision-tree"}}).find("trees") == nullptr);
  CHECK(algorithm.description().find("outputs") == nullptr);
  CHECK_THROWS_AS(algorithm.description_for({{"base", "extra-tree"}}), Error);
}

TEST_CASE("sizes that a projection cannot give are found before anything runs") {
  const Algorithm& algorithm = Registry::instance().get("random-output-forest");
  const auto problem = [&](const RawParameters& raw, double d) {
    const ExpressionVariables sizes{100, 10, d};
    const auto found =
        algorithm.check(resolve(algorithm.description().parameters, raw, Task::multilabel, sizes), sizes);
    return found ? found->parameter + "|" + found->message : "";
  };
  CHECK(problem({{"size", "30"}}, 20).empty());
  CHECK(problem({{"projection", "subsample"}, {"size", "21"}}, 20) ==
        "size|size: subsample gives at most 20 components of 20 outputs (d without replacement), not 21");
  CHECK(problem({{"projection", "hadamard"}, {"size", "33"}}, 20)
            .starts_with("size|size: hadamard gives at most 32"));
  CHECK(problem({{"projection", "identity"}, {"size", "3"}}, 20)
            .starts_with("size|size: identity keeps all 20"));
  CHECK_THROWS_AS(problem({{"size", "0"}}, 20), Error);
}

TEST_CASE("one output, empty label columns and projections onto nothing give a forest") {
  const auto one = parts(small_dataset(Task::multilabel, {.rows = 60, .outputs = 1}));
  for (const std::string projection :
       {"gaussian", "rademacher", "hadamard", "subsample", "pca", "hashing", "identity"}) {
    CAPTURE(projection);
    const auto model = fitted("random-output-forest", one.train,
                              {{"trees", "3"}, {"projection", projection}, {"size", "1"}});
    CHECK(scores(*model, one.test).size() == one.test.size());
  }
  const auto none = parts(small_dataset(Task::multilabel, {.rows = 60, .outputs = 6, .empty_labels = true}));
  const auto empty = fitted("random-output-forest", none.train, {{"trees", "3"}});
  for (const double score : scores(*empty, none.test)) CHECK(score == 0.0);
  // A coefficient in a million is not zero: every label set is mapped to zero, and the tree is a leaf.
  const auto data = parts(small_dataset(Task::multilabel, {.rows = 60, .outputs = 6}));
  const auto leaf = fitted(
      "random-output-forest", data.train,
      {{"trees", "1"}, {"bootstrap", "false"}, {"projection", "sparse-rademacher"}, {"sparsity", "1000000"}});
  CHECK(leaf->facts().at("leaves") == 1.0);
}
