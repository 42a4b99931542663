#include "experiments/forecast/earlier_results.h"

#include <algorithm>

#include "experiments/forecast/calibration.h"

namespace coppice {

namespace {

double middle(std::vector<double> values) {
  const auto half = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), half, values.end());
  return *half;
}

/// What the fit of a record took in all.
double recorded_seconds(const TrialRecord& record) {
  double sum = 0.0;
  for (const char* part : {"fit-cpu-seconds", "predict-cpu-seconds", "tuning-cpu-seconds"})
    sum += record.details.value(part, 0.0);
  return sum;
}

}  // namespace

std::string settings_text(const Plan& plan, const Fit& fit, const Parameters& parameters) {
  Parameters unstaged = parameters;
  if (const ParameterSpec* staged = plan.experiment.algorithms[fit.entry].description.staged())
    unstaged.set(staged->name, std::monostate{});
  return unstaged.json().dump();
}

EarlierResults::EarlierResults(const Plan& plan, const JournalContent& journal) : plan_(plan) {
  if (journal.records.empty()) return;
  for (const Fit& fit : plan.fits) {
    // The last stage that was computed is the one that the time belongs to: it is the same in all records.
    Known known;
    Parameters parameters = fit.parameters;
    for (const std::size_t index : fit.trials) {
      const Trial& trial = plan.trials[index];
      const auto found = journal.records.find(trial.hash);
      if (found == journal.records.end() || found->second.outcome != TrialRecord::Outcome::done) continue;
      known.seconds = std::max(known.seconds, recorded_seconds(found->second));
      parameters = plan.parameters_at(fit, trial);
    }
    if (known.seconds <= 0.0) continue;
    known.work = work_of(plan, fit, parameters, static_cast<double>(plan.datasets[fit.dataset].train));
    known.settings = settings_text(plan, fit, fit.parameters);
    known_[{fit.entry, fit.dataset}].push_back(std::move(known));
  }
}

std::optional<double> EarlierResults::seconds(const Fit& fit) const {
  const auto found = known_.find({fit.entry, fit.dataset});
  if (found == known_.end()) return std::nullopt;
  const std::string settings = settings_text(plan_, fit, fit.parameters);
  const double work =
      work_of(plan_, fit, fit.parameters, static_cast<double>(plan_.datasets[fit.dataset].train));
  std::vector<double> same;
  std::vector<double> similar;
  for (const Known& known : found->second)
    (known.settings == settings ? same : similar).push_back(known.seconds * work / known.work);
  return middle(same.empty() ? similar : same);
}

}  // namespace coppice
