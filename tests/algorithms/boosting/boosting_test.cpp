// Gradient boosting: the algorithms of thesis chapter 6.

#include <cmath>
#include <fstream>

#include <doctest/doctest.h>

#include "algorithms/boosting/boosted_model.h"
#include "algorithms/boosting/boosting_fit.h"
#include "algorithms/registry.h"
#include "core/base/error.h"
#include "core/projections/adaptive_projection.h"
#include "tests/algorithms/small_data.h"

namespace {

using namespace coppice;
using namespace coppice::testing;

Context boosting_context(std::uint64_t seed = 7) {
  Context context;
  context.stream = Stream(seed);
  return context;
}

Parameters boosting_values(const std::string& name, const DatasetView& train, const RawParameters& raw) {
  const ExpressionVariables sizes{static_cast<double>(train.size()),
                                  static_cast<double>(train.dataset().feature_count()),
                                  static_cast<double>(train.dataset().output_count())};
  return resolve(Registry::instance().get(name).description().parameters, raw, train.dataset().task(), sizes);
}

std::unique_ptr<Model> boost(const std::string& name, const DatasetView& train, const RawParameters& raw,
                             std::uint64_t seed = 7) {
  return Registry::instance().get(name).fit(train, boosting_values(name, train, raw), boosting_context(seed));
}

const BoostedModel& boosted(const std::unique_ptr<Model>& model) {
  return dynamic_cast<const BoostedModel&>(*model);
}

std::vector<double> all_scores(const Predictions& predictions) {
  std::vector<double> all;
  for (std::size_t i = 0; i < predictions.rows(); ++i)
    for (std::size_t j = 0; j < predictions.outputs(); ++j) all.push_back(predictions.score(i, j));
  return all;
}
std::vector<double> scores_of(const Model& model, const DatasetView& rows) {
  return all_scores(model.predict(rows, boosting_context()));
}

/// The loss of the training rows before the first step and after each.
std::vector<double> training_losses(const std::string& name, const DatasetView& train,
                                    const RawParameters& raw) {
  BoostingKind kind;
  kind.name = name;
  kind.chooses_outputs = name == "gbrt";
  kind.joint = name == "gbmort";
  kind.projects = name == "gbrt-rpo";
  const BoostingOptions options = boosting_options(kind, boosting_values(name, train, raw), train.dataset());
  std::vector<double> losses;
  fit_boosted(train, options, boosting_context(), [&](double loss) { losses.push_back(loss); });
  return losses;
}

void check_never_increases(const std::string& name, const DatasetView& train, RawParameters raw) {
  std::string text = name;
  for (const auto& [key, value] : raw) text += " " + key + "=" + value;
  CAPTURE(text);
  raw.insert({"iterations", "12"});
  const auto losses = training_losses(name, train, raw);
  REQUIRE(losses.size() == 13);
  for (std::size_t m = 1; m < losses.size(); ++m) CHECK(losses[m] <= losses[m - 1] + 1e-12 * losses[0]);
  CHECK(losses.back() < losses.front());
}

}  // namespace

TEST_CASE("one output with the square loss is scikit-learn's gradient boosting, step by step") {
  std::ifstream file(std::string(COPPICE_SOURCE_DIR) + "/tests/algorithms/boosting/golden/golden_gbrt.json");
  const nlohmann::json cases = nlohmann::json::parse(file);
  REQUIRE(cases.size() == 4);
  for (const nlohmann::json& golden : cases) {
    const auto x = golden.at("x").get<std::vector<std::vector<float>>>();
    Features features(x.size());
    for (std::size_t j = 0; j < x[0].size(); ++j) {
      std::vector<float> column;
      for (const auto& row : x) column.push_back(row[j]);
      features.add_dense("", column);
    }
    const auto data = std::make_shared<const Dataset>(
        "golden", std::move(features), RealTargets(1, golden.at("y").get<std::vector<double>>()));
    const DatasetView all(data);
    const RawParameters raw{{"iterations", "30"},
                            {"max_leaves", golden.at("max_leaves").dump()},
                            {"learning_rate", golden.at("learning_rate").dump()},
                            {"min_samples_leaf", golden.at("min_samples_leaf").dump()}};
    // Of one output, one tree for all is the same as one for each.
    for (const std::string name : {"gbrt", "gbmort"}) {
      const auto model = boost(name, all.slice(0, 120), raw);
      const std::vector<double> stages{1, 2, 10, 30};
      model->predict_staged(
          all.slice(120, x.size()), stages,
          [&](std::size_t index, const Predictions& predictions) {
            const std::string stage = std::to_string(static_cast<int>(stages[index]));
            const auto expected = golden.at("stages").at(stage).get<std::vector<double>>();
            for (std::size_t i = 0; i < expected.size(); ++i)
              CHECK(predictions.score(i, 0) == doctest::Approx(expected[i]).epsilon(1e-9));
          },
          boosting_context());
    }
  }
}

TEST_CASE("the training loss never increases, whatever is boosted") {
  const DatasetView real(small_dataset(Task::regression, {.rows = 80}));
  const DatasetView labels(small_dataset(Task::multilabel, {.rows = 80}));
  for (const auto& loss : losses())
    for (const bool with_labels : {false, true}) {
      const LossDescription& about = loss->description();
      if (!(with_labels ? about.labels : about.real)) continue;
      const DatasetView& train = with_labels ? labels : real;
      for (const std::string rate : {"1", "0.3", "0.01"}) {
        const RawParameters raw{{"loss", about.name}, {"learning_rate", rate}};
        const auto with = [&](RawParameters more) {
          more.insert(raw.begin(), raw.end());
          return more;
        };
        check_never_increases("gbrt", train, raw);
        check_never_increases("gbmort", train, raw);
        check_never_increases("gbmort", train, with({{"subsample_rows", "0.5"}}));
        check_never_increases("gbrt", train, with({{"weak", "ridge"}}));
        check_never_increases("gbrt-rpo", train, with({{"weak", "ridge"}}));
        check_never_increases("gbrt-rpo", train, with({{"features", "2"}}));
      }
    }
}

TEST_CASE("the training loss never increases with any projection") {
  const DatasetView labels(small_dataset(Task::multilabel, {.rows = 80, .outputs = 8}));
  std::vector<std::string> names;
  for (const auto& kind : projection_kinds()) names.push_back(kind->description().name);
  for (const auto& kind : adaptive_projections()) names.push_back(kind.name);
  for (const std::string& name : names)
    for (const std::string loss : {"square", "logistic"}) {
      RawParameters raw{{"loss", loss}, {"projection", name}, {"max_leaves", "4"}};
      if (name != "identity") check_never_increases("gbrt-rpo", labels, raw);
      raw["relabel"] = "true";
      raw["size"] = name == "identity" ? "8" : "3";
      check_never_increases("gbrt-rpo", labels, raw);
    }
}

TEST_CASE("relabelling with all outputs as they are is boosting of multi-output trees") {
  const DatasetView train(small_dataset(Task::multilabel, {.rows = 90, .outputs = 6}));
  const auto joint = boost("gbmort", train, {{"iterations", "10"}});
  const auto identity =
      boost("gbrt-rpo", train,
            {{"iterations", "10"}, {"projection", "identity"}, {"size", "6"}, {"relabel", "true"}});
  CHECK(scores_of(*joint, train) == scores_of(*identity, train));
  const auto outputs = boost("gbrt", train, {{"iterations", "10"}, {"outputs", "joint"}});
  CHECK(scores_of(*joint, train) == scores_of(*outputs, train));
}

TEST_CASE("separate outputs do not see each other") {
  const auto data = small_dataset(Task::regression, {.rows = 70, .outputs = 3});
  std::vector<double> second;
  for (std::size_t row = 0; row < 70; ++row) second.push_back(data->targets()[row][1]);
  const auto alone = std::make_shared<const Dataset>("alone", data->features(), RealTargets(1, second));
  const RawParameters raw{{"iterations", "15"}};
  const auto scores = scores_of(*boost("gbrt", DatasetView(data), raw), DatasetView(data));
  const auto expected = scores_of(*boost("gbrt", DatasetView(alone), raw), DatasetView(alone));
  for (std::size_t row = 0; row < 70; ++row)
    CHECK(scores[row * 3 + 1] == doctest::Approx(expected[row]).epsilon(1e-12));
}

TEST_CASE("a shared tree has one number for each leaf and one vector") {
  const DatasetView train(small_dataset(Task::multilabel, {.rows = 120, .outputs = 30}));
  const RawParameters raw{{"iterations", "20"}};
  const auto shared = boost("gbrt-rpo", train, raw);
  const BoostedParts& parts = boosted(shared).parts();
  CHECK(parts.leaf_values.size() == static_cast<std::size_t>(shared->facts().at("leaves")));
  CHECK(parts.steps.size() == 20 * 30);
  const auto joint = boost("gbmort", train, raw);
  CHECK(boosted(joint).parts().leaf_values.size() ==
        static_cast<std::size_t>(joint->facts().at("leaves")) * 30);
}

TEST_CASE("rows that a view has several times count as often") {
  // Twice the same rows is the same fit.
  const auto data = small_dataset(Task::multilabel, {.rows = 50});
  Rows twice;
  for (std::uint32_t row = 0; row < 50; ++row) twice.insert(twice.end(), 2, row);
  for (const std::string name : {"gbrt", "gbmort", "gbrt-rpo"}) {
    const auto once = scores_of(*boost(name, DatasetView(data), {{"iterations", "8"}}), DatasetView(data));
    const auto doubled =
        scores_of(*boost(name, DatasetView(data, twice), {{"iterations", "8"}}), DatasetView(data));
    for (std::size_t i = 0; i < once.size(); ++i) CHECK(once[i] == doctest::Approx(doubled[i]).epsilon(1e-6));
  }
}

TEST_CASE("early stopping keeps the steps up to the best on rows held back") {
  const DatasetView train(small_dataset(Task::regression, {.rows = 100}));
  const RawParameters raw{{"iterations", "400"}, {"learning_rate", "1"}, {"early_stopping", "5"}};
  const auto model = boost("gbmort", train, raw);
  const auto& losses = boosted(model).parts().validation;
  REQUIRE(losses.size() < 400);
  const auto best = static_cast<std::size_t>(std::min_element(losses.begin(), losses.end()) - losses.begin());
  CHECK(losses.size() == best + 6);
  CHECK(boosted(model).used(400) == best + 1);
  CHECK(model->facts().at("iterations") == static_cast<double>(best + 1));
  // The losses are those of a model that has not seen the rows, and a stage is a fit of its own.
  for (const std::string name : {"gbrt", "gbrt-rpo"}) {
    RawParameters short_raw = raw;
    short_raw["iterations"] = "3";
    const auto full = boost(name, train, raw);
    const double stage = 3.0;
    full->predict_staged(
        train, std::span(&stage, 1),
        [&](std::size_t, const Predictions& predictions) {
          CHECK(all_scores(predictions) == scores_of(*boost(name, train, short_raw), train));
        },
        boosting_context());
  }
}

TEST_CASE("what is known of the structure of outputs is used") {
  const auto data = small_dataset(Task::regression, {.rows = 60, .outputs = 3});
  const DatasetView train(data);
  const auto chain = scores_of(*boost("artificial-gbrt", train, {{"structure", "chain"}}), train);
  const auto group = scores_of(*boost("artificial-gbrt", train, {{"structure", "group"}}), train);
  const auto each = scores_of(*boost("artificial-gbrt", train, {{"structure", "independent"}}), train);
  CHECK(each == scores_of(*boost("gbrt", train, {}), train));
  double first_error = 0.0;
  double mean_error = 0.0;
  double spread = 0.0;
  double mean = 0.0;
  for (std::size_t i = 0; i < 60; ++i) mean += data->targets()[i][0] / 60;
  for (std::size_t i = 0; i < 60; ++i) {
    CHECK(chain[3 * i] == chain[3 * i + 2]);
    CHECK(group[3 * i] == group[3 * i + 1]);
    const auto targets = data->targets()[i];
    first_error += std::pow(targets[0] - chain[3 * i], 2);
    mean_error += std::pow((targets[0] + targets[1] + targets[2]) / 3 - group[3 * i], 2);
    spread += std::pow(targets[0] - mean, 2);
  }
  CHECK(first_error < 0.2 * spread);
  CHECK(mean_error < 0.2 * spread);
}

TEST_CASE("boosted ridge finds the least-squares line") {
  Stream stream = Stream(3).at("line");
  for (const std::size_t features : {3U, 60U}) {
    // With more features than rows the other factorisation is used.
    Features inputs(40);
    std::vector<float> column(40);
    std::vector<double> targets(40, 1.5);
    for (std::size_t j = 0; j < features; ++j) {
      for (float& value : column) value = static_cast<float>(stream.normal());
      inputs.add_dense("", column);
      for (std::size_t i = 0; i < 40; ++i)
        targets[i] += (j == 0 ? 2.0 : 0.0) * static_cast<double>(column[i]);
    }
    const auto data = std::make_shared<const Dataset>("line", std::move(inputs), RealTargets(1, targets));
    const auto model =
        boost("gbrt", DatasetView(data),
              {{"weak", "ridge"}, {"iterations", "40"}, {"learning_rate", "1"}, {"penalty", "0.5"}});
    const auto scores = scores_of(*model, DatasetView(data));
    for (std::size_t i = 0; i < 40; ++i) CHECK(scores[i] == doctest::Approx(targets[i]).epsilon(1e-6));
  }
}

TEST_CASE("adaptive projections look where something is left to explain") {
  ProjectionSetting setting;
  setting.outputs = 4;
  ResidualMoments residuals;
  residuals.squares = {1.0, 0.0, 6.0, 3.0};
  residuals.first_squares = {10.0, 5.0, 6.0, 30.0};
  // G = diag(sqrt(squares)).
  residuals.product = [&](std::span<const double> v, std::span<double> result) {
    for (std::size_t j = 0; j < 4; ++j) result[j] = residuals.squares[j] * v[j];
  };
  const auto column = [](const Projection& projection, std::uint32_t output) {
    ProjectionColumn made;
    projection.column(output, made);
    return made;
  };
  const auto count = [&](const std::string& name, std::uint32_t output) {
    int drawn = 0;
    for (std::uint64_t seed = 0; seed < 4000; ++seed)
      drawn +=
          column(*make_adaptive_projection(name, setting, residuals, Stream(seed)), output).values.empty()
              ? 0
              : 1;
    return drawn / 4000.0;
  };
  CHECK(count("unexplained", 0) == doctest::Approx(0.1 / 1.2).epsilon(0.15));
  CHECK(count("unexplained", 1) == 0.0);
  CHECK(count("unexplained", 2) == doctest::Approx(1.0 / 1.2).epsilon(0.05));
  CHECK(count("gradient-sampling", 3) == doctest::Approx(0.3).epsilon(0.1));
  setting.size = 2;
  const auto top = make_adaptive_projection("top-outputs", setting, residuals, Stream(1));
  CHECK(column(*top, 2).components == std::vector<std::uint32_t>{0});
  CHECK(column(*top, 3).components == std::vector<std::uint32_t>{1});
  CHECK(column(*top, 0).values.empty());
  const auto first = make_adaptive_projection("residual-pca", setting, residuals, Stream(1));
  CHECK(std::abs(column(*first, 2).values[0]) == doctest::Approx(1.0).epsilon(1e-3));
  setting.size = 5;
  CHECK_THROWS_AS(make_adaptive_projection("top-outputs", setting, residuals, Stream(1)), Error);
}

TEST_CASE("settings that do not go together are refused before anything runs") {
  const DatasetView labels(small_dataset(Task::multilabel, {}));
  const DatasetView real(small_dataset(Task::regression, {}));
  const auto problem = [&](const std::string& name, const RawParameters& raw) {
    const ExpressionVariables sizes{60, 6, 4};
    const auto found = Registry::instance().get(name).check(boosting_values(name, labels, raw), sizes);
    return found ? found->parameter + ": " + found->message : std::string();
  };
  CHECK(problem("gbrt-rpo", {{"size", "3"}}).find("relabel: true") != std::string::npos);
  CHECK(problem("gbrt-rpo", {{"size", "3"}, {"relabel", "true"}}).empty());
  CHECK(problem("gbrt-rpo", {{"weak", "ridge"}, {"relabel", "true"}}).find("leaves") != std::string::npos);
  CHECK(problem("gbrt", {{"weak", "ridge"}, {"subsample_rows", "0.5"}}).find("all rows") !=
        std::string::npos);
  for (const std::string rate : {"0", "1.5", "-1"})
    CHECK_THROWS_AS(boosting_values("gbrt", labels, {{"learning_rate", rate}}), Error);
  for (const std::string loss : {"logistic", "hinge", "exponential"}) {
    CHECK_THROWS_AS(boost("gbmort", real, {{"loss", loss}}), Error);
    const auto narrowed = Registry::instance().get("gbmort").description_for({{"loss", loss}});
    CHECK(narrowed.capabilities.tasks == std::vector<Task>{Task::multilabel, Task::multiclass});
  }
  for (const std::string loss : {"absolute", "huber"}) {
    CHECK_THROWS_AS(boost("gbmort", labels, {{"loss", loss}}), Error);
    const auto narrowed = Registry::instance().get("gbmort").description_for({{"loss", loss}});
    CHECK(narrowed.capabilities.tasks == std::vector<Task>{Task::regression});
  }
}

TEST_CASE("labels that all rows have, or none, and constant targets are predicted as they are") {
  const auto data = small_dataset(Task::multilabel, {.rows = 40, .outputs = 4});
  LabelSets labels(4);
  for (std::size_t row = 0; row < 40; ++row) {
    std::vector<std::uint32_t> present{0};
    for (const std::uint32_t label : data->labels()[row])
      if (label >= 2) present.push_back(label);
    labels.add_row(present);
  }
  const auto one_sided =
      std::make_shared<const Dataset>("one-sided", Task::multilabel, data->features(), std::move(labels));
  const auto flat =
      std::make_shared<const Dataset>("flat", data->features(), RealTargets(1, std::vector<double>(40, 2.5)));
  for (const std::string name : {"gbrt", "gbmort", "gbrt-rpo"}) {
    for (const auto& loss : losses()) {
      const LossDescription& about = loss->description();
      CAPTURE(name);
      CAPTURE(about.name);
      const RawParameters raw{{"loss", about.name}, {"learning_rate", "1"}, {"iterations", "30"}};
      if (about.labels) {
        const auto scores = scores_of(*boost(name, DatasetView(one_sided), raw), DatasetView(one_sided));
        for (std::size_t row = 0; row < 40; ++row) {
          CHECK(scores[4 * row] > 0.5);
          CHECK(scores[4 * row + 1] < 0.5);
          CHECK((std::isfinite(scores[4 * row + 2]) && std::isfinite(scores[4 * row + 3])));
        }
      }
      if (about.real)
        for (const double score : scores_of(*boost(name, DatasetView(flat), raw), DatasetView(flat)))
          CHECK(score == 2.5);
    }
  }
}
