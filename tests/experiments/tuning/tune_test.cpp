#include <atomic>
#include <cmath>
#include <mutex>
#include <set>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "core/data/splits/splits.h"
#include "core/parameters/declare.h"
#include "experiments/schedule/run_fit.h"
#include "experiments/schedule/score_model.h"
#include "experiments/store/result_folder.h"
#include "experiments/tuning/chosen_table.h"
#include "experiments/tuning/inner_splits.h"
#include "experiments/tuning/tuner.h"
#include "tests/support/experiment.h"
#include "tests/support/runs.h"
#include "tests/support/temporary_folder.h"

using namespace coppice;
using coppice::testing::plan_of;
using coppice::testing::replaced_in;
using coppice::testing::run_quietly;
using coppice::testing::with_jobs;

namespace {

const std::string tuned_experiment = R"(name: tuned
seed: 5
datasets:
  - friedman1-chain: {train: 60, test: 40, targets: 2}
  - multilabel: {train: 60, test: 40, labels: 5}
protocol: {test: given, repeats: 2, select: {kfold: 3, metric: [r2-macro, lrap]}}
algorithms:
  - constant
  - extra-trees: {id: ET, tune: {trees: {upto: 6}, min_samples_leaf: [1, 3, 8], search: grid}}
metrics: [r2-macro, lrap]
)";

/// Watches what an algorithm is given: predicts the mean, worse the further `offset` is from 3.
class Spy : public Algorithm {
 public:
  Spy() {
    description_.name = "spy";
    description_.summary = "Remembers the rows it was fitted on.";
    description_.parameters = {
        number_parameter("offset", ParameterType::integer, "0", "0", "Added to predictions.", "", "test")};
  }
  const AlgorithmDescription& description() const override { return description_; }
  std::unique_ptr<Model> fit(const DatasetView& train, const Parameters& parameters,
                             const Context& context) const override;
  std::unique_ptr<Model> load(const std::shared_ptr<const ModelReader>& reader) const override {
    reader->fail("cannot be loaded");
  }

  static inline std::mutex mutex;
  static inline std::vector<Rows> fitted;
  static inline std::vector<Rows> predicted;

 private:
  AlgorithmDescription description_;
};

class SpyModel : public Model {
 public:
  SpyModel(double offset, std::size_t outputs) : offset_(offset), outputs_(outputs) {}
  Predictions predict(const DatasetView& rows, const Context&) const override {
    const std::scoped_lock lock(Spy::mutex);
    Spy::predicted.emplace_back(rows.rows().begin(), rows.rows().end());
    Predictions predictions = Predictions::make_dense(rows.size(), outputs_);
    for (std::size_t i = 0; i < rows.size(); ++i)
      for (std::size_t j = 0; j < outputs_; ++j) predictions.dense_row(i)[j] = std::abs(offset_ - 3.0);
    return predictions;
  }
  void save(ModelWriter&) const override {}

 private:
  double offset_;
  std::size_t outputs_;
};

std::unique_ptr<Model> Spy::fit(const DatasetView& train, const Parameters& parameters,
                                const Context& /*context*/) const {
  const std::scoped_lock lock(mutex);
  fitted.emplace_back(train.rows().begin(), train.rows().end());
  return std::make_unique<SpyModel>(parameters.number("offset"), train.dataset().output_count());
}

/// Predicts the first feature if it believes in it, else the mean.
class Believer : public Algorithm {
 public:
  Believer() {
    description_.name = "believer";
    description_.summary = "Predicts the first feature.";
    description_.parameters = {switch_parameter("believe", true, "Whether it does.", "test")};
  }
  const AlgorithmDescription& description() const override { return description_; }
  std::unique_ptr<Model> fit(const DatasetView& train, const Parameters& parameters,
                             const Context& context) const override {
    if (!parameters.boolean("believe")) return Registry::instance().get("constant").fit(train, {}, context);
    return std::make_unique<Echo>();
  }
  std::unique_ptr<Model> load(const std::shared_ptr<const ModelReader>& reader) const override {
    reader->fail("cannot be loaded");
  }

 private:
  struct Echo : Model {
    Predictions predict(const DatasetView& rows, const Context&) const override {
      Predictions predictions = Predictions::make_dense(rows.size(), 1);
      for (std::size_t i = 0; i < rows.size(); ++i)
        predictions.dense_row(i)[0] = rows.dataset().features().column(0).at(rows[i]);
      return predictions;
    }
    void save(ModelWriter&) const override {}
  };

  AlgorithmDescription description_;
};

nlohmann::json tuning_of(const std::filesystem::path& folder, const std::string& dataset, int repeat) {
  for (const auto& [hash, record] : read_journal(folder / "trials.jsonl").records)
    if (record.dataset == dataset && record.repeat == repeat && record.details.contains("tuning"))
      return record.details["tuning"];
  return nullptr;
}

}  // namespace

TEST_CASE("tuning picks what is best on the validation parts, refits on all training rows and records it") {
  const testing::TemporaryFolder folder;
  const Plan plan = plan_of(tuned_experiment);
  CHECK(plan.trials.size() == 2 * 2 * 2);
  CHECK(run_quietly(plan, folder.path(), with_jobs(2)).done == 8);
  for (const char* dataset : {"friedman1-chain", "multilabel"}) {
    const nlohmann::json tuning = tuning_of(folder.path(), dataset, 1);
    CHECK(tuning["metric"] == (std::string(dataset) == "multilabel" ? "lrap" : "r2-macro"));
    CHECK(tuning["tried"].size() == 3);
    CHECK(tuning["fits"] == 9);
    double best = -1e300;
    nlohmann::json chosen;
    for (const auto& tried : tuning["tried"])
      if (tried["score"].get<double>() > best) {
        best = tried["score"];
        chosen = tried["parameters"];
      }
    CHECK(tuning["chosen"] == chosen);
    CHECK(tuning["score"] == best);
  }
  const Table table = chosen_table(folder.path());
  CHECK(table.rows.size() == 4);
  CHECK(table.columns.size() == 2 + 3);

  // The reported score is that of the chosen parameters fitted on the whole training part.
  const nlohmann::json chosen = tuning_of(folder.path(), "friedman1-chain", 0)["chosen"];
  const std::string fixed = replaced_in(
      replaced_in(tuned_experiment, "tune: {trees: {upto: 6}, min_samples_leaf: [1, 3, 8], search: grid}",
                  fmt::format("trees: {}, min_samples_leaf: {}", chosen["trees"].dump(),
                              chosen["min_samples_leaf"].dump())),
      ", select: {kfold: 3, metric: [r2-macro, lrap]}", "");
  const testing::TemporaryFolder plain;
  run_quietly(plan_of(fixed), plain.path());
  const auto score = [](const std::filesystem::path& where) {
    for (const ResultRow& row : load_results(where).rows)
      if (row.dataset == "friedman1-chain" && row.algorithm == "ET" && row.repeat == 0) return row.value;
    return std::nan("");
  };
  CHECK(score(folder.path()) == score(plain.path()));
}

TEST_CASE("no test row is seen before the parameters are chosen, and none is ever fitted on") {
  const testing::Registered registered(std::make_unique<Spy>());
  const std::string text = R"(name: spied
seed: 2
datasets: [friedman1: {train: 40, test: 20, prepare: [standardise-targets]}]
protocol: {test: {kfold: 4}, select: {kfold: 3, repeats: 2, metric: mse}}
algorithms: [spy: {tune: {offset: [0, 1, 2, 3, 4, 5]}}]
metrics: [mse]
)";
  const Plan plan = plan_of(text);
  for (const Fit& fit : plan.fits) {
    Spy::fitted.clear();
    Spy::predicted.clear();
    const TrialRecord record = run_fit(plan, fit, {}).front();
    REQUIRE(record.outcome == TrialRecord::Outcome::done);
    const Split split = plan.split(0, 0, fit.fold);
    const std::set<std::uint32_t> test(split.test.begin(), split.test.end());
    REQUIRE(Spy::fitted.size() == 6 * 6 + 1);
    for (const Rows& rows : Spy::fitted)
      for (const std::uint32_t row : rows) CHECK_FALSE(test.contains(row));
    CHECK(Spy::fitted.back() == split.train);
    for (std::size_t i = 0; i + 1 < Spy::predicted.size(); ++i)
      for (const std::uint32_t row : Spy::predicted[i]) CHECK_FALSE(test.contains(row));
    CHECK(Spy::predicted.back() == split.test);
    CHECK(record.parameters["offset"] == 3);  // the mean of standardised targets is 0
  }
}

TEST_CASE("a target that only the test rows reveal is not learnt") {
  // The feature is the target on test rows and noise on training rows: whoever looked at test rows would take
  // the setting that believes it, and be perfect.
  const testing::Registered registered(std::make_unique<Believer>());
  const testing::TemporaryFolder folder;
  Stream stream(7);
  std::string csv = "feature,target\n";
  std::string splits = "split,part,row\n";
  for (int row = 0; row < 300; ++row) {
    const double target = stream.normal();
    csv += fmt::format("{},{}\n", row < 200 ? stream.normal() : target, target);
    splits += fmt::format("0,{},{}\n", row < 200 ? "train" : "test", row);
  }
  write_atomically(folder.path() / "data.csv", csv);
  write_atomically(folder.path() / "splits.csv", splits);
  const std::string config = fmt::format(R"(name: leak
seed: 2
datasets: [revealing: {{file: {0}/data.csv, targets: 1}}]
protocol: {{test: {{folds: {0}/splits.csv}}, repeats: 3, select: {{holdout: 0.25, repeats: 2, metric: r2-macro}}}}
algorithms: [believer: {{tune: {{believe: [true, false]}}}}, believer: {{id: told, believe: true}}]
metrics: [r2-macro]
)",
                                         folder.path().string());
  run_quietly(plan_of(config), folder.path() / "results");
  for (const ResultRow& row : load_results(folder.path() / "results").rows)
    if (row.algorithm == "told")
      CHECK(row.value > 0.999);  // the feature does reveal it
    else
      CHECK(row.value < 0.1);
}

TEST_CASE("copies of a row, as a bootstrap draws them, never stand on both sides of an inner split") {
  const Plan plan = plan_of(replaced_in(tuned_experiment, "test: given", "test: {bootstrap: 3}"));
  const auto dataset = plan.pool->get(0, 0);
  const Split outer = plan.split(0, 0, 1);
  for (const Split& inner : inner_splits(plan.experiment.selection(), *dataset, outer.train,
                                         selection_stream(1, 0, 1, *dataset))) {
    CHECK(inner.train.size() + inner.test.size() == outer.train.size());
    for (const std::uint32_t row : inner.test)
      CHECK(std::find(inner.train.begin(), inner.train.end(), row) == inner.train.end());
  }
}

TEST_CASE(
    "every search is the same on any number of threads, alone, and after an interruption in its middle") {
  for (const char* search :
       {"grid", "{random: 4}", "{bayes: 7}", "{halving: {trials: 4, factor: 2, resource: rows}}",
        "{halving: {trials: 4, factor: 2, resource: trees}}", "{hyperband: {factor: 3, least: 2}}"}) {
    CAPTURE(search);
    std::string text = replaced_in(tuned_experiment, "search: grid", std::string("search: ") + search);
    text = replaced_in(text, "repeats: 2", "repeats: 1");
    if (std::string(search) != "grid")
      text = replaced_in(text, "min_samples_leaf: [1, 3, 8]", "min_samples_leaf: {integer: [1, 9]}");
    const testing::TemporaryFolder one;
    const testing::TemporaryFolder two;
    const testing::TemporaryFolder isolated;
    run_quietly(plan_of(text), one.path(), with_jobs(1));
    run_quietly(plan_of(text), two.path(), with_jobs(4));
    ScheduleOptions apart = with_jobs(2);
    apart.isolate = true;
    run_quietly(plan_of(text), isolated.path(), apart);
    CHECK(read_text(one.path() / "results.csv") == read_text(two.path() / "results.csv"));
    CHECK(read_text(one.path() / "results.csv") == read_text(isolated.path() / "results.csv"));
    CHECK(tuning_of(one.path(), "multilabel", 0)["tried"] == tuning_of(two.path(), "multilabel", 0)["tried"]);

    // As if it had been killed after half of the inner fits: they are not made again.
    const std::string inner = read_text(one.path() / "tuning.jsonl");
    std::filesystem::remove(two.path() / "trials.jsonl");
    const std::size_t half = inner.find('\n', inner.size() / 2) + 1;
    write_atomically(two.path() / "tuning.jsonl", inner.substr(0, half));
    run_quietly(plan_of(text), two.path(), with_jobs(2));
    CHECK(read_text(one.path() / "results.csv") == read_text(two.path() / "results.csv"));
    CHECK(read_text(two.path() / "tuning.jsonl").starts_with(inner.substr(0, half)));
    CHECK(read_journal(two.path() / "tuning.jsonl").records.size() ==
          read_journal(one.path() / "tuning.jsonl").records.size());
  }
}

TEST_CASE("inner fits of an earlier run are not made again") {
  const testing::Registered registered(std::make_unique<Spy>());
  const std::string text = R"(name: spied
seed: 2
datasets: [friedman1: {train: 40, test: 20}]
protocol: {select: {kfold: 3, metric: mse}}
algorithms: [spy: {tune: {offset: [0, 1, 2]}}]
metrics: [mse]
)";
  const testing::TemporaryFolder folder;
  run_quietly(plan_of(text), folder.path());
  Spy::fitted.clear();
  std::filesystem::remove(folder.path() / "trials.jsonl");
  run_quietly(plan_of(replaced_in(text, "[0, 1, 2]", "[2, 7, 0, 1]")), folder.path());
  CHECK(Spy::fitted.size() == 3 + 1);  // the new value on three parts, and the refit
}

TEST_CASE("a setting that a search draws again is not fitted again") {
  const testing::Registered registered(std::make_unique<Spy>());
  for (const char* search : {"{random: 20}", "{bayes: 20}", "{hyperband: {resource: rows}}"}) {
    CAPTURE(search);
    const testing::TemporaryFolder folder;
    Spy::fitted.clear();
    run_quietly(plan_of(fmt::format("name: again\nseed: 2\ndatasets: [friedman1: {{train: 40, test: 20}}]\n"
                                    "protocol: {{select: {{kfold: 2, metric: mse}}}}\n"
                                    "algorithms: [spy: {{tune: {{offset: [0, 3], search: {}}}}}]\n"
                                    "metrics: [mse]\n",
                                    search)),
                folder.path());
    const std::size_t fits = tuning_of(folder.path(), "friedman1", 0)["fits"];
    // Two values on two parts, with as many shares of the rows as Hyperband has rounds.
    CHECK(fits <= 2 * 2 * (std::string(search).find("rows") == std::string::npos ? 1 : 4));
    CHECK(Spy::fitted.size() == fits + 1);
    CHECK(tuning_of(folder.path(), "friedman1", 0)["chosen"]["offset"] == 0);
  }
}

TEST_CASE("a setting that fails is told and not chosen; a lack of memory is no reason to choose another") {
  const testing::Registered registered(make_faulty());
  const std::string text = R"(name: failing
seed: 2
datasets: [friedman1: {train: 40, test: 20}]
algorithms: [faulty: {tune: {how: [well, error, number]}}]
metrics: [mse]
)";
  const testing::TemporaryFolder folder;
  CHECK(run_quietly(plan_of(text), folder.path()).done == 1);
  const nlohmann::json tuning = tuning_of(folder.path(), "friedman1", 0);
  CHECK(tuning["chosen"]["how"] == "well");
  std::map<std::string, std::string> errors;
  for (const auto& one : tuning["tried"]) errors[one["parameters"]["how"]] = one.value("error", "");
  CHECK(errors["well"].empty());
  CHECK(errors["error"] == "asked to fail");
  CHECK(errors["number"].find("something was thrown") != std::string::npos);
  const Table table = chosen_table(folder.path());
  CHECK(table.columns.back().text == "failed");
  CHECK(table.cells[0].back().text == "2");

  const testing::TemporaryFolder small;
  CHECK(run_quietly(plan_of(replaced_in(text, "error, number", "memory")), small.path()).failed == 1);
  CHECK(load_results(small.path()).holes.at(0).reason.find("out of memory") != std::string::npos);
}

TEST_CASE("a setting whose limit is below every stage asked for is fitted at the stage it was compared at") {
  const Plan plan = plan_of(replaced_in(tuned_experiment, "{upto: 6}", "[4, 6]"));
  Fit fit = plan.fits[1];
  const auto space = std::make_shared<SearchSpace>(*fit.space);
  for (const Parameters& setting : space->grid()) space->limits[space->setting_text(setting)] = 2.0;
  fit.space = space;
  const TrialRecord record = run_fit(plan, fit, {}).front();
  CHECK(record.details["tuning"]["chosen"]["trees"] == 2);
  CHECK(record.parameters["trees"] == 2);
}

TEST_CASE("the identity of a tuned trial is what is searched and how, not the order it is written in") {
  const auto hash = [](const std::string& text) { return plan_of(text).trials[1].hash; };
  const std::string original = hash(tuned_experiment);
  CHECK(hash(replaced_in(tuned_experiment, "[1, 3, 8]", "[8, 1, 3]")) == original);
  CHECK(hash(replaced_in(tuned_experiment, "trees: {upto: 6}, min_samples_leaf: [1, 3, 8]",
                         "min_samples_leaf: [1, 3, 8], trees: [1, 2, 3, 4, 5, 6]")) == original);
  CHECK(hash(replaced_in(tuned_experiment, "[1, 3, 8]", "[1, 3]")) != original);
  CHECK(hash(replaced_in(tuned_experiment, "upto: 6", "upto: 7")) != original);
  CHECK(hash(replaced_in(tuned_experiment, "kfold: 3", "kfold: 4")) != original);
  CHECK(hash(replaced_in(tuned_experiment, "[r2-macro, lrap]}", "[mse, lrap]}")) != original);
  CHECK(hash(replaced_in(tuned_experiment, "search: grid", "search: {random: 3}")) != original);
}

TEST_CASE("without refitting the model that was compared is the one that is tested") {
  const testing::Registered registered(std::make_unique<Spy>());
  const std::string text = R"(name: kept
seed: 3
datasets: [friedman1-chain: {train: 50, test: 20, targets: 2}]
protocol: {test: given, select: {holdout: 0.2, metric: mse, refit: false}}
algorithms:
  - spy: {tune: {offset: [0, 3]}}
  - extra-trees: {id: ET, tune: {trees: {upto: 8}, min_samples_leaf: [1, 5]}}
metrics: [mse]
)";
  const Plan plan = plan_of(text);
  CHECK(plan.trials[0].hash != plan_of(replaced_in(text, ", refit: false", "")).trials[0].hash);
  CHECK(plan.trials[0].hash ==
        plan_of(replaced_in(text, "mse, refit: false", "mse, rule: best, refit: false")).trials[0].hash);

  const testing::TemporaryFolder folder;
  Spy::fitted.clear();
  run_quietly(plan, folder.path());
  REQUIRE(Spy::fitted.size() == 3);
  CHECK(Spy::fitted[2].size() == 40);
  CHECK(Spy::fitted[2] == Spy::fitted[0]);

  // Fitted as the result says, the model scores on the rows that were held out what it was chosen by.
  const Context context{Stream(7)};
  const auto fit = std::ranges::find_if(
      plan.fits, [&](const Fit& one) { return plan.experiment.algorithms[one.entry].id == "ET"; });
  REQUIRE(fit != plan.fits.end());
  const TuningResult found = tune(plan, *fit, nullptr, context);
  Rows held_out;
  std::ranges::set_difference(plan.split(0, 0, 0).train, found.rows, std::back_inserter(held_out));
  REQUIRE(held_out.size() == 10);
  const auto data = plan.pool->get(0, 0);
  const auto model = Registry::instance()
                         .get("extra-trees")
                         .fit(DatasetView(data, found.rows), found.parameters, context.with(found.stream));
  const ModelScores scores = score_model(*model, DatasetView(data, found.rows), DatasetView(data, held_out),
                                         plan.metrics_for(0), {}, context);
  CHECK(scores.metrics[0].at("mse") == found.report["score"].get<double>());
}

TEST_CASE("the one-standard-error rule takes a smaller model that is nearly as good") {
  const testing::TemporaryFolder best;
  const testing::TemporaryFolder small;
  std::string text = replaced_in(tuned_experiment, "upto: 6", "upto: 30");
  run_quietly(plan_of(text), best.path(), with_jobs(2));
  text = replaced_in(text, "lrap]}", "lrap], rule: one-standard-error}");
  run_quietly(plan_of(text), small.path(), with_jobs(2));
  bool smaller = false;
  for (const int repeat : {0, 1}) {
    const nlohmann::json one = tuning_of(best.path(), "friedman1-chain", repeat);
    const nlohmann::json other = tuning_of(small.path(), "friedman1-chain", repeat);
    CHECK(other["score"].get<double>() >=
          one["score"].get<double>() - one["standard-error"].get<double>() - 1e-12);
    smaller = smaller || other["chosen"] != one["chosen"];
  }
  CHECK(smaller);
}

TEST_CASE("what is wrong with tuning is said before anything runs") {
  const auto check = [](const std::string& from, const std::string& to, const std::string& message) {
    std::string problems;
    plan_of(replaced_in(tuned_experiment, from, to), &problems);
    CHECK_MESSAGE(problems.find(message) != std::string::npos, problems);
  };
  check("trees: {upto: 6}", "trees: 6", "trees: expected a list of values, a range");
  check("trees: {upto: 6}", "tres: {upto: 6}", "did you mean trees?");
  check("min_samples_leaf: [1, 3, 8]", "min_samples_leaf: {upto: 3}", "'upto' is for a staged parameter");
  check("min_samples_leaf: [1, 3, 8]", "min_samples_leaf: {integer: [1, 9]}", "search at random");
  check("min_samples_leaf: [1, 3, 8]", "min_samples_leaf: {uniform: [1, 9]}", "use integer or log-integer");
  check("search: grid", "search: {rnadom: 3}", "no search 'rnadom'; did you mean random?");
  check("search: grid", "search: {halving: {resource: features}}", "the resource is rows or trees");
  check("id: ET,", "id: ET, trees: 3,", "trees is both set and tuned");
  check("id: ET,", "id: ET, sweep: {trees: [3]},", "trees is both swept and tuned");
  check("metric: [r2-macro, lrap]", "metric: lrap", "no metric to choose by on dataset 'friedman1-chain'");
  check("metric: [r2-macro, lrap]", "metric: fit-seconds", "not computed from predictions");
  check("kfold: 3,", "rule: one-standard-error,", "needs several validation parts");
  check("kfold: 3,", "kfold: 3, refit: false,", "use holdout without repeats");
  check("kfold: 3,", "kfold: 3, stratify: true,", "real targets have no labels to stratify by");
  check("kfold: 3,", "kfold: 100,", "100");
  check("[1, 3, 8]", "[0, 3, 8]", "min_samples_leaf: 0 is out of range");
}

TEST_CASE("ranges and distributions write out a sweep") {
  const auto rows = [](const std::string& values) {
    const Plan plan = plan_of(
        "name: s\nseed: 4\ndatasets: [friedman1: {train: 30, test: 9}]\nalgorithms:\n  - "
        "extra-trees: {id: ET, trees: 2, sweep: {min_samples_leaf: " +
        values + "}}\nmetrics: [mse]\n");
    std::vector<std::string> ids;
    for (const AlgorithmRow& row : plan.algorithms) ids.push_back(row.parameters.at("min_samples_leaf"));
    return ids;
  };
  CHECK(rows("{from: 1, to: 8, step: 3}") == std::vector<std::string>{"1", "4", "7"});
  CHECK(rows("{from: 1, to: 8, times: 2}") == std::vector<std::string>{"1", "2", "4", "8"});
  const auto drawn = rows("{integer: [1, 9], draws: 4}");
  CHECK(std::set<std::string>(drawn.begin(), drawn.end()).size() == 4);
  CHECK(rows("{integer: [1, 9], draws: 4}") == drawn);
  CHECK_THROWS_WITH_AS(rows("{integer: [1, 9]}"), doctest::Contains("how many values?"), Error);
  CHECK_THROWS_WITH_AS(rows("{integer: [1, 9], draws: 10}"),
                       doctest::Contains("fewer than 10 different values"), Error);
}
