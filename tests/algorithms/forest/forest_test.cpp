#include "algorithms/forest/forest.h"

#include <doctest/doctest.h>

#include "algorithms/forest/forest_model.h"
#include "algorithms/registry.h"
#include "core/base/error.h"
#include "tests/algorithms/small_data.h"

namespace {

using namespace coppice;
using namespace coppice::testing;

std::unique_ptr<Model> fit(const std::string& name, const DatasetView& train, const RawParameters& raw,
                           const Stream& stream = Stream(3)) {
  const Algorithm& algorithm = Registry::instance().get(name);
  const Dataset& data = train.dataset();
  const ExpressionVariables sizes{static_cast<double>(train.size()),
                                  static_cast<double>(data.feature_count()),
                                  static_cast<double>(data.output_count())};
  Context context;
  context.stream = stream;
  return algorithm.fit(train, resolve(algorithm.description().parameters, raw, data.task(), sizes), context);
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
  for (const char* name : {"node_begin", "leaf_begin", "row_begin", "label_begin"})
    copy(std::uint64_t{}, name);
  for (const char* name : {"depth", "labels"}) copy(std::uint32_t{}, name);
  for (const char* name : {"feature16", "next16", "leaf_end16", "leaf_rows16"}) copy(std::uint16_t{}, name);
  for (const char* name : {"values", "importances"}) copy(double{}, name);
  copy(float{}, "threshold");
  const auto damaged = ModelReader::from_bytes(wrong.bytes(nlohmann::json::object()), "damaged");
  CHECK_THROWS_AS(ForestModel::load(damaged), Error);
  CHECK_NOTHROW(ForestModel::load(reader));
}
