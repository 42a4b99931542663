#include "experiments/plan/budgeted.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "experiments/forecast/calibration.h"

namespace coppice {

namespace {

/// A grid has hundreds of settings, each with stages of its own; what they are multiples of is measured once.
constexpr double probe_seconds = 0.1;
constexpr double reference_probe_seconds = 1.0;
constexpr double most_budgeted_stages = 1e6;

/// What takes the time, whatever the number of stages.
std::string settings_text(const Plan& plan, const Fit& fit) {
  const AlgorithmDescription& description = plan.experiment.algorithms[fit.entry].description;
  Parameters parameters = fit.parameters;
  parameters.set(description.staged()->name, std::monostate{});
  return description.name + parameters.json().dump();
}

/// Seconds before the first stage, and of every stage.
std::pair<double, double> stage_seconds(const Plan& plan, const Fit& fit, double seconds) {
  const AlgorithmEntry& entry = plan.experiment.algorithms[fit.entry];
  const PlannedDataset& dataset = plan.datasets[fit.dataset];
  const Calibration calibration = calibrate_by_probe(plan, fit, seconds, StopFlag{});
  Parameters one = fit.parameters;
  one.set_number(entry.description.staged()->name, 1.0);
  const ProblemSize size =
      size_for(dataset, entry.description.capabilities, static_cast<double>(dataset.train));
  return {calibration.start, calibration.per_work * entry.algorithm->cost(one, size).work};
}

}  // namespace

double budgeted_stages(const Plan& plan, const Fit& fit, const Fit& reference) {
  const BudgetSetting& budget = *plan.experiment.algorithms[fit.entry].budget;
  const std::string data = plan.pool->get(fit.dataset, fit.repeat)->fingerprint().text();
  const std::string whole = fmt::format("{} on {}", settings_text(plan, reference), data);
  const std::string key = fmt::format("{} × {}: {}", budget.times, whole, settings_text(plan, fit));
  return plan.budgets->stages(key, [&] {
    // Kept too: settings that come later are measured against the same.
    const double one = plan.budgets->stages("seconds of one: " + whole, [&] {
      return stage_seconds(plan, reference, reference_probe_seconds).second;
    });
    const auto [start, each] = stage_seconds(plan, fit, probe_seconds);
    return std::clamp(std::floor((budget.times * one - start) / each), 1.0, most_budgeted_stages);
  });
}

}  // namespace coppice
