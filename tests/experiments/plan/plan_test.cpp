#include "experiments/plan/plan.h"

#include <algorithm>
#include <set>

#include <doctest/doctest.h>

#include "experiments/config/experiment_yaml.h"
#include "tests/support/experiment.h"

using namespace coppice;
using coppice::testing::plan_of;

namespace {

std::set<std::string> hashes(const Plan& plan) {
  std::set<std::string> all;
  for (const Trial& trial : plan.trials) all.insert(trial.hash);
  return all;
}

}  // namespace

TEST_CASE("a plan has every dataset × algorithm row × repeat, coarse tables first") {
  const Plan plan = plan_of(testing::small_experiment);
  CHECK(plan.algorithms.size() == 4);
  CHECK(plan.algorithms[1].id == "RF trees=2");
  CHECK(plan.trials.size() == 2 * 4 * 3);
  CHECK(hashes(plan).size() == plan.trials.size());
  for (std::size_t i = 1; i < plan.fits.size(); ++i) CHECK(plan.fits[i].repeat >= plan.fits[i - 1].repeat);
}

TEST_CASE("values of a staged parameter are answered by one fit at the largest") {
  const Plan plan = plan_of(testing::small_experiment);
  CHECK(plan.fits.size() == 2 * 3 * 3);
  std::size_t shared = 0;
  for (const Fit& fit : plan.fits)
    if (fit.trials.size() == 2) {
      ++shared;
      CHECK(fit.parameters.integer("trees") == 5);
      CHECK(plan.trials[fit.trials[0]].stage == 2.0);
      CHECK(plan.trials[fit.trials[1]].stage == 5.0);
    }
  CHECK(shared == 6);
}

TEST_CASE("a fit is not shared where its own time or size is asked for") {
  std::string text = testing::small_experiment;
  text.replace(text.find("nodes]"), 6, "fit-seconds]");
  CHECK(plan_of(text).fits.size() == 2 * 4 * 3);
}

TEST_CASE("the identity of a trial has nothing to do with names and order") {
  const std::set<std::string> original = hashes(plan_of(testing::small_experiment));
  const std::string other = R"(name: renamed
seed: 3
metrics: [lrap, r2-macro, nodes, hamming-loss]
algorithms:
  - extra-trees: {id: other, features: 1, trees: 4}
  - random-forest: {sweep: {trees: [5, 2]}, features: 1}
  - constant: {id: mean}
datasets:
  - multilabel: {labels: 5, test: 30, train: 40}
  - friedman1-chain: {targets: 3, train: 40, test: 30}
protocol: {repeats: 3}
)";
  CHECK(hashes(plan_of(other)) == original);
}

TEST_CASE("seed, data, parameters and repeat are part of the identity") {
  const std::set<std::string> original = hashes(plan_of(testing::small_experiment));
  for (const auto& [from, to] : std::vector<std::pair<std::string, std::string>>{
           {"seed: 3", "seed: 4"},
           {"train: 40, test: 30, targets", "train: 41, test: 30, targets"},
           {"trees: 4", "trees: 6"}}) {
    std::string text = testing::small_experiment;
    text.replace(text.find(from), from.size(), to);
    CHECK(hashes(plan_of(text)) != original);
  }
}

TEST_CASE("all algorithms are tested on the same rows, and folds do not overlap") {
  std::string text = testing::small_experiment;
  text.replace(text.find("test: given"), 11, "test: {kfold: 5}");
  const Plan plan = plan_of(text);
  CHECK(plan.trials.size() == 2 * 4 * 3 * 5);
  const auto dataset = plan.pool->get(0, 1);
  std::set<std::uint32_t> tested;
  for (int fold = 0; fold < 5; ++fold) {
    const Split split = plan.split(0, 1, fold);
    CHECK(split.train.size() + split.test.size() == dataset->rows());
    for (const std::uint32_t row : split.test) CHECK(tested.insert(row).second);
  }
  CHECK(tested.size() == dataset->rows());
}

TEST_CASE("a generator draws fresh data for each repeat unless it has a seed") {
  CHECK(plan_of(testing::small_experiment).datasets[0].fingerprints.size() == 3);
  std::string text = testing::small_experiment;
  text.replace(text.find("targets: 3"), 10, "targets: 3, seed: 5");
  CHECK(plan_of(text).datasets[0].fingerprints.size() == 1);
}

TEST_CASE("absent: skip leaves out catalogued datasets without files, and says so") {
  std::string text = testing::small_experiment;
  text.replace(text.find("protocol:"), 0, "  - eurlex-4k\nabsent: skip\n");
  const Plan plan = plan_of(text);
  CHECK(plan.datasets.size() == 2);
  REQUIRE(plan.absent.size() == 1);
  CHECK(plan.absent[0].name == "eurlex-4k");
  CHECK(plan_json(plan)["absent"] == nlohmann::json{"eurlex-4k"});
  CHECK(hashes(plan) == hashes(plan_of(testing::small_experiment)));
  // As understood, it can be read again.
  const std::string again = experiment_yaml(plan);
  CHECK(again.find("eurlex-4k  # absent") != std::string::npos);
  CHECK(plan_of(again).absent.size() == 1);

  std::string problems;
  text.replace(text.find("absent: skip"), 12, "absent: error");
  plan_of(text, &problems);
  CHECK(problems.find("eurlex-4k") != std::string::npos);
  text.replace(text.find("absent: error"), 13, "absent: never");
  plan_of(text, &problems);
  CHECK(problems.find("absent: expected error or skip") != std::string::npos);
}

TEST_CASE("absent: skip needs at least one dataset, and still refuses unknown names") {
  std::string problems;
  const std::string start = "name: a\nseed: 1\nabsent: skip\nalgorithms: [constant]\nmetrics: [lrap]\n";
  plan_of(start + "datasets: [eurlex-4k]\n", &problems);
  CHECK(problems.find("none of the datasets is on this machine") != std::string::npos);
  plan_of(start + "datasets: [eurlex-5k, multilabel]\n", &problems);
  CHECK(problems.find("did you mean eurlex-4k?") != std::string::npos);
}

TEST_CASE("training_rows leaves part of each training part, smaller ones within larger ones") {
  const std::string text = R"(name: curve
seed: 3
datasets:
  - multilabel: {train: 50, test: 30, labels: 4, seed: 1, training_rows: [10, 0.5, 50]}
  - whole: {data: multilabel, train: 50, test: 30, labels: 4, seed: 1}
protocol: {test: {kfold: 4}, repeats: 2}
algorithms: [constant]
metrics: [lrap]
)";
  const Plan plan = plan_of(text);
  REQUIRE(plan.datasets.size() == 4);
  CHECK(plan.datasets[0].name == "multilabel training_rows=10");
  CHECK(plan.datasets[1].name == "multilabel training_rows=0.5");
  CHECK(plan.datasets[0].train == 10);
  CHECK(plan.datasets[1].train == 30);
  CHECK(plan.datasets[2].train == 50);
  CHECK(plan.datasets[3].train == 60);
  CHECK(hashes(plan).size() == 4 * 4 * 2);
  std::set<Rows> drawn;
  for (int repeat = 0; repeat < 2; ++repeat)
    for (int fold = 0; fold < 4; ++fold) {
      const Rows& whole = plan.split(3, repeat, fold).train;
      for (std::size_t dataset = 0; dataset < 3; ++dataset) {
        const Split smaller = plan.split(dataset, repeat, fold);
        const Rows larger = plan.split(dataset + 1, repeat, fold).train;
        CHECK(std::is_sorted(smaller.train.begin(), smaller.train.end()));
        CHECK(std::includes(larger.begin(), larger.end(), smaller.train.begin(), smaller.train.end()));
        CHECK(std::includes(whole.begin(), whole.end(), smaller.train.begin(), smaller.train.end()));
        CHECK(smaller.test == plan.split(3, repeat, fold).test);
      }
      drawn.insert(plan.split(0, repeat, fold).train);
    }
  CHECK(drawn.size() == 8);
  const auto described = plan_json(plan);
  for (const auto& dataset : described["datasets"]) CHECK(dataset["source"] == "multilabel");
  CHECK(hashes(plan_of(experiment_yaml(plan))) == hashes(plan));

  std::string said;
  plan_of(text.substr(0, text.find("[10")) + "[1.5, 61, all]" + text.substr(text.find("50]") + 3), &said);
  CHECK(said.find("found '1.5'") != std::string::npos);
  CHECK(said.find("found 'all'") != std::string::npos);
  CHECK(said.find("61 training rows are asked for, the training part has 60") != std::string::npos);
}
