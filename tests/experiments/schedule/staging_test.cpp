// One fit that answers several values of a staged parameter gives what separate fits give.

#include <set>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "algorithms/registry.h"
#include "experiments/schedule/run_fit.h"
#include "tests/support/experiment.h"

using namespace coppice;
using coppice::testing::plan_of;

namespace {

/// Algorithms with settings that change how a fit goes on from stage to stage.
const std::vector<std::pair<std::string, std::string>> variants{
    {"random-forest", ""},
    {"random-forest", "outputs: separate"},
    {"random-forest", "oob: true, permutation: true"},
    {"extra-trees", ""},
    {"extra-trees", "outputs: separate, bootstrap: true"},
    {"random-decision-trees", ""},
    {"random-decision-trees", "transform: label-powerset"},
    {"random-output-forest", "size: 2"},
    {"random-output-forest", "size: 2, subspace: shared, base: extra-trees"},
    {"gbrt", ""},
    {"gbrt", "outputs: joint, early_stopping: 1"},
    {"gbrt", "weak: ridge"},
    {"gbmort", "subsample_rows: 0.7"},
    {"gbmort", "early_stopping: 2"},
    {"gbrt-rpo", "projection: gaussian"},
    {"gbrt-rpo", "projection: gaussian, relabel: true, size: 2"},
    {"artificial-gbrt", "structure: group"},
    {"compressed-forest", "trees: 3, choose: none"},
    {"compressed-forest", "trees: 3, choose: validation"},
    {"compressed-forest", "trees: 3, folds: 3"},
    {"compressed-forest", "trees: 3, folds: 3, one_standard_error: true, selection: shared"},
    {"compressed-forest", "trees: 3, method: lasso, choose: none"},
    {"compressed-forest", "trees: 3, method: grown, choose: validation"},
    {"craftml", "leaf_size: 2, branches: 2"},
    {"craftml", "leaf_size: 2, branches: 2, early_exit: 1"},
};

std::string config_of(const std::string& algorithm, const std::string& settings, const std::string& dataset,
                      const std::string& staged) {
  return fmt::format(
      "name: staged\nseed: 4\ndatasets: [{}]\nprotocol: {{repeats: 2}}\nalgorithms:\n  - {}: {{id: A{}{}, "
      "{}}}\n"
      "metrics: [{}, nodes, depth]\n",
      dataset, algorithm, settings.empty() ? "" : ", ", settings, staged,
      dataset.starts_with("multilabel") ? "lrap, hamming-loss" : "r2-macro");
}

/// The records of all fits by trial.
std::map<std::string, TrialRecord> records_of(const Plan& plan) {
  std::map<std::string, TrialRecord> records;
  const StopFlag stop;
  for (const Fit& fit : plan.fits)
    for (const TrialRecord& record : run_fit(plan, fit, stop)) {
      CHECK_MESSAGE(record.outcome == TrialRecord::Outcome::done, record.error);
      records[record.trial] = record;
    }
  return records;
}

}  // namespace

TEST_CASE("a staged sweep gives the numbers of separate fits, for every algorithm that has stages") {
  std::set<std::string> tried;
  for (const auto& [name, settings] : variants) {
    const AlgorithmDescription& description = Registry::instance().get(name).description();
    REQUIRE(description.staged() != nullptr);
    const std::string& staged = description.staged()->name;
    tried.insert(name);
    for (const Task task : {Task::multilabel, Task::regression}) {
      const auto& tasks = description.capabilities.tasks;
      if (std::find(tasks.begin(), tasks.end(), task) == tasks.end()) continue;
      CAPTURE(name);
      CAPTURE(settings);
      CAPTURE(task_name(task));
      const std::string dataset = task == Task::regression
                                      ? "friedman1-group: {train: 40, test: 30, targets: 3}"
                                      : "multilabel: {train: 40, test: 30, labels: 4}";
      const Plan together =
          plan_of(config_of(name, settings, dataset, fmt::format("sweep: {{{}: [1, 3, 6]}}", staged)));
      CHECK(together.trials.size() == 6);
      CHECK(together.fits.size() == 2);
      const auto shared = records_of(together);
      for (const char* stage : {"1", "3", "6"}) {
        CAPTURE(stage);
        const Plan alone = plan_of(config_of(name, settings, dataset, fmt::format("{}: {}", staged, stage)));
        CHECK(alone.fits.size() == 2);
        for (const auto& [trial, record] : records_of(alone)) {
          REQUIRE(shared.contains(trial));
          // As text: NaN, where a metric is undefined, is NaN in both.
          CHECK(nlohmann::json(shared.at(trial).metrics).dump() == nlohmann::json(record.metrics).dump());
          CHECK(shared.at(trial).parameters == record.parameters);
        }
      }
    }
  }
  for (const std::string& name : Registry::instance().names())
    if (Registry::instance().get(name).description().staged() != nullptr)
      CHECK_MESSAGE(tried.contains(name), name, " has stages: add it to the variants above");
}
