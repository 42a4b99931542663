#include "experiments/forecast/forecast.h"

#include <algorithm>
#include <map>
#include <set>

#include "experiments/forecast/calibration.h"
#include "experiments/schedule/schedule.h"
#include "experiments/tuning/search.h"

namespace coppice {

namespace {

constexpr double program_bytes = 40e6;
constexpr double bytes_of_record = 2500.0;  // in the journal, results.json and the tables
constexpr double bytes_of_score = 120.0;    // a metric of a trial, in all files
constexpr double bytes_of_inner_record = 500.0;
constexpr double bytes_of_stage = 20.0;

double stages_of(const AlgorithmEntry& entry, const Parameters& parameters) {
  const ParameterSpec* staged = entry.description.staged();
  return staged == nullptr ? 1.0 : parameters.number(staged->name);
}

/// How many models the protocol fits in place of one.
double models_in_one(const Plan& plan, const Fit& fit) {
  const auto& setting = plan.experiment.protocol.bias_variance;
  if (!setting) return 1.0;
  return static_cast<double>(setting->learning_sets) * setting->seeds *
         (fit.parameters.has("projection") ? setting->projections : 1);
}

double fit_cpu_seconds(const Plan& plan, const Fit& fit, const Calibration& calibration) {
  const AlgorithmEntry& entry = plan.experiment.algorithms[fit.entry];
  const PlannedDataset& dataset = plan.datasets[fit.dataset];
  const auto train = static_cast<double>(dataset.train);
  const auto test = static_cast<double>(dataset.test);
  const auto one_fit = [&](double rows) {
    return calibration.fit_seconds(
        entry.algorithm->cost(fit.parameters, size_for(dataset, entry.description.capabilities, rows)).work);
  };
  const double stage = stages_of(entry, fit.parameters);
  const auto scored = [&](double rows, double times) {
    return rows * (stage * calibration.per_predicted + times * calibration.per_scored);
  };
  double seconds = one_fit(train) + scored(test, static_cast<double>(fit.trials.size()));
  if (plan.experiment.protocol.estimate_632) seconds += scored(train, 1.0);
  seconds *= models_in_one(plan, fit);
  if (fit.space == nullptr) return seconds;
  const Selection selection = plan.experiment.selection();
  const double held_out = selection.kfold ? 1.0 / selection.folds : selection.fraction;
  const double parts = selection.repeats * (selection.kfold ? selection.folds : 1);
  const double curve = std::max<double>(1.0, static_cast<double>(fit.space->stages.size()));
  return seconds + search_cost(entry.tune->search, *fit.space).full_fits * parts *
                       (one_fit(train * (1.0 - held_out)) + scored(train * held_out, curve));
}

double bytes_of_data(const PlannedDataset& dataset) {
  const double share = dataset.size.rows > 0.0 ? static_cast<double>(dataset.rows) / dataset.size.rows : 1.0;
  return share * (8.0 * dataset.size.values + 8.0 * dataset.size.labels);
}

}  // namespace

double Forecast::cpu_seconds() const {
  double sum = 0.0;
  for (const FitForecast& fit : fits) sum += fit.cpu_seconds;
  return sum;
}

double Forecast::wall_seconds(int jobs, bool isolated) const {
  double longest = 0.0;
  for (const FitForecast& fit : fits) longest = std::max(longest, fit.cpu_seconds);
  const double even = cpu_seconds() / std::max(1, jobs);
  return isolated ? std::max(even, longest) : even;
}

double Forecast::peak_bytes(int jobs) const {
  std::vector<double> bytes;
  for (const FitForecast& fit : fits) bytes.push_back(fit.bytes);
  std::sort(bytes.rbegin(), bytes.rend());
  double sum = program_bytes + data_bytes;
  for (std::size_t i = 0; i < bytes.size() && i < static_cast<std::size_t>(jobs); ++i) sum += bytes[i];
  return sum;
}

Forecast make_forecast(const Plan& plan, const std::vector<Fit>& fits, const JournalContent& journal,
                       double probe_seconds, const StopFlag& stop) {
  Forecast forecast;
  using Pair = std::pair<std::size_t, std::size_t>;  // entry and dataset
  std::map<Pair, Calibration> known;
  std::map<Pair, const Fit*> unknown;
  std::set<std::size_t> datasets;
  for (const Fit& fit : fits) {
    const Pair pair{fit.entry, fit.dataset};
    datasets.insert(fit.dataset);
    if (known.contains(pair)) continue;
    if (const auto found = calibrate_by_results(plan, fit.entry, fit.dataset, journal))
      known[pair] = *found;
    else
      unknown.emplace(pair, &fit);
  }
  forecast.measured = known.size();
  forecast.probed = unknown.size();
  for (const auto& [pair, fit] : unknown) {
    try {
      known[pair] = calibrate_by_probe(plan, *fit, probe_seconds / static_cast<double>(unknown.size()), stop);
    } catch (const Error& error) {
      if (error.kind() == ErrorKind::interrupted) throw;
      known[pair] = {};  // it will fail in the run as well, and soon
    }
  }
  for (const std::size_t dataset : datasets) forecast.data_bytes += bytes_of_data(plan.datasets[dataset]);
  for (const Fit& fit : fits) {
    const Calibration& calibration = known.at({fit.entry, fit.dataset});
    forecast.fits.push_back({fit_cpu_seconds(plan, fit, calibration), fit_memory(plan, fit)});
    forecast.disk_bytes +=
        static_cast<double>(fit.trials.size()) *
        (bytes_of_record + bytes_of_score * static_cast<double>(plan.experiment.metrics.size()));
    if (fit.space != nullptr)
      forecast.disk_bytes +=
          static_cast<double>(inner_fits(plan, fit)) *
          (bytes_of_inner_record + bytes_of_stage * static_cast<double>(fit.space->stages.size()));
  }
  return forecast;
}

}  // namespace coppice
