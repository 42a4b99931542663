#include "algorithms/forest/forest.h"

#include <cmath>

#include <doctest/doctest.h>

#include "algorithms/forest/forest_model.h"
#include "algorithms/registry.h"
#include "core/base/error.h"
#include "tests/algorithms/fit_by_name.h"
#include "tests/algorithms/small_data.h"

namespace {

using namespace coppice;
using namespace coppice::testing;

std::unique_ptr<Model> fit(const std::string& name, const DatasetView& train, const RawParameters& raw,
                           const Stream& stream = Stream(3)) {
  return fit_by_name(name, train, raw, stream);
}

/// The dataset with one of its outputs only.
std::shared_ptr<const Dataset> one_output(const Dataset& data, std::uint32_t output) {
  if (data.task() == Task::regression) {
    std::vector<double> values;
    for (std::size_t row = 0; row < data.rows(); ++row) values.push_back(data.targets()[row][output]);
    return std::make_shared<const Dataset>("one", data.features(), RealTargets(1, values));
  }
  LabelSets labels(1);
  const std::uint32_t present = 0;
  for (std::size_t row = 0; row < data.rows(); ++row)
    labels.add_row(std::span(&present, data.labels().contains(row, output) ? 1 : 0));
  return std::make_shared<const Dataset>("one", Task::multilabel, data.features(), labels);
}

}  // namespace

TEST_CASE("separate outputs equal as many single-output fits") {
  for (const char* name : {"decision-tree", "random-forest", "extra-trees"}) {
    for (const Task task : {Task::multilabel, Task::multiclass, Task::regression}) {
      for (const std::string impurity : {"variance", "entropy"}) {
        if (task == Task::regression && impurity == "entropy") continue;
        RawParameters raw{{"impurity", impurity}};
        if (name != std::string("decision-tree")) raw.emplace("trees", "4");
        const auto data = small_dataset(task, {.outputs = 3});
        RawParameters separate = raw;
        separate.insert_or_assign("outputs", "separate");
        const auto model = fit(name, DatasetView(data), separate);
        const Predictions together = model->predict(DatasetView(data), Context{});
        for (std::uint32_t j = 0; j < 3; ++j) {
          const auto alone = one_output(*data, j);
          const auto single = fit(name, DatasetView(alone), raw, Stream(3).at("output", j));
          const Predictions scores = single->predict(DatasetView(alone), Context{});
          for (std::size_t row = 0; row < data->rows(); ++row)
            CHECK(together.score(row, j) == scores.score(row, 0));
        }
      }
    }
  }
}

TEST_CASE("a fully grown tree remembers its training rows") {
  const auto data = small_dataset(Task::multilabel, {.rows = 50});
  const Predictions scores =
      fit("decision-tree", DatasetView(data), {})->predict(DatasetView(data), Context{});
  for (std::size_t row = 0; row < 50; ++row)
    for (std::uint32_t j = 0; j < 4; ++j)
      CHECK(scores.score(row, j) == (data->labels().contains(row, j) ? 1.0 : 0.0));
}

TEST_CASE("constant features give the mean of the outputs") {
  const auto data = small_dataset(Task::regression, {.inputs = Inputs::constant});
  const auto model = fit("decision-tree", DatasetView(data), {});
  CHECK(model->facts().at("leaves") == 1.0);
  CHECK(model->facts().at("depth") == 0.0);
  double mean = 0.0;
  for (std::size_t row = 0; row < data->rows(); ++row) mean += data->targets()[row][2] / 60.0;
  CHECK(model->predict(DatasetView(data), Context{}).score(0, 2) == doctest::Approx(mean));
}

TEST_CASE("a row that a view has twice weighs twice") {
  // One feature that says nothing: the prediction is the weighted mean.
  Features features(2);
  features.add_dense("", std::vector<float>{1.0F, 1.0F});
  const auto data = std::make_shared<const Dataset>("two", std::move(features), RealTargets(1, {0.0, 1.0}));
  const auto model = fit("decision-tree", DatasetView(data, {0, 1, 1}), {});
  CHECK(model->predict(DatasetView(data), Context{}).score(0, 0) == doctest::Approx(2.0 / 3.0));
}

TEST_CASE("gini is the variance on labels, and entropy something else") {
  const auto data = small_dataset(Task::multilabel, {.rows = 150, .outputs = 6});
  const auto bytes = [&](const char* impurity) {
    ModelWriter writer;
    fit("decision-tree", DatasetView(data), {{"impurity", impurity}})->save(writer);
    return writer.bytes(nlohmann::json::object());
  };
  CHECK(bytes("gini") == bytes("variance"));
  CHECK(bytes("entropy") != bytes("variance"));
  try {
    fit("random-forest", DatasetView(small_dataset(Task::regression, {})), {{"impurity", "gini"}});
    FAIL_CHECK("gini on real outputs was accepted");
  } catch (const Error& error) {
    CHECK(error.message().find("variance") != std::string::npos);
  }
}

TEST_CASE("defaults follow the papers") {
  const auto spec = [](const char* algorithm, const char* parameter) {
    return *Registry::instance().get(algorithm).description().find(parameter);
  };
  CHECK(spec("random-forest", "features").default_value == "sqrt(p)");
  CHECK(spec("random-forest", "features").regression_default == "p/3");
  CHECK(spec("random-forest", "min_samples_split").regression_default == "5");
  CHECK(spec("random-forest", "bootstrap").default_value == "true");
  CHECK(spec("extra-trees", "features").regression_default == "p");
  CHECK(spec("extra-trees", "bootstrap").default_value == "false");
  CHECK(spec("decision-tree", "features").default_value == "p");
  CHECK(Registry::instance().get("random-forest").description().staged()->name == "trees");
  CHECK(Registry::instance().get("decision-tree").description().staged() == nullptr);
}

TEST_CASE("rules read as sentences and leave out what is implied") {
  Features features(6);
  features.add_dense("width", std::vector<float>{1, 2, 3, 4, 5, 6});
  features.add_dense("height", std::vector<float>{0, 0, 0, 0, 0, 0});
  LabelSets labels(2, {{0}, {0}, {1}, {1}, {}, {}});
  DatasetExtras extras;
  extras.output_names = {"red", "blue"};
  const auto data =
      std::make_shared<const Dataset>("rules", Task::multilabel, std::move(features), labels, extras);
  const auto model = fit("decision-tree", DatasetView(data), {});
  const std::string text = model->describe(ModelSchema::of(*data));
  CHECK(text.find("If width <= 2.5, then red = 1") != std::string::npos);
  CHECK(text.find("If width > 2.5 and width <= 4.5, then blue = 1") != std::string::npos);
  CHECK(text.find("If width > 4.5, then no label") != std::string::npos);
  CHECK(text.find("width                    1.0000") != std::string::npos);
}

TEST_CASE("importances add up to the impurity that a full tree removes") {
  const auto data = small_dataset(Task::regression, {.rows = 200, .outputs = 3});
  const auto model = fit("decision-tree", DatasetView(data), {});
  double variance = 0.0;
  for (std::size_t j = 0; j < 3; ++j) {
    double mean = 0.0;
    for (std::size_t row = 0; row < 200; ++row) mean += data->targets()[row][j] / 200.0;
    for (std::size_t row = 0; row < 200; ++row) {
      const double difference = data->targets()[row][j] - mean;
      variance += difference * difference / 200.0;
    }
  }
  double sum = 0.0;
  for (const double importance : dynamic_cast<const ForestModel&>(*model).parts().importances)
    sum += importance;
  CHECK(sum == doctest::Approx(variance));
}

TEST_CASE("a damaged forest file is refused") {
  const auto data = small_dataset(Task::multilabel, {});
  const auto model = fit("random-forest", DatasetView(data), {{"trees", "3"}});
  ModelWriter writer;
  model->save(writer);
  ModelWriter wrong;
  wrong.facts() = writer.facts();
  wrong.facts()["features"] = 2;
  const auto reader = ModelReader::from_bytes(writer.bytes(nlohmann::json::object()), "good");
  const auto copy = [&]<typename T>(T, const char* name) { wrong.put(name, reader->array<T>(name)); };
  for (const char* name : {"packed_nodes", "node_begin", "leaf_begin", "row_begin", "label_begin"})
    copy(std::uint64_t{}, name);
  for (const char* name : {"depth", "labels"}) copy(std::uint32_t{}, name);
  for (const char* name : {"leaf_end16", "leaf_rows16"}) copy(std::uint16_t{}, name);
  for (const char* name : {"values", "importances"}) copy(double{}, name);
  const auto damaged = ModelReader::from_bytes(wrong.bytes(nlohmann::json::object()), "damaged");
  CHECK_THROWS_AS(ForestModel::load(damaged), Error);
  CHECK_NOTHROW(ForestModel::load(reader));
}

TEST_CASE("out-of-bag scores are facts of the model and come near those of unseen rows") {
  const auto data = small_dataset(Task::regression, {.rows = 400, .outputs = 2});
  const DatasetView train = DatasetView(data).slice(0, 200);
  for (const char* outputs : {"joint", "separate"}) {
    const auto model = fit("random-forest", train, {{"trees", "40"}, {"oob", "true"}, {"outputs", outputs}});
    const double oob = model->facts().at("oob-r2-macro");
    double error = 0.0;
    double variance = 0.0;
    const DatasetView test = DatasetView(data).slice(200, 400);
    const Predictions predictions = model->predict(test, Context{});
    for (std::size_t i = 0; i < test.size(); ++i)
      for (std::size_t j = 0; j < 2; ++j) {
        const double truth = data->targets()[test[i]][j];
        error += (truth - predictions.score(i, j)) * (truth - predictions.score(i, j));
        variance += truth * truth;
      }
    CHECK(oob > 0.5);
    CHECK(oob < 0.999);
    CHECK(std::abs(oob - (1.0 - error / variance)) < 0.1);
    CHECK(model->facts_at(10).count("oob-r2-macro") == 0);
  }
  const auto labels = small_dataset(Task::multilabel, {.rows = 200});
  const auto forest = fit("random-forest", DatasetView(labels), {{"trees", "20"}, {"oob", "true"}});
  CHECK(forest->facts().at("oob-lrap") > 0.6);
  CHECK(forest->facts().at("oob-hamming-loss") < 0.4);
}

TEST_CASE("out-of-bag scores by hand: one tree") {
  const auto data = small_dataset(Task::regression, {.rows = 60, .outputs = 1});
  const DatasetView train(data);
  const auto model = fit("random-forest", train, {{"trees", "1"}, {"oob", "true"}});
  const Sample sample = Sample::bootstrap(train, Stream(3).at("tree", 0).at("bootstrap"));
  const Predictions predictions = model->predict(train, Context{});
  double error = 0.0;
  double count = 0.0;
  for (std::uint32_t row = 0; row < 60; ++row) {
    if (sample.weights[row] != 0) continue;
    const double difference = data->targets()[row][0] - predictions.score(row, 0);
    error += difference * difference;
    count += 1.0;
  }
  CHECK(model->facts().at("oob-mse") == doctest::Approx(error / count));
}

TEST_CASE("permutation importances find the feature that matters") {
  Stream stream(8);
  Features features(300);
  std::vector<std::vector<float>> columns(4, std::vector<float>(300));
  for (auto& column : columns) {
    for (float& value : column) value = static_cast<float>(stream.normal());
    features.add_dense("", column);
  }
  std::vector<double> targets(300);
  for (std::size_t row = 0; row < 300; ++row) targets[row] = 3.0 * columns[2][row] + 0.1 * stream.normal();
  const auto data = std::make_shared<const Dataset>("one", std::move(features), RealTargets(1, targets));
  const auto model = fit("random-forest", DatasetView(data), {{"trees", "20"}, {"permutation", "true"}});
  const auto& importances = dynamic_cast<const ForestModel&>(*model).parts().permutation;
  REQUIRE(importances.size() == 4);
  // Shuffling an input of variance 9 adds about twice that to the squared error.
  CHECK(importances[2] > 10.0);
  CHECK(importances[2] < 25.0);
  for (const std::size_t j : {0U, 1U, 3U}) CHECK(std::abs(importances[j]) < 1.0);
  CHECK(model->describe(ModelSchema::of(*data)).find("shuffled") != std::string::npos);
  CHECK_THROWS_AS(fit("extra-trees", DatasetView(data), {{"permutation", "true"}}), Error);
  CHECK_THROWS_AS(fit("extra-trees", DatasetView(data), {{"oob", "true"}}), Error);
}

TEST_CASE("pruned decision trees are smaller and no worse on rows they have not seen") {
  const auto data = small_dataset(Task::regression, {.rows = 600, .outputs = 2});
  const DatasetView train = DatasetView(data).slice(0, 300);
  const DatasetView test = DatasetView(data).slice(300, 600);
  const auto error = [&](const Model& model) {
    const Predictions predictions = model.predict(test, Context{});
    double sum = 0.0;
    for (std::size_t i = 0; i < test.size(); ++i)
      for (std::size_t j = 0; j < 2; ++j)
        sum += std::pow(data->targets()[test[i]][j] - predictions.score(i, j), 2);
    return sum;
  };
  const auto full = fit("decision-tree", train, {});
  for (const RawParameters& raw :
       {RawParameters{{"pruning", "cost-complexity"}}, RawParameters{{"pruning", "reduced-error"}},
        RawParameters{{"pruning", "cost-complexity"}, {"alpha", "0.02"}},
        RawParameters{{"pruning", "cost-complexity"}, {"outputs", "separate"}},
        RawParameters{{"pruning", "reduced-error"}, {"outputs", "separate"}}}) {
    const auto model = fit("decision-tree", train, raw);
    const double outputs = raw.contains("outputs") ? 2.0 : 1.0;
    CHECK(model->facts().at("leaves") < outputs * full->facts().at("leaves"));
    CHECK(model->facts().at("leaves") >= 2.0);
    CHECK(error(*model) < 1.1 * error(*full));
  }
  CHECK(fit("decision-tree", train, {{"pruning", "cost-complexity"}, {"alpha", "1000"}})
            ->facts()
            .at("leaves") == 1.0);
  const auto labels = small_dataset(Task::multilabel, {.rows = 1});
  CHECK(fit("decision-tree", DatasetView(labels), {{"pruning", "reduced-error"}})->facts().at("leaves") ==
        1.0);
}

TEST_CASE("categories are told apart by name, not by code") {
  const auto make = [](const std::vector<std::string>& names, const std::vector<float>& codes) {
    Features features(codes.size());
    features.add_categorical("colour", codes, names);
    std::vector<double> targets(codes.size());
    for (std::size_t row = 0; row < codes.size(); ++row) {
      const std::string& name = names[static_cast<std::size_t>(codes[row])];
      targets[row] = name == "red" ? 1.0 : name == "green" ? 2.0 : 3.0;
    }
    return std::make_shared<const Dataset>("colours", std::move(features), RealTargets(1, targets));
  };
  const auto data = make({"red", "green", "blue"}, {0, 1, 2, 0, 1, 2});
  const auto model = fit("decision-tree", DatasetView(data), {});
  CHECK(model->describe(ModelSchema::of(*data)).find("colour in {red}") != std::string::npos);
  const auto other = make({"blue", "red", "violet", "green"}, {0, 1, 3, 2});
  const Predictions predictions = model->predict(DatasetView(other), Context{});
  CHECK(predictions.score(0, 0) == 3.0);
  CHECK(predictions.score(1, 0) == 1.0);
  CHECK(predictions.score(2, 0) == 2.0);
  ModelWriter writer;
  model->save(writer);
  const auto loaded =
      ForestModel::load(ModelReader::from_bytes(writer.bytes(nlohmann::json::object()), "colours"));
  CHECK(loaded->predict(DatasetView(other), Context{}).score(1, 0) == 1.0);
  Features numeric(1);
  numeric.add_dense("colour", std::vector<float>{1});
  const auto wrong = std::make_shared<const Dataset>("numbers", std::move(numeric), RealTargets(1, {0.0}));
  CHECK_THROWS_AS(model->predict(DatasetView(wrong), Context{}), Error);
}
