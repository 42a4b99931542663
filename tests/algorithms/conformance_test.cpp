// What every algorithm of the registry must do, on every task that it declares.

#include <algorithm>
#include <cmath>
#include <functional>

#include <doctest/doctest.h>

#include "algorithms/registry.h"
#include "core/base/arena.h"
#include "core/base/error.h"
#include "tests/algorithms/small_data.h"

namespace {

using namespace coppice;
using namespace coppice::testing;

/// Parameters that make an algorithm quick on small data, where it has them.
RawParameters quick(const AlgorithmDescription& description) {
  const RawParameters wanted{{"trees", "5"}, {"iterations", "5"}};
  RawParameters raw;
  for (const auto& [name, value] : wanted)
    if (description.find(name) != nullptr) raw[name] = value;
  return raw;
}

/// The parameters with another value of one of them.
RawParameters with(RawParameters raw, const std::string& name, const std::string& value) {
  raw.insert_or_assign(name, value);
  return raw;
}

Parameters resolved(const Algorithm& algorithm, const DatasetView& train, const RawParameters& raw) {
  const Dataset& dataset = train.dataset();
  const ExpressionVariables sizes{static_cast<double>(train.size()),
                                  static_cast<double>(dataset.feature_count()),
                                  static_cast<double>(dataset.output_count())};
  return resolve(algorithm.description().parameters, raw, dataset.task(), sizes);
}

Context context_of(std::uint64_t seed) {
  Context context;
  context.stream = Stream(seed);
  return context;
}

std::unique_ptr<Model> fit(const Algorithm& algorithm, const DatasetView& train, const RawParameters& raw) {
  return algorithm.fit(train, resolved(algorithm, train, raw), context_of(7));
}

/// All scores of all rows, and the decisions where the algorithm makes them.
struct Answer {
  std::vector<double> scores;
  std::optional<LabelSets> decisions;
  bool operator==(const Answer&) const = default;
};

Answer answer(const Predictions& predictions) {
  Answer all;
  for (std::size_t row = 0; row < predictions.rows(); ++row)
    for (std::size_t j = 0; j < predictions.outputs(); ++j) all.scores.push_back(predictions.score(row, j));
  all.decisions = predictions.decisions();
  return all;
}

Answer predict(const Model& model, const DatasetView& rows) {
  const Predictions predictions = model.predict(rows, context_of(8));
  CHECK(predictions.rows() == rows.size());
  CHECK(predictions.outputs() == rows.dataset().output_count());
  Answer all = answer(predictions);
  CHECK(std::all_of(all.scores.begin(), all.scores.end(), [](double score) { return std::isfinite(score); }));
  return all;
}

/// Calls body with every algorithm and every task it declares.
void for_each_algorithm(const std::function<void(const Algorithm&, Task)>& body) {
  for (const std::string& name : Registry::instance().names()) {
    const Algorithm& algorithm = Registry::instance().get(name);
    for (const Task task : algorithm.description().capabilities.tasks) {
      CAPTURE(name);
      CAPTURE(task_name(task));
      body(algorithm, task);
    }
  }
}

DatasetView half(const std::shared_ptr<const Dataset>& data, bool second) {
  const std::size_t middle = data->rows() / 2;
  return DatasetView(data).slice(second ? middle : 0, second ? data->rows() : middle);
}

/// Fits and predicts, or fails with a message that says something.
void require_result_or_error(const Algorithm& algorithm, const DatasetView& train, const RawParameters& raw) {
  try {
    predict(*fit(algorithm, train, raw), train);
  } catch (const Error& error) {
    const bool kind = error.kind() == ErrorKind::fit || error.kind() == ErrorKind::config;
    CHECK(kind);
    CHECK(error.message().size() > 20);
  }
}

std::string saved(const Algorithm& algorithm, const Model& model, const DatasetView& train,
                  const RawParameters& raw) {
  return model_bytes(model, algorithm.description().name, resolved(algorithm, train, raw),
                     ModelSchema::of(train.dataset()), nlohmann::json::object());
}

}  // namespace

TEST_CASE("every algorithm says what it is and what its parameters mean") {
  for_each_algorithm([](const Algorithm& algorithm, Task) {
    const AlgorithmDescription& description = algorithm.description();
    CHECK(!description.summary.empty());
    CHECK(!description.reference.empty());
    for (const ParameterSpec& spec : description.parameters) CHECK(!spec.meaning.empty());
    const auto staged = std::count_if(description.parameters.begin(), description.parameters.end(),
                                      [](const ParameterSpec& spec) { return spec.staged; });
    CHECK(staged <= 1);
  });
}

TEST_CASE("every algorithm fits and predicts rows it has not seen") {
  for_each_algorithm([](const Algorithm& algorithm, Task task) {
    const auto data = small_dataset(task, {});
    const auto model = fit(algorithm, half(data, false), quick(algorithm.description()));
    predict(*model, half(data, true));
    CHECK(predict(*model, half(data, true).slice(0, 0)).scores.empty());
  });
}

TEST_CASE("every algorithm gives the same model for the same stream") {
  for_each_algorithm([](const Algorithm& algorithm, Task task) {
    const auto raw = quick(algorithm.description());
    const auto train = half(small_dataset(task, {}), false);
    CHECK(saved(algorithm, *fit(algorithm, train, raw), train, raw) ==
          saved(algorithm, *fit(algorithm, train, raw), train, raw));
  });
}

TEST_CASE("every algorithm learns from the rows of its view only") {
  for_each_algorithm([](const Algorithm& algorithm, Task task) {
    // The same first half; other second halves.
    const auto raw = quick(algorithm.description());
    const auto data = small_dataset(task, {});
    const auto model = fit(algorithm, half(data, false), raw);
    Features features(30);
    for (std::size_t j = 0; j < data->feature_count(); ++j)
      features.add_dense("", data->features().column(j).values.subspan(0, 30));
    std::shared_ptr<const Dataset> alone;
    if (task == Task::regression) {
      const auto values = data->targets().values().subspan(0, 30 * data->output_count());
      alone = std::make_shared<const Dataset>(
          "alone", std::move(features), RealTargets(data->output_count(), {values.begin(), values.end()}));
    } else {
      LabelSets labels(data->labels().label_count());
      for (std::size_t row = 0; row < 30; ++row) labels.add_row(data->labels()[row]);
      alone = std::make_shared<const Dataset>("alone", task, std::move(features), std::move(labels));
    }
    CHECK(predict(*model, half(data, true)) ==
          predict(*fit(algorithm, DatasetView(alone), raw), half(data, true)));
  });
}

TEST_CASE("every algorithm predicts a row alike, whatever other rows are asked for") {
  for_each_algorithm([](const Algorithm& algorithm, Task task) {
    const auto data = small_dataset(task, {});
    const auto model = fit(algorithm, half(data, false), quick(algorithm.description()));
    const std::size_t d = data->output_count();
    const Answer all = predict(*model, half(data, true));
    const Answer twice = predict(*model, DatasetView(data, {35, 31, 35}));
    for (std::size_t j = 0; j < d; ++j) {
      CHECK(twice.scores[j] == all.scores[5 * d + j]);
      CHECK(twice.scores[d + j] == all.scores[d + j]);
      CHECK(twice.scores[2 * d + j] == all.scores[5 * d + j]);
    }
  });
}

TEST_CASE("every algorithm is the same on dense and sparse columns") {
  for_each_algorithm([](const Algorithm& algorithm, Task task) {
    const auto raw = quick(algorithm.description());
    const auto sparse = small_dataset(task, {.rows = 120, .features = 20, .inputs = Inputs::sparse});
    const auto dense = small_dataset(task, {.rows = 120, .features = 20, .inputs = Inputs::sparse_dense});
    REQUIRE(sparse->fingerprint() == dense->fingerprint());
    const auto from_sparse = fit(algorithm, half(sparse, false), raw);
    const auto from_dense = fit(algorithm, half(dense, false), raw);
    const Answer expected = predict(*from_dense, half(dense, true));
    CHECK(predict(*from_sparse, half(sparse, true)) == expected);
    CHECK(predict(*from_sparse, half(dense, true)) == expected);
    CHECK(saved(algorithm, *from_sparse, half(sparse, false), raw) ==
          saved(algorithm, *from_dense, half(dense, false), raw));
  });
}

TEST_CASE("every algorithm is the same for any number of threads" * doctest::test_suite("scheduler")) {
  for_each_algorithm([](const Algorithm& algorithm, Task task) {
    const auto raw = quick(algorithm.description());
    const auto data = small_dataset(task, {.rows = 300});
    std::vector<std::string> models;
    std::vector<Answer> answers;
    for (const int threads : {1, 2, 4}) {
      in_arena(threads, [&] {
        const auto model = fit(algorithm, half(data, false), raw);
        models.push_back(saved(algorithm, *model, half(data, false), raw));
        answers.push_back(predict(*model, half(data, true)));
      });
    }
    CHECK(models[1] == models[0]);
    CHECK(models[2] == models[0]);
    CHECK(answers[1] == answers[0]);
    CHECK(answers[2] == answers[0]);
  });
}

TEST_CASE("every algorithm predicts identically after saving and loading") {
  for_each_algorithm([](const Algorithm& algorithm, Task task) {
    const auto raw = quick(algorithm.description());
    const auto data = small_dataset(task, {});
    const auto train = half(data, false);
    const auto model = fit(algorithm, train, raw);
    const std::string bytes = saved(algorithm, *model, train, raw);
    const SavedModel loaded = load_model(ModelReader::from_bytes(bytes, "saved"));
    CHECK(loaded.algorithm == algorithm.description().name);
    CHECK(predict(*loaded.model, half(data, true)) == predict(*model, half(data, true)));
    CHECK(loaded.model->facts() == model->facts());
    CHECK(loaded.model->describe(loaded.schema) == model->describe(loaded.schema));
    CHECK(saved(algorithm, *loaded.model, train, raw) == bytes);
  });
}

TEST_CASE("every staged algorithm answers as separate fits would") {
  for_each_algorithm([](const Algorithm& algorithm, Task task) {
    const ParameterSpec* staged = algorithm.description().staged();
    if (staged == nullptr) return;
    const RawParameters raw = with(quick(algorithm.description()), staged->name, "7");
    const auto data = small_dataset(task, {});
    const auto model = fit(algorithm, half(data, false), raw);
    const std::vector<double> stages{1, 2, 5, 7};
    std::size_t seen = 0;
    model->predict_staged(
        half(data, true), stages,
        [&](std::size_t index, const Predictions& predictions) {
          CHECK(index == seen++);
          const std::string stage = std::to_string(static_cast<int>(stages[index]));
          const auto separate = fit(algorithm, half(data, false), with(raw, staged->name, stage));
          CHECK(answer(predictions) == predict(*separate, half(data, true)));
          CHECK(model->facts_at(stages[index]) == separate->facts());
        },
        context_of(8));
    CHECK(seen == stages.size());
  });
}

TEST_CASE("every algorithm gives a clear result or a clear error on awkward data") {
  for_each_algorithm([](const Algorithm& algorithm, Task task) {
    const auto raw = quick(algorithm.description());
    const std::vector<std::pair<const char*, Shape>> shapes{
        {"one row", {.rows = 1}},
        {"two rows", {.rows = 2}},
        {"one feature", {.features = 1}},
        {"one output", {.outputs = 1}},
        {"constant features", {.inputs = Inputs::constant}},
        {"no label, or one class", {.empty_labels = true}},
        {"one row of no label", {.rows = 1, .empty_labels = true}},
        {"duplicated rows", {.rows = 20, .copies = 4}},
        {"more features than rows", {.rows = 8, .features = 90}},
        {"many outputs", {.outputs = 200}},
    };
    for (const auto& [what, shape] : shapes) {
      CAPTURE(what);
      require_result_or_error(algorithm, DatasetView(small_dataset(task, shape)), raw);
    }
  });
}

TEST_CASE("every algorithm refuses an empty training set") {
  for_each_algorithm([](const Algorithm& algorithm, Task task) {
    const auto data = small_dataset(task, {});
    const Parameters parameters = resolved(algorithm, DatasetView(data), quick(algorithm.description()));
    CHECK_THROWS_AS(algorithm.fit(DatasetView(data).slice(0, 0), parameters, context_of(7)), Error);
  });
}

TEST_CASE("every algorithm handles missing values or names the feature that has them") {
  for_each_algorithm([](const Algorithm& algorithm, Task task) {
    const auto raw = quick(algorithm.description());
    const auto data = small_dataset(task, {.inputs = Inputs::missing});
    const auto complete = small_dataset(task, {});
    const auto expect_refusal = [&](const std::function<void()>& action) {
      try {
        action();
        FAIL_CHECK("missing values were accepted");
      } catch (const Error& error) {
        CHECK(error.kind() == ErrorKind::fit);
        CHECK(error.message().find("x1") != std::string::npos);
        CHECK(error.message().find("impute") != std::string::npos);
      }
    };
    const auto model = fit(algorithm, half(complete, false), raw);
    if (algorithm.description().capabilities.missing_values) {
      predict(*fit(algorithm, half(data, false), raw), half(complete, true));
      predict(*model, DatasetView(data));
      return;
    }
    expect_refusal([&] { fit(algorithm, half(data, false), raw); });
    expect_refusal([&] { predict(*model, DatasetView(data)); });
    // The missing value is in the first half: the second is fine.
    predict(*fit(algorithm, half(data, true), raw), half(data, true));
  });
}

TEST_CASE("every algorithm with min_samples_leaf accepts one above the number of rows") {
  for_each_algorithm([](const Algorithm& algorithm, Task task) {
    if (algorithm.description().find("min_samples_leaf") == nullptr) return;
    const RawParameters raw = with(quick(algorithm.description()), "min_samples_leaf", "1000");
    const DatasetView train(small_dataset(task, {}));
    const Answer scores = predict(*fit(algorithm, train, raw), train);
    const std::size_t d = train.dataset().output_count();
    for (std::size_t i = 0; i < scores.scores.size(); ++i) CHECK(scores.scores[i] == scores.scores[i % d]);
  });
}

TEST_CASE("every algorithm with a number of features refuses more than there are") {
  for_each_algorithm([](const Algorithm& algorithm, Task task) {
    if (algorithm.description().find("features") == nullptr) return;
    const RawParameters raw = with(quick(algorithm.description()), "features", "7");
    const DatasetView train(small_dataset(task, {.features = 6}));
    try {
      resolved(algorithm, train, raw);
      FAIL_CHECK("seven of six features were accepted");
    } catch (const Error& error) {
      CHECK(error.kind() == ErrorKind::config);
      CHECK(error.message().find("features") != std::string::npos);
    }
  });
}

TEST_CASE("every algorithm stops when asked to") {
  for_each_algorithm([](const Algorithm& algorithm, Task task) {
    if (algorithm.description().parameters.empty()) return;
    const DatasetView train(small_dataset(task, {}));
    StopFlag stop;
    stop.request();
    Context context = context_of(7);
    context.stop = &stop;
    try {
      algorithm.fit(train, resolved(algorithm, train, quick(algorithm.description())), context);
      FAIL_CHECK("the stop was not noticed");
    } catch (const Error& error) {
      CHECK(error.kind() == ErrorKind::interrupted);
    }
  });
}
