#include "experiments/plan/budgeted.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "experiments/forecast/probe.h"

namespace coppice {

namespace {

constexpr double probe_seconds = 1.0;
constexpr double most_budgeted_stages = 1e6;

/// What takes the time, whatever the number of stages.
std::string settings_text(const Plan& plan, const Fit& fit) {
  const AlgorithmDescription& description = plan.experiment.algorithms[fit.entry].description;
  Parameters parameters = fit.parameters;
  parameters.set(description.staged()->name, std::monostate{});
  return description.name + parameters.json().dump();
}

/// Seconds before the first stage, and of every stage.
std::pair<double, double> stage_seconds(const Plan& plan, const Fit& fit) {
  const Calibration calibration = calibrate_by_probe(plan, fit, fit.parameters, probe_seconds, StopFlag{});
  Parameters one = fit.parameters;
  one.set_number(plan.experiment.algorithms[fit.entry].description.staged()->name, 1.0);
  const auto rows = static_cast<double>(plan.datasets[fit.dataset].train);
  return {calibration.start, calibration.per_work * work_of(plan, fit, one, rows)};
}

}  // namespace

double budgeted_stages(const Plan& plan, const Fit& fit, const Fit& reference) {
  const BudgetSetting& budget = *plan.experiment.algorithms[fit.entry].budget;
  const std::string data = plan.pool->get(fit.dataset, fit.repeat)->fingerprint().text();
  const std::string key = fmt::format("{} × {} on {}: {}", budget.times, settings_text(plan, reference), data,
                                      settings_text(plan, fit));
  return plan.budgets->stages(key, [&] {
    const double allowed = budget.times * stage_seconds(plan, reference).second;
    const auto [start, each] = stage_seconds(plan, fit);
    return std::clamp(std::floor((allowed - start) / each), 1.0, most_budgeted_stages);
  });
}

}  // namespace coppice
