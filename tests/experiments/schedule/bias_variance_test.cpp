#include "experiments/schedule/bias_variance.h"

#include <doctest/doctest.h>

#include "experiments/schedule/run_fit.h"
#include "tests/support/experiment.h"

namespace {

using namespace coppice;
using namespace coppice::testing;

const std::string config = R"(
name: parts
seed: 3
datasets:
  - friedman1-ind: {train: 60, test: 80, targets: 4}
protocol: {bias-variance: {learning_sets: 12, projections: 3, seeds: 3}}
algorithms:
  - constant: {id: constant}
  - random-output-forest: {id: shared, subspace: shared, size: 1, sweep: {trees: [1, 12]}}
  - random-output-forest: {id: individual, subspace: individual, size: 1, sweep: {trees: [1, 12]}}
metrics: [expected-error, residual-error, squared-bias, variance, variance-learning-set, variance-algorithm, variance-projection]
)";

/// The metrics of every algorithm row by its id.
std::map<std::string, std::map<std::string, double>> run(const std::string& text) {
  const Plan plan = plan_of(text);
  std::map<std::string, std::map<std::string, double>> results;
  const StopFlag stop;
  for (const Fit& fit : plan.fits)
    for (const TrialRecord& record : run_fit(plan, fit, stop)) {
      CHECK(record.error == "");
      results[record.algorithm] = record.metrics;
    }
  return results;
}

}  // namespace

TEST_CASE("bias and variance of forests behave as the theory says") {
  const auto results = run(config);
  const auto& constant = results.at("constant");
  CHECK(constant.at("variance-algorithm") == 0.0);
  CHECK(constant.at("variance-projection") == 0.0);
  CHECK(constant.at("residual-error") == doctest::Approx(4.0).epsilon(0.3));
  for (const auto& [id, parts] : results) {
    CAPTURE(id);
    CHECK(parts.at("expected-error") ==
          doctest::Approx(parts.at("residual-error") + parts.at("squared-bias") + parts.at("variance")));
  }
  // More trees divide the algorithm's variance; only individual subspaces divide the projection's
  // (thesis 5.2).
  const auto ratio = [&](const std::string& id, const std::string& part) {
    return results.at(id + " trees=12").at(part) / results.at(id + " trees=1").at(part);
  };
  CHECK(ratio("shared", "variance-algorithm") < 0.25);
  CHECK(ratio("individual", "variance-algorithm") < 0.25);
  CHECK(ratio("individual", "variance-projection") < 0.4);
  CHECK(results.at("shared trees=12").at("variance-projection") >
        2.0 * results.at("individual trees=12").at("variance-projection"));
}

TEST_CASE("bias-variance says what it cannot do") {
  const auto problems = [](const std::string& datasets, const std::string& protocol,
                           const std::string& metrics) {
    std::string text;
    plan_of("name: x\nseed: 1\ndatasets: [" + datasets + "]\nprotocol: " + protocol +
                "\nalgorithms: [constant]\nmetrics: [" + metrics + "]\n",
            &text);
    return text;
  };
  const std::string protocol = "{bias-variance: {learning_sets: 3}}";
  CHECK(problems("friedman1: {train: 20, test: 10}", protocol, "variance").empty());
  CHECK(problems("friedman1: {train: 20, test: 10}", protocol, "mse").find("mse is of one model") !=
        std::string::npos);
  CHECK(problems("friedman1: {train: 20, test: 10}", "{test: given}", "variance")
            .find("variance needs 'protocol") != std::string::npos);
  CHECK(problems("friedman1: {train: 20, test: 10, seed: 4}", protocol, "variance")
            .find("must be generated, and without a seed") != std::string::npos);
  CHECK(problems("friedman1: {train: 20, test: 10}", "{bias-variance: {learning_sets: 1}}", "variance")
            .find("learning_sets") != std::string::npos);
  CHECK(problems("friedman1: {train: 20, test: 10}", "{test: {kfold: 3}, bias-variance: {learning_sets: 3}}",
                 "variance")
            .find("leave 'test' out") != std::string::npos);
}
