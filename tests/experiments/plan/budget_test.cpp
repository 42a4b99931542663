#include <set>

#include <doctest/doctest.h>

#include "experiments/audit/verify.h"
#include "experiments/store/result_folder.h"
#include "tests/support/experiment.h"
#include "tests/support/runs.h"
#include "tests/support/temporary_folder.h"

using namespace coppice;
using coppice::testing::plan_of;
using coppice::testing::replaced_in;

namespace {

const std::string budgeted_experiment = R"(name: budgeted
seed: 3
datasets: [friedman1-chain: {train: 200, test: 50, targets: 2, seed: 1}]
protocol: {select: {holdout: 0.3, metric: r2-macro}}
algorithms:
  - extra-trees: {id: unit, trees: 1}
  - random-forest: {id: RF, budget: {times: 6, of: unit}}
  - random-forest: {id: tuned, budget: {times: 6, of: unit}, tune: {features: [1, 3, 5]}}
metrics: [r2-macro]
)";

/// The plan as a run into that folder has it.
Plan plan_in(const std::filesystem::path& folder, const std::string& text) {
  const std::filesystem::path config = folder / "config.yaml";
  write_atomically(config, text);
  return plan_experiment(config, {}, DataPath{}, folder / "results");
}

}  // namespace

TEST_CASE("a time budget becomes a number of stages, which is kept so that a re-run is the same") {
  const testing::TemporaryFolder folder;
  const Plan plan = plan_in(folder.path(), budgeted_experiment);
  REQUIRE(plan.trials.size() == 3);
  REQUIRE(plan.trials[1].stage.has_value());
  CHECK(*plan.trials[1].stage >= 1.0);
  // A forest's tree takes about as long as one of extra-trees: some, but not hundreds.
  CHECK(*plan.trials[1].stage <= 200.0);
  const SearchSpace& space = *plan.fits[2].space;
  CHECK(space.limits.size() == 3);
  for (const auto& [setting, limit] : space.limits) {
    CHECK(limit >= 1.0);
    CHECK(limit <= space.stages.back());
  }
  CHECK(testing::run_quietly(plan, folder.path() / "results").done == 3);

  // Measured again it would be another number; the folder remembers.
  const Plan again = plan_in(folder.path(), budgeted_experiment);
  for (std::size_t i = 0; i < 3; ++i) CHECK(again.trials[i].hash == plan.trials[i].hash);
  CHECK(testing::run_quietly(again, folder.path() / "results").done == 0);
  CHECK(verify_results(folder.path() / "results", 0, 1, {}, DataPath{}, 2, {}).mismatches.empty());
  CHECK(verify_results(folder.path() / "results", 0, 1, {}, DataPath{}, 2, {}).unexplained == 0);
}

TEST_CASE("a fresh start measures time budgets anew, also where those of the folder are damaged") {
  const testing::TemporaryFolder folder;
  folder.write("results/budgets.json", "{");
  CHECK_THROWS_WITH_AS(plan_in(folder.path(), budgeted_experiment),
                       doctest::Contains("budgets.json' is damaged"), Error);
  const Plan plan =
      plan_experiment(folder.path() / "config.yaml", {}, DataPath{}, folder.path() / "results", true);
  CHECK(plan.trials.size() == 3);
}

TEST_CASE("more time is more stages, and settings stay inside their own") {
  const testing::TemporaryFolder folder;
  const Plan plan =
      plan_in(folder.path(), replaced_in(budgeted_experiment, "budget: {times: 6, of: unit}}\n  - random",
                                         "budget: {times: 300, of: unit}}\n  - random"));
  CHECK(*plan.trials[1].stage > 20.0);
  testing::run_quietly(plan, folder.path() / "results");
  for (const auto& [hash, record] : read_journal(folder.path() / "results" / "trials.jsonl").records) {
    if (record.algorithm != "tuned") continue;
    const SearchSpace& space = *plan.fits[2].space;
    CHECK(record.parameters["trees"].get<double>() <=
          space.limit_of(Parameters::from_json(record.parameters)));
  }
}

TEST_CASE("what is wrong with a budget is said") {
  const auto check = [](const std::string& from, const std::string& to, const std::string& message) {
    std::string problems;
    plan_of(replaced_in(budgeted_experiment, from, to), &problems);
    CHECK_MESSAGE(problems.find(message) != std::string::npos, problems);
  };
  check("of: unit", "of: unti", "no algorithm 'unti' in this experiment; did you mean unit?");
  check("of: unit", "of: tuned", "no budget of its own");
  check("{times: 6, of: unit}", "100", "expected {times: 100, of: ID}");
  check("times: 6", "times: 0", "times: expected a number");
  check("id: RF,", "id: RF, trees: 3,", "the budget sets trees");
  check("random-forest: {id: RF", "decision-tree: {id: RF", "has no staged parameter");
  check("features: [1, 3, 5]}", "features: [1, 3, 5], search: {random: 2}}", "use 'search: grid'");
}
