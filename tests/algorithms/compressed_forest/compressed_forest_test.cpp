#include "algorithms/compressed_forest/compressed_forest.h"

#include <cmath>

#include <doctest/doctest.h>

#include "algorithms/compressed_forest/compressed_model.h"
#include "algorithms/registry.h"
#include "core/base/error.h"
#include "core/data/generators/generator.h"
#include "tests/algorithms/small_data.h"
#include "tests/core/path/dense_design.h"

namespace {

using namespace coppice;
using namespace coppice::testing;

Parameters compression_parameters(const DatasetView& train, const RawParameters& raw) {
  const Algorithm& algorithm = Registry::instance().get("compressed-forest");
  const ExpressionVariables sizes{static_cast<double>(train.size()),
                                  static_cast<double>(train.dataset().feature_count()),
                                  static_cast<double>(train.dataset().output_count())};
  return resolve(algorithm.description_for(raw).parameters, raw, train.dataset().task(), sizes);
}

std::unique_ptr<Model> compress(const DatasetView& train, const RawParameters& raw) {
  return Registry::instance()
      .get("compressed-forest")
      .fit(train, compression_parameters(train, raw), {.stream = Stream(5)});
}

const CompressedModel& compressed(const Model& model) {
  return dynamic_cast<const CompressedModel&>(model);
}

std::shared_ptr<const Dataset> friedman(std::size_t train, std::size_t test) {
  const Generator& generator = *find_generator("friedman1");
  return std::make_shared<const Dataset>(generator.generate(
      resolve(generator.description().parameters,
              {{"train", std::to_string(train)}, {"test", std::to_string(test)}}, Task::regression, {}),
      Stream(11)));
}

double mean_squared_error(const Model& model, const DatasetView& rows) {
  const Predictions predictions = model.predict(rows, {});
  double sum = 0.0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const double off = predictions.score(i, 0) - rows.dataset().targets()[rows[i]][0];
    sum += off * off;
  }
  return sum / static_cast<double>(rows.size());
}

}  // namespace

TEST_CASE("a compressed forest is the linear model on the indicators of its nodes") {
  for (const Task task : {Task::regression, Task::multilabel, Task::multiclass})
    for (const std::string method : {"stagewise", "lasso", "grown"})
      for (const std::string selection : {"separate", "shared"}) {
        CAPTURE(task_name(task));
        CAPTURE(method);
        CAPTURE(selection);
        const DatasetView rows(small_dataset(task, {.rows = 50, .outputs = 3}));
        const auto model = compress(rows, {{"trees", "6"},
                                           {"method", method},
                                           {"selection", selection},
                                           {"path_length", "2"},
                                           {"choose", "none"},
                                           {"step", "0.05"}});
        const CompressedParts& parts = compressed(*model).parts();
        const auto point = parts.path.at(2.0);
        const auto weights = parts.path.weights_at(point);
        CHECK(weights.size() > 3);
        const auto design = dense_design(parts.trees, rows);
        const Predictions predictions = model->predict(rows, {});
        for (std::size_t i = 0; i < rows.size(); ++i) {
          std::vector<double> expected = parts.path.intercepts_at(point);
          for (const NodePath::Change& weight : weights)
            expected[weight.output] += weight.weight * design[weight.node][i];
          for (std::size_t j = 0; j < expected.size(); ++j)
            REQUIRE(predictions.score(i, j) == doctest::Approx(expected[j]).epsilon(1e-12).scale(1.0));
        }
      }
}

TEST_CASE("only test nodes with a weight somewhere below are left") {
  const DatasetView rows(small_dataset(Task::regression, {.rows = 60, .outputs = 1}));
  const auto model = compress(rows, {{"trees", "10"}, {"path_length", "1"}, {"choose", "none"}});
  const std::string bytes = model_bytes(*model, "compressed-forest", compression_parameters(rows, {}),
                                        ModelSchema::of(rows.dataset()), {});
  const SavedModel saved = load_model(ModelReader::from_bytes(bytes, "saved"));
  const CompressedParts& parts = compressed(*saved.model).parts();
  std::vector<bool> weighted;
  for (std::size_t tree = 0; tree < parts.trees.trees(); ++tree)
    weighted.resize(weighted.size() + parts.trees.nodes(tree));
  for (const NodePath::Change& weight : parts.path.changes) weighted[weight.node] = true;
  std::size_t begin = 0;
  double tests = 0;
  for (std::size_t tree = 0; tree < parts.trees.trees(); ++tree) {
    // The subtree of a node ends where that of its right child does.
    std::vector<std::size_t> end(parts.trees.nodes(tree));
    for (auto node = static_cast<std::uint32_t>(end.size()); node-- > 0;) {
      const TreeSet::Node at = parts.trees.node(tree, node);
      end[node] = at.feature < 0 ? node + 1 : end[at.next];
      if (at.feature < 0) continue;
      ++tests;
      bool below = false;
      for (std::size_t other = node + 1; other < end[node]; ++other) below = below || weighted[begin + other];
      CHECK(below);
    }
    begin += end.size();
  }
  const auto facts = saved.model->facts();
  CHECK(facts.at("nodes") - facts.at("leaves") == tests);
  CHECK(facts.at("compression") ==
        doctest::Approx((facts.at("base-nodes") - facts.at("base-leaves")) / tests));
  CHECK(facts.at("base-nodes") > 3 * facts.at("nodes"));
}

TEST_CASE("a saved compressed forest is much smaller than its forest and predicts the same") {
  const DatasetView train(friedman(200, 0));
  const Algorithm& trees = Registry::instance().get("extra-trees");
  const ExpressionVariables sizes{200, 10, 1};
  const Parameters whole =
      resolve(trees.description().parameters, {{"trees", "50"}}, Task::regression, sizes);
  const auto forest = trees.fit(train, whole, {.stream = Stream(5)});
  const auto model = compress(train, {{"trees", "50"}, {"path_length", "5"}, {"choose", "none"}});
  const auto schema = ModelSchema::of(train.dataset());
  const std::string bytes =
      model_bytes(*model, "compressed-forest", compression_parameters(train, {}), schema, {});
  CHECK(10 * bytes.size() < model_bytes(*forest, "extra-trees", whole, schema, {}).size());
  const SavedModel saved = load_model(ModelReader::from_bytes(bytes, "saved"));
  for (std::size_t i = 0; i < 20; ++i)
    CHECK(saved.model->predict(train, {}).score(i, 0) == model->predict(train, {}).score(i, 0));
  CHECK_THROWS_AS(saved.model->facts_at(1.0), Error);
}

TEST_CASE("t is chosen by cross-validation or on rows held back; one standard error asks for less") {
  const auto data = friedman(150, 500);
  const DatasetView train(data, data->given_split()->train);
  const DatasetView test(data, data->given_split()->test);
  const RawParameters raw{{"trees", "40"}, {"path_length", "6"}, {"folds", "5"}, {"step", "0.05"}};
  const auto with = [&](const std::string& name, const std::string& value) {
    RawParameters other = raw;
    other[name] = value;
    return compress(train, other);
  };
  const auto chosen = compress(train, raw);
  const auto length = [](const Model& model) { return model.facts().at("chosen-length"); };
  CHECK(length(*chosen) > 0.2);
  CHECK(length(*with("one_standard_error", "true")) <= length(*chosen));
  CHECK(length(*with("choose", "validation")) > 0.2);
  CHECK(length(*with("choose", "none")) == doctest::Approx(6.0));
  // Far better than the mean of the outputs, whose error is the variance.
  const double nothing = mean_squared_error(*with("path_length", "0.05"), test);
  CHECK(mean_squared_error(*chosen, test) < 0.4 * nothing);
}

TEST_CASE(
    "Friedman1: a fraction of the nodes, and an error no worse than that of the forest (thesis Table 7.1)") {
  const auto data = friedman(300, 1000);
  const DatasetView train(data, data->given_split()->train);
  const DatasetView test(data, data->given_split()->test);
  const Algorithm& trees = Registry::instance().get("extra-trees");
  const auto forest =
      trees.fit(train, resolve(trees.description().parameters, {}, Task::regression, {300, 10, 1}),
                {.stream = Stream(5)});
  const auto model = compress(train, {{"folds", "3"}, {"step", "0.05"}});
  CHECK(model->facts().at("base-nodes") - model->facts().at("base-leaves") == 29900);
  CHECK(model->facts().at("compression") > 25.0);
  CHECK(mean_squared_error(*model, test) < 1.02 * mean_squared_error(*forest, test));
}

TEST_CASE("growing stops at its budget, learns, and knows no whole forest") {
  const auto data = friedman(200, 500);
  const DatasetView train(data, data->given_split()->train);
  const DatasetView test(data, data->given_split()->test);
  const RawParameters raw{
      {"trees", "30"}, {"method", "grown"}, {"path_length", "1000"}, {"choose", "none"}, {"budget", "150"}};
  const auto model = compress(train, raw);
  CHECK(compressed(*model).parts().path.knots() == 151);
  CHECK_FALSE(model->facts().contains("compression"));
  const auto constant =
      compress(train, {{"trees", "30"}, {"method", "grown"}, {"path_length", "1e-9"}, {"choose", "none"}});
  CHECK(constant->facts().at("nodes") == 1);
  CHECK(mean_squared_error(*model, test) < 0.5 * mean_squared_error(*constant, test));
}

TEST_CASE("other bases can be compressed, and what cannot is told") {
  const DatasetView rows(small_dataset(Task::multilabel, {.rows = 40, .outputs = 5}));
  for (const std::string base :
       {"random-forest", "random-output-forest", "random-decision-trees", "decision-tree", "gbmort"}) {
    RawParameters raw{{"base", base}, {"folds", "2"}, {"step", "0.1"}};
    if (base != "decision-tree") raw[base == "gbmort" ? "iterations" : "trees"] = "5";
    const auto model = compress(rows, raw);
    CHECK(model->facts().at("base-nodes") > 5);
  }
  const auto message = [&](const RawParameters& raw, const DatasetView& train) {
    try {
      const Parameters parameters = compression_parameters(train, raw);
      const auto problem = Registry::instance().get("compressed-forest").check(parameters, {40, 6, 5});
      if (problem) return problem->message;
      compress(train, raw);
      return std::string("accepted");
    } catch (const Error& error) {
      return error.message();
    }
  };
  CHECK(message({{"base", "knn"}}, rows).find("'knn' is no forest whose nodes can be selected") == 0);
  CHECK(message({{"step", "0"}}, rows).find("step") != std::string::npos);
  CHECK(message({{"path_length", "-1"}}, rows).find("path_length") != std::string::npos);
  CHECK(message({{"loss", "logistic"}, {"method", "lasso"}}, rows) ==
        "the logistic loss is for method: stagewise");
  const DatasetView real(small_dataset(Task::regression, {.outputs = 1}));
  CHECK(message({{"loss", "logistic"}}, real).find("needs labels") != std::string::npos);
  const auto model = compress(real, {{"trees", "2"}, {"path_length", "1"}, {"choose", "none"}});
  CHECK_THROWS_AS(model->facts_at(2.0), Error);
}

TEST_CASE("logistic compression gives probabilities, for labels and for two classes") {
  for (const std::uint32_t classes : {2U, 3U}) {
    const DatasetView rows(small_dataset(Task::multiclass, {.rows = 60, .outputs = classes}));
    const auto model =
        compress(rows, {{"trees", "5"}, {"loss", "logistic"}, {"folds", "3"}, {"step", "0.1"}});
    const Predictions predictions = model->predict(rows, {});
    std::size_t right = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      std::size_t best = 0;
      for (std::size_t j = 0; j < classes; ++j) {
        CHECK(predictions.score(i, j) > 0.0);
        CHECK(predictions.score(i, j) < 1.0);
        if (predictions.score(i, j) > predictions.score(i, best)) best = j;
      }
      right += rows.dataset().labels()[i][0] == best ? 1 : 0;
    }
    CHECK(right > 40);
  }
}
