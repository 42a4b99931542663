#include "experiments/plan/plan_diff.h"

#include <algorithm>
#include <set>

namespace coppice {

namespace {

std::set<std::string> trial_hashes(const Plan& plan) {
  std::set<std::string> hashes;
  for (const Trial& trial : plan.trials) hashes.insert(trial.hash);
  return hashes;
}

CellDiff& cell_of(PlanDiff& diff, const Plan& plan, const Trial& trial) {
  const std::string& dataset = plan.datasets[trial.dataset].name;
  const std::string& algorithm = plan.algorithms[trial.algorithm].id;
  for (CellDiff& cell : diff.cells)
    if (cell.dataset == dataset && cell.algorithm == algorithm) return cell;
  return diff.cells.emplace_back(CellDiff{dataset, algorithm});
}

}  // namespace

PlanDiff diff_plans(const Plan& before, const Plan& after) {
  const std::set<std::string> old_hashes = trial_hashes(before);
  const std::set<std::string> new_hashes = trial_hashes(after);
  PlanDiff diff;
  for (const Trial& trial : after.trials) {
    const bool reused = old_hashes.contains(trial.hash);
    CellDiff& cell = cell_of(diff, after, trial);
    ++(reused ? cell.reused : cell.added);
    ++(reused ? diff.reused : diff.added);
  }
  for (const Trial& trial : before.trials) {
    if (new_hashes.contains(trial.hash)) continue;
    ++cell_of(diff, before, trial).orphaned;
    ++diff.orphaned;
  }
  for (const Fit& fit : after.fits) {
    Fit rest = fit;
    std::erase_if(rest.trials,
                  [&](std::size_t index) { return old_hashes.contains(after.trials[index].hash); });
    if (!rest.trials.empty()) diff.added_fits.push_back(std::move(rest));
  }
  return diff;
}

}  // namespace coppice
