#include "core/metrics/metric.h"

#include <cstdlib>
#include <fstream>
#include <set>
#include <sstream>

#include <doctest/doctest.h>

#include "core/base/error.h"
#include "core/metrics/reference.h"
#include "tests/core/metrics/cases.h"

namespace coppice {

namespace {

std::string refusal(const std::string& name) {
  try {
    parse_metric(name);
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::config);
    return error.message();
  }
  return "";
}

std::optional<std::size_t> best_labels_of_names(const std::vector<std::string>& names) {
  std::vector<Metric> metrics;
  for (const std::string& name : names) metrics.push_back(parse_metric(name));
  return best_labels_of(metrics);
}

}  // namespace

TEST_CASE("metrics at K look at K labels, all others at every label") {
  CHECK(best_labels_of_names({"precision@1", "psp@5", "ndcg@3"}) == 5);
  CHECK_FALSE(best_labels_of_names({"precision@1", "lrap"}));
  CHECK_FALSE(best_labels_of_names({"one-error"}));
  CHECK_FALSE(best_labels_of_names({}));
}

TEST_CASE("every metric of the interface is there, and nothing else") {
  const std::set<std::string> expected{"lrap",
                                       "precision@K",
                                       "ndcg@K",
                                       "psp@K",
                                       "one-error",
                                       "coverage-error",
                                       "ranking-loss",
                                       "hamming-loss",
                                       "subset-accuracy",
                                       "jaccard",
                                       "micro-precision",
                                       "macro-precision",
                                       "samples-precision",
                                       "micro-recall",
                                       "macro-recall",
                                       "samples-recall",
                                       "micro-f1",
                                       "macro-f1",
                                       "samples-f1",
                                       "micro-auc",
                                       "macro-auc",
                                       "accuracy",
                                       "balanced-accuracy",
                                       "log-loss",
                                       "mse",
                                       "mae",
                                       "r2-macro",
                                       "r2-variance",
                                       "rrmse",
                                       "expected-error",
                                       "residual-error",
                                       "squared-bias",
                                       "variance",
                                       "variance-learning-set",
                                       "variance-projection",
                                       "variance-algorithm",
                                       "fit-seconds",
                                       "predict-seconds",
                                       "fit-cpu-seconds",
                                       "model-bytes",
                                       "nodes",
                                       "leaves",
                                       "depth",
                                       "base-nodes",
                                       "base-leaves",
                                       "compression"};
  std::set<std::string> found;
  for (const MetricDescription& description : metric_descriptions()) {
    found.insert(description.name);
    CAPTURE(description.name);
    CHECK(description.summary.ends_with('.'));
    CHECK(description.definition.ends_with('.'));
    CHECK(!description.reference.empty());
    CHECK(!description.tasks.empty());
    CHECK(description.from_predictions() == (description.tasks.size() < 3));
    if (description.varies_between_runs) CHECK(description.name.ends_with("seconds"));
  }
  CHECK(found == expected);
  CHECK(metric_descriptions().size() == expected.size());
}

TEST_CASE("every metric that is not a cost can be computed") {
  std::set<std::string> computed;
  for (const Task task : {Task::multilabel, Task::multiclass, Task::regression}) {
    const testing::Case problem = testing::random_case(task, Stream(1));
    for (const auto& [name, value] : testing::evaluate(problem, problem.dense(), testing::names_for(task)))
      computed.insert(parse_metric(name).description->name);
  }
  for (const MetricDescription& description : metric_descriptions())
    CHECK(description.from_predictions() == computed.contains(description.name));
}

TEST_CASE("a name is parsed with its K") {
  const Metric lrap = parse_metric("lrap");
  CHECK(lrap.name == "lrap");
  CHECK(lrap.description->name == "lrap");
  CHECK(lrap.k == 0);
  const Metric precision = parse_metric("precision@15");
  CHECK(precision.name == "precision@15");
  CHECK(precision.description->name == "precision@K");
  CHECK(precision.k == 15);
  CHECK(precision.applies_to(Task::multilabel));
  CHECK(precision.applies_to(Task::multiclass));
  CHECK(!precision.applies_to(Task::regression));
}

TEST_CASE("a wrong name says what is wrong and what was meant") {
  CHECK(refusal("lrpa") == "no metric 'lrpa'; did you mean lrap?");
  CHECK(refusal("LRAP") == "no metric 'LRAP'; did you mean lrap?");
  CHECK(refusal("hamming_loss") == "no metric 'hamming_loss'; did you mean hamming-loss?");
  CHECK(refusal("precison@3") == "no metric 'precison@3'; did you mean precision@3?");
  CHECK(refusal("NDCG") == "no metric 'NDCG'; did you mean ndcg@1?");
  CHECK(refusal("zzzzzzzzzz") == "no metric 'zzzzzzzzzz'; `coppice list metrics` names them all");
  CHECK(refusal("") == "no metric ''; `coppice list metrics` names them all");
  CHECK(refusal("precision") ==
        "metric 'precision' needs a number of labels: write precision@1, precision@3, …");
  CHECK(refusal("precision@") ==
        "metric 'precision@' needs a number of labels: write precision@1, precision@3, …");
  CHECK(refusal("lrap@3") == "metric 'lrap@3': lrap takes no @; write lrap");
  for (const char* k : {"0", "K", "-1", "1.5", "03", "3x", "99999999999999999999", " 3"})
    CHECK(refusal(std::string("psp@") + k) == std::string("metric 'psp@") + k +
                                                  "': expected a whole number from 1 after the @, found '" +
                                                  k + "'");
}

TEST_CASE("docs/metrics.md is what the descriptions say") {
  const std::string path = std::string(COPPICE_SOURCE_DIR) + "/docs/metrics.md";
  if (std::getenv("COPPICE_UPDATE_GOLDEN") != nullptr) std::ofstream(path) << metrics_reference();
  std::ifstream file(path);
  std::stringstream page;
  page << file.rdbuf();
  CHECK_MESSAGE(
      page.str() == metrics_reference(),
      "docs/metrics.md is out of date: run unit_tests with COPPICE_UPDATE_GOLDEN=1 and commit the file");
}

}  // namespace coppice
