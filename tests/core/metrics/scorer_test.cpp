#include <cmath>
#include <ctime>
#include <limits>

#include <doctest/doctest.h>
#include <sys/resource.h>

#include "core/base/error.h"
#include "tests/core/metrics/cases.h"

namespace coppice {

namespace {

using testing::Case;
using testing::evaluate;

const double nan = std::numeric_limits<double>::quiet_NaN();

/// Equal to the last bit, or both undefined.
bool same(double left, double right) {
  return left == right || (std::isnan(left) && std::isnan(right));
}

void check_same(const std::map<std::string, double>& left, const std::map<std::string, double>& right) {
  REQUIRE(left.size() == right.size());
  for (const auto& [name, value] : left)
    CHECK_MESSAGE(same(value, right.at(name)), name, ": ", value, " and ", right.at(name));
}

std::string refusal(const Case& problem, const Predictions& predictions, const std::string& metric) {
  try {
    evaluate(problem, predictions, {metric});
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::fit);
    return error.message();
  }
  return "";
}

Case thesis_example() {
  Case problem;
  problem.outputs = 5;
  problem.labels = {{0, 2}, {0}};
  problem.scores = {{0.75, 0.6, 0.1, 0.8, 0.15}, {0.25, 0.8, 0.1, 0.15, 0.3}};
  return problem;
}

/// Four rows, three outputs, with what is asked for filled in by the test.
Case small_case(Task task) {
  Case problem;
  problem.task = task;
  problem.outputs = 3;
  problem.scores.assign(4, {0.0, 0.0, 0.0});
  if (task == Task::regression) {
    problem.targets = {{1, 2, 3}, {4, 5, 6}, {7, 8, 10}, {0, 0, 1}};
  } else {
    problem.labels = {{0}, {1}, {2}, {0}};
  }
  return problem;
}

}  // namespace

TEST_CASE("the worked example of thesis 2.4.3") {
  const Case problem = thesis_example();
  for (const Predictions& predictions : {problem.dense(), problem.sparse()}) {
    auto values = evaluate(problem, predictions, testing::names_for(Task::multilabel));
    CHECK(values["subset-accuracy"] == 0.0);
    CHECK(values["accuracy"] == 0.0);
    CHECK(values["hamming-loss"] == doctest::Approx(0.5).epsilon(1e-15));
    CHECK(values["jaccard"] == 0.125);
    CHECK(values["one-error"] == 1.0);
    CHECK(values["coverage-error"] == 4.0);
    CHECK(values["ranking-loss"] == doctest::Approx(7.0 / 12.0).epsilon(1e-15));
    CHECK(values["lrap"] == doctest::Approx(47.0 / 120.0).epsilon(1e-15));
    CHECK(values["precision@2"] == 0.25);
  }
}

TEST_CASE("values depend neither on batches nor on the layout, to the last bit") {
  for (const Task task : {Task::multilabel, Task::multiclass, Task::regression}) {
    const auto names = testing::names_for(task);
    for (std::size_t index = 0; index < 200; ++index) {
      CAPTURE(index);
      Stream random = Stream(3).at("case", index);
      const Case problem = testing::random_case(task, random);
      const auto expected = evaluate(problem, problem.dense(), names);
      check_same(expected, evaluate(problem, problem.sparse(), names));
      check_same(expected, evaluate(problem, problem.sparse(1), names));

      Scorer scorer(testing::metrics_of(names), ScoringContext::of(problem.view()));
      for (std::size_t begin = 0; begin < problem.rows();) {
        const std::size_t end = begin + std::min(random.below(4), problem.rows() - begin);
        const Case part = testing::part_of(problem, begin, end);
        if (part.rows() > 0) scorer.add(part.view(), random.below(2) == 0 ? part.dense() : part.sparse());
        begin = end;
      }
      check_same(expected, scorer.values());
    }
  }
}

TEST_CASE("values can be read in between, and rows may come from a view in any order") {
  const Case problem = testing::random_case(Task::multilabel, Stream(21));
  const auto names = testing::names_for(Task::multilabel);
  const DatasetView all = problem.view();
  Scorer scorer(testing::metrics_of(names), ScoringContext::of(all));
  scorer.add(all.slice(1, 2), testing::part_of(problem, 1, 2).dense());
  check_same(scorer.values(), scorer.values());
  Scorer moved = std::move(scorer);
  moved.add(DatasetView(all.shared_dataset(), Rows{0, 1}), testing::part_of(problem, 0, 2).dense());

  Case reordered = problem;
  reordered.labels = {problem.labels[1], problem.labels[0], problem.labels[1]};
  reordered.scores = {problem.scores[1], problem.scores[0], problem.scores[1]};
  Scorer direct(testing::metrics_of(names), ScoringContext::of(all));
  direct.add(reordered.view(), reordered.dense());
  check_same(moved.values(), direct.values());
}

TEST_CASE("an algorithm's own decisions are used instead of the threshold") {
  Case problem = thesis_example();
  Predictions predictions = problem.sparse();
  predictions.set_decisions(LabelSets(5, {{0, 2}, {0, 1}}));
  const auto values = evaluate(problem, predictions, {"subset-accuracy", "jaccard", "micro-recall", "lrap"});
  CHECK(values.at("subset-accuracy") == 0.5);
  CHECK(values.at("jaccard") == 0.75);
  CHECK(values.at("micro-recall") == 1.0);
  CHECK(values.at("lrap") == doctest::Approx(47.0 / 120.0).epsilon(1e-15));

  Case classes = small_case(Task::multiclass);
  Predictions decided = classes.dense();
  decided.set_decisions(LabelSets(3, {{0}, {1}, {1}, {1}}));
  CHECK(evaluate(classes, decided, {"accuracy"}).at("accuracy") == 0.5);
}

TEST_CASE("a score of exactly 0.5 predicts its label") {
  Case problem;
  problem.outputs = 2;
  problem.labels = {{0}};
  problem.scores = {{0.5, std::nextafter(0.5, 0.0)}};
  CHECK(evaluate(problem, problem.dense(), {"subset-accuracy"}).at("subset-accuracy") == 1.0);
}

TEST_CASE("rows without true or predicted labels and rows with all of them count as documented") {
  Case empty;
  empty.outputs = 2;
  empty.labels = {{}};
  empty.scores = {{0.1, 0.2}};
  auto values = evaluate(empty, empty.dense(), testing::names_for(Task::multilabel));
  CHECK(values["lrap"] == 1.0);
  CHECK(values["precision@1"] == 0.0);
  CHECK(values["ndcg@1"] == 0.0);
  CHECK(std::isnan(values["psp@1"]));
  CHECK(values["one-error"] == 1.0);
  CHECK(values["coverage-error"] == 0.0);
  CHECK(values["ranking-loss"] == 0.0);
  CHECK(values["jaccard"] == 1.0);
  CHECK(values["subset-accuracy"] == 1.0);
  CHECK(values["samples-f1"] == 0.0);
  CHECK(values["micro-f1"] == 0.0);
  CHECK(std::isnan(values["micro-auc"]));
  CHECK(std::isnan(values["macro-auc"]));

  Case full = empty;
  full.labels = {{0, 1}};
  values = evaluate(full, full.dense(), testing::names_for(Task::multilabel));
  CHECK(values["lrap"] == 1.0);
  CHECK(values["coverage-error"] == 2.0);
  CHECK(values["ranking-loss"] == 0.0);
  CHECK(values["precision@50"] == 2.0 / 50.0);
  CHECK(values["ndcg@50"] == 1.0);
  CHECK(values["psp@50"] == 1.0);
}

TEST_CASE("the class is the largest score, the lowest of ties, class 0 without any score") {
  Case problem = small_case(Task::multiclass);
  problem.labels = {{0}, {1}, {2}, {1}};
  problem.scores = {{0, 0, 0}, {0.2, 0.4, 0.4}, {-1, -2, 0}, {-3, -1, -1}};
  for (const std::size_t keep : {1U, 2U, 5U})
    CHECK(evaluate(problem, problem.sparse(keep), {"accuracy"}).at("accuracy") == 1.0);
  CHECK(evaluate(problem, problem.dense(), {"accuracy"}).at("accuracy") == 1.0);
}

TEST_CASE("log-loss clips and normalises: a row without scores costs ln of the number of classes") {
  Case problem = small_case(Task::multiclass);
  CHECK(evaluate(problem, problem.sparse(), {"log-loss"}).at("log-loss") ==
        doctest::Approx(std::log(3.0)).epsilon(1e-15));
}

TEST_CASE("infinite scores rank as what they are") {
  const double infinity = std::numeric_limits<double>::infinity();
  Case problem = small_case(Task::multilabel);
  problem.scores = {{infinity, 0, -infinity}, {-infinity, 3, -infinity}, {0, 0, 5}, {1, infinity, -infinity}};
  for (const Predictions& predictions : {problem.dense(), problem.sparse()}) {
    const auto values = evaluate(problem, predictions, {"one-error", "lrap", "micro-auc"});
    CHECK(values.at("one-error") == 0.25);
    CHECK(values.at("lrap") == 0.875);
    CHECK(values.at("micro-auc") == 1.0 - 3.5 / 32.0);
  }
}

TEST_CASE("without rows every metric is undefined") {
  for (const Task task : {Task::multilabel, Task::multiclass, Task::regression}) {
    Scorer scorer(testing::metrics_of(testing::names_for(task)), ScoringContext::of(small_case(task).view()));
    for (const auto& [name, value] : scorer.values()) CHECK_MESSAGE(std::isnan(value), name);
  }
}

TEST_CASE("constant targets: r² is 1 or 0, rrmse leaves them out") {
  Case problem = small_case(Task::regression);
  for (auto& row : problem.targets) row[1] = 0.1;  // a constant whose rounded mean is not itself
  problem.scores = problem.targets;
  for (auto& row : problem.scores) row[0] += 1.0;
  const std::vector<std::string> names{"r2-macro", "r2-variance", "rrmse"};
  auto exact = evaluate(problem, problem.dense(), names);
  for (auto& row : problem.scores) row[1] = 7.0;
  auto wrong = evaluate(problem, problem.dense(), names);
  CHECK(exact["r2-macro"] - wrong["r2-macro"] == doctest::Approx(1.0 / 3.0));
  CHECK(exact["r2-variance"] == wrong["r2-variance"]);
}

TEST_CASE("an output that equals its training mean everywhere is left out of rrmse") {
  Case problem = small_case(Task::regression);
  for (auto& row : problem.targets) row[1] = 2.0;
  problem.scores.assign(4, {3.0, 99.0, 5.0});  // the training means, but for the constant
  CHECK(evaluate(problem, problem.dense(), {"rrmse"}).at("rrmse") == 1.0);
}

TEST_CASE("a score that is not a number is an error that names row and output") {
  Case problem = thesis_example();
  problem.scores[1][3] = nan;
  for (const Predictions& predictions : {problem.dense(), problem.sparse()})
    for (const char* metric : {"lrap", "micro-auc", "hamming-loss", "macro-f1"})
      CHECK(refusal(problem, predictions, metric)
                .find("dataset 'case', row 1, output 3 (y3): the score is not a") == 0);

  Case real = small_case(Task::regression);
  real.scores[2][0] = nan;
  CHECK(refusal(real, real.dense(), "mse").find("row 2, output 0 (y0): the score is not a number") !=
        std::string::npos);
  real.scores[2][0] = std::numeric_limits<double>::infinity();
  CHECK(refusal(real, real.sparse(), "mse").find("row 2, output 0 (y0): the predicted value is infinite") !=
        std::string::npos);
  real.scores[2][0] = 1e200;
  CHECK(refusal(real, real.dense(), "mse").find("output 0: squared errors are beyond the range") == 0);
}

TEST_CASE("predictions that do not fit the rows are refused") {
  const Case problem = thesis_example();
  CHECK(refusal(problem, Predictions::make_dense(3, 5), "lrap").find("3 rows × 5 outputs where 2 × 5") !=
        std::string::npos);
  CHECK(refusal(problem, Predictions::make_dense(2, 4), "lrap").find("2 rows × 4 outputs where 2 × 5") !=
        std::string::npos);
  Predictions disordered = Predictions::make_sparse(5);
  disordered.add_row(std::vector<std::uint32_t>{2, 1}, std::vector<double>{0.5, 0.5});
  disordered.add_row({}, {});
  CHECK(refusal(problem, disordered, "lrap").find("row 0: label 1 is listed out of order") !=
        std::string::npos);
  Predictions beyond = Predictions::make_sparse(5);
  beyond.add_row({}, {});
  beyond.add_row(std::vector<std::uint32_t>{5}, std::vector<double>{0.5});
  CHECK(refusal(problem, beyond, "lrap").find("row 1: label 5 is listed") != std::string::npos);

  Predictions undecided = problem.dense();
  undecided.set_decisions(LabelSets(5, {{0}}));
  CHECK(refusal(problem, undecided, "jaccard").find("decisions for 1 rows × 5 labels") != std::string::npos);
  const Case classes = small_case(Task::multiclass);
  Predictions doubtful = classes.dense();
  doubtful.set_decisions(LabelSets(3, {{0}, {0}, {0, 1}, {0}}));
  CHECK(refusal(classes, doubtful, "accuracy").find("row 2: 2 classes are predicted") != std::string::npos);
}

TEST_CASE("a scorer refuses metrics it cannot give") {
  const ScoringContext context = ScoringContext::of(thesis_example().view());
  const auto message = [&](const std::string& metric, const ScoringContext& known) -> std::string {
    try {
      Scorer scorer(testing::metrics_of({metric}), known);
    } catch (const Error& error) {
      CHECK(error.kind() == ErrorKind::config);
      return error.message();
    }
    return "";
  };
  CHECK(message("fit-seconds", context).find("metric 'fit-seconds' is measured by the framework") == 0);
  CHECK(message("mse", context) == "metric 'mse' is for regression data, and this is multi-label data");
  CHECK(message("log-loss", context) ==
        "metric 'log-loss' is for multi-class data, and this is multi-label data");
  CHECK(message("lrap", ScoringContext::of(small_case(Task::regression).view())) ==
        "metric 'lrap' is for multi-label and multi-class data, and this is regression data");

  // Without a training part, as when a saved model is evaluated, only those that look at it are refused.
  ScoringContext labels_only;
  labels_only.outputs = 5;
  CHECK(message("lrap", labels_only).empty());
  CHECK(message("psp@3", labels_only).find("metric 'psp@3' compares with the training part") == 0);
  ScoringContext targets_only;
  targets_only.task = Task::regression;
  targets_only.outputs = 2;
  CHECK(message("mse", targets_only).empty());
  CHECK(message("rrmse", targets_only).find("metric 'rrmse' compares with the training part") == 0);

  Scorer scorer(testing::metrics_of({"lrap"}), context);
  const Case other = small_case(Task::multilabel);
  CHECK_THROWS_WITH_AS(
      scorer.add(other.view(), other.dense()),
      doctest::Contains("dataset 'case' has 3 multi-label outputs, and the training part has 5"), Error);
}

TEST_CASE("work and memory follow the listed scores, not the number of labels") {
  constexpr std::size_t rows = 20000;
  constexpr std::uint32_t labels = 1000000;
  constexpr std::size_t listed = 50;
  Stream random(8);
  LabelSets truth(labels);
  Predictions predictions = Predictions::make_sparse(labels);
  const std::vector<double> scores(listed, 0.25);
  for (std::size_t row = 0; row < rows; ++row) {
    std::vector<std::uint32_t> chosen;
    for (std::size_t i = 0; i < listed; ++i)
      chosen.push_back(static_cast<std::uint32_t>(i * (labels / listed) + random.below(labels / listed)));
    predictions.add_row(chosen, scores);
    const std::vector<std::uint32_t> own{chosen[random.below(listed)],
                                         static_cast<std::uint32_t>(random.below(labels))};
    truth.add_row(own);
  }
  const DatasetView view(std::make_shared<Dataset>("wide", Task::multilabel, Features(rows), truth));
  const auto peak_megabytes = [] {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss / 1024;
  };
  const long megabytes_before = peak_megabytes();
  const std::clock_t start = std::clock();
  Scorer scorer(testing::metrics_of(testing::names_for(Task::multilabel)), ScoringContext::of(view));
  scorer.add(view, predictions);
  auto values = scorer.values();
  const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  // One step for each row and label would take 2e10 steps, one byte for each 20 gigabytes.
  CHECK(seconds < 8.0);
  CHECK(peak_megabytes() - megabytes_before < 1000);
  CHECK(values["coverage-error"] > 400000.0);
  CHECK(values["micro-auc"] == doctest::Approx(0.75).epsilon(0.01));
}

}  // namespace coppice
