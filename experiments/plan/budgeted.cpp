#include "experiments/plan/budgeted.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "experiments/forecast/probe.h"

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
  const Calibration calibration = calibrate_by_probe(plan, fit, fit.parameters, seconds, StopFlag{});
  Parameters one = fit.parameters;
  one.set_number(plan.experiment.algorithms[fit.entry].description.staged()->name, 1.0);
  const auto rows = static_cast<double>(plan.datasets[fit.dataset].train);
  return {calibration.start, calibration.per_work * work_of(plan, fit, one, rows)};
}

}  // namespace

double budgeted_stages(const Plan& plan, const Fit& fit, const Fit& reference) {
  const BudgetSetting& budget = *plan.experiment.algorithms[fit.entry].budget;
  std::string data = plan.pool->get(fit.dataset, fit.repeat)->fingerprint().text();
  if (const auto rows = plan.pool->source(fit.dataset).training_rows(plan.datasets[fit.dataset].train))
    data += fmt::format(", {} rows", *rows);
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
