#include "experiments/forecast/forecast.h"

#include <algorithm>
#include <ctime>
#include <map>
#include <set>
#include <tuple>

#include "experiments/forecast/earlier_results.h"
#include "experiments/forecast/probe.h"
#include "experiments/schedule/schedule.h"
#include "experiments/tuning/search.h"

namespace coppice {

namespace {

constexpr double program_bytes = 20e6;
constexpr double seconds_of_trial = 5e-5;   // to schedule, record and write it
constexpr double bytes_of_files = 20e3;     // that are there for any sweep
constexpr double bytes_of_record = 2500.0;  // in the journal, results.json and the tables
constexpr double bytes_of_score = 120.0;    // a metric of a trial, in all files
constexpr double bytes_of_inner_record = 500.0;
constexpr double bytes_of_stage = 20.0;
// Of the settings of a search so many are measured.
constexpr std::size_t probed_settings = 4;

/// How many models the protocol fits in place of one.
double models_in_one(const Plan& plan, const Fit& fit) {
  const auto& setting = plan.experiment.protocol.bias_variance;
  if (!setting) return 1.0;
  return static_cast<double>(setting->learning_sets) * setting->seeds *
         (fit.parameters.has("projection") ? setting->projections : 1);
}

/// A few of them, at random: neighbours in a list differ in one parameter only.
std::vector<Parameters> some_of(std::vector<Parameters> settings) {
  Stream(0).at("probed").shuffle(std::span(settings));
  if (settings.size() > probed_settings) settings.resize(probed_settings);
  return settings;
}

class Forecaster {
 public:
  Forecaster(const Plan& plan, const JournalContent& journal, double probe_seconds, const Prober& probe)
      : plan_(plan), earlier_(plan, journal), probe_seconds_(probe_seconds), probe_(probe) {}

  Forecast run(const std::vector<Fit>& fits) {
    probe_unknown(fits);
    std::map<std::pair<std::size_t, int>, double> once;
    for (const Fit& fit : fits) {
      const auto trials = static_cast<double>(fit.trials.size());
      const auto known = earlier_.seconds(fit);
      const double seconds = known ? *known : probed_seconds(fit);
      forecast_.fits.push_back({seconds + trials * seconds_of_trial, fit_memory(plan_, fit),
                                std::max<std::size_t>(1, inner_fits(plan_, fit))});
      const bool fresh = plan_.datasets[fit.dataset].fingerprints.size() > 1;
      double& made = once[{fit.dataset, fresh ? fit.repeat : 0}];
      if (!known)
        for (const Parameters& parameters : probed_parameters(fit))
          made = std::max(made, calibration(fit, parameters).once);
      add_disk(fit);
    }
    if (!fits.empty()) forecast_.disk_bytes += bytes_of_files;
    for (const auto& [data, seconds] : once) forecast_.start_seconds += seconds;
    forecast_.data_bytes = data_memory(plan_, fits);
    return std::move(forecast_);
  }

 private:
  using Pair = std::pair<std::size_t, std::size_t>;  // entry and dataset
  struct Unknown {
    const Fit* fit;
    Parameters parameters;
  };

  /// The settings that a fit is measured by: its own, or some of those that its search may try.
  static std::vector<Parameters> probed_parameters(const Fit& fit) {
    return fit.space == nullptr ? std::vector{fit.parameters} : some_of(fit.space->examples());
  }

  void probe_unknown(const std::vector<Fit>& fits) {
    // Of every algorithm and dataset the setting with the least work comes first.
    std::map<std::tuple<Pair, double, std::string>, Unknown> unknown;
    std::set<std::pair<Pair, std::string>> known;
    for (const Fit& fit : fits) {
      const Pair pair{fit.entry, fit.dataset};
      const std::string settings = settings_text(plan_, fit, fit.parameters);
      if (earlier_.seconds(fit)) {
        known.insert({pair, settings});
        continue;
      }
      const auto rows = static_cast<double>(plan_.datasets[fit.dataset].train);
      for (const Parameters& parameters : probed_parameters(fit))
        unknown.insert({{pair, work_of(plan_, fit, parameters, rows), settings_text(plan_, fit, parameters)},
                        {&fit, parameters}});
    }
    forecast_.measured = known.size();
    // First one of every algorithm and dataset; when the time is over the others follow from the cost model.
    double left = probe_seconds_;
    std::size_t open = unknown.size();
    for (const bool others : {false, true})
      for (const auto& [key, what] : unknown) {
        const auto& [pair, work, settings] = key;
        if (calibrations_[pair].contains(settings)) continue;
        if (others ? left <= 0.0 : !calibrations_[pair].empty()) continue;
        const double start = process_seconds();
        calibrations_[pair][settings] = measure(what, std::max(0.0, left) / static_cast<double>(open--));
        left -= process_seconds() - start;
        ++forecast_.probed;
      }
  }

  static double process_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

  Calibration measure(const Unknown& what, double seconds) {
    try {
      return probe_(*what.fit, what.parameters, seconds);
    } catch (const Error& error) {
      if (error.kind() == ErrorKind::interrupted) throw;
      return {};  // it will fail in the run as well, and soon
    }
  }

  /// Of these settings, or of others of the same algorithm on the same data.
  const Calibration& calibration(const Fit& fit, const Parameters& parameters) const {
    const auto& of_pair = calibrations_.at({fit.entry, fit.dataset});
    const auto found = of_pair.find(settings_text(plan_, fit, parameters));
    return found == of_pair.end() ? of_pair.begin()->second : found->second;
  }

  /// To fit on so many rows and to score others, `times` stages of them.
  double seconds_of(const Calibration& unit, const Fit& fit, const Parameters& parameters, double train,
                    double scored, double times) const {
    const double stage = stage_of(plan_.experiment.algorithms[fit.entry], parameters);
    return unit.fit_seconds(work_of(plan_, fit, parameters, train)) +
           scored * (stage * unit.per_predicted + times * unit.per_scored);
  }

  double probed_seconds(const Fit& fit) const {
    const PlannedDataset& dataset = plan_.datasets[fit.dataset];
    const auto train = static_cast<double>(dataset.train);
    const double scored =
        static_cast<double>(dataset.test) + (plan_.experiment.protocol.estimate_632 ? train : 0.0);
    const auto trials = static_cast<double>(fit.trials.size());
    if (fit.space == nullptr)
      return models_in_one(plan_, fit) *
             seconds_of(calibration(fit, fit.parameters), fit, fit.parameters, train, scored, trials);
    const Selection selection = plan_.experiment.selection();
    const double held_out = selection.kfold ? 1.0 / selection.folds : selection.fraction;
    const double parts = selection.repeats * (selection.kfold ? selection.folds : 1);
    const double inner =
        search_cost(plan_.experiment.algorithms[fit.entry].tune->search, *fit.space).full_fits;
    const double curve = std::max<double>(1.0, static_cast<double>(fit.space->stages.size()));
    // The work of every setting, in the mean of the units that some were measured in.
    double sum = 0.0;
    const std::vector<Parameters> settings = fit.space->examples();
    const std::vector<Parameters> measured = some_of(settings);
    for (const Parameters& setting : settings) {
      const Parameters parameters = within_limit(fit, setting);
      for (const Parameters& one : measured) {
        const Calibration& unit = calibration(fit, one);
        sum += seconds_of(unit, fit, parameters, train, scored, trials) +
               inner * parts *
                   seconds_of(unit, fit, parameters, train * (1.0 - held_out), train * held_out, curve);
      }
    }
    return sum / static_cast<double>(settings.size() * measured.size());
  }

  Parameters within_limit(const Fit& fit, Parameters parameters) const {
    if (const ParameterSpec* staged = plan_.experiment.algorithms[fit.entry].description.staged())
      parameters.set_number(staged->name,
                            std::min(parameters.number(staged->name), fit.space->limit_of(parameters)));
    return parameters;
  }

  void add_disk(const Fit& fit) {
    forecast_.disk_bytes +=
        static_cast<double>(fit.trials.size()) *
        (bytes_of_record + bytes_of_score * static_cast<double>(plan_.experiment.metrics.size()));
    if (fit.space != nullptr)
      forecast_.disk_bytes +=
          static_cast<double>(inner_fits(plan_, fit)) *
          (bytes_of_inner_record + bytes_of_stage * static_cast<double>(fit.space->stages.size()));
  }

  const Plan& plan_;
  EarlierResults earlier_;
  double probe_seconds_;
  const Prober& probe_;
  std::map<Pair, std::map<std::string, Calibration>> calibrations_;
  Forecast forecast_;
};

}  // namespace

double Forecast::cpu_seconds() const {
  double sum = start_seconds;
  for (const FitForecast& fit : fits) sum += fit.cpu_seconds;
  return sum;
}

double Forecast::wall_seconds(int jobs, bool isolated) const {
  const double fitting = cpu_seconds() - start_seconds;
  if (!isolated) return start_seconds + fitting / std::max(1, jobs);
  // Whoever is free takes the next one.
  std::vector<double> busy_until(static_cast<std::size_t>(std::max(1, jobs)), 0.0);
  for (const FitForecast& fit : fits)
    *std::min_element(busy_until.begin(), busy_until.end()) += fit.cpu_seconds;
  return start_seconds + *std::max_element(busy_until.begin(), busy_until.end());
}

double Forecast::peak_bytes(int jobs) const {
  std::vector<FitForecast> largest = fits;
  std::sort(largest.begin(), largest.end(),
            [](const FitForecast& a, const FitForecast& b) { return a.bytes > b.bytes; });
  double sum = program_bytes + data_bytes;
  auto free = static_cast<std::size_t>(jobs);
  for (auto fit = largest.begin(); fit != largest.end() && free > 0; ++fit) {
    const std::size_t models = std::min(free, fit->models);
    sum += static_cast<double>(models) * fit->bytes;
    free -= models;
  }
  return sum;
}

Forecast make_forecast(const Plan& plan, const std::vector<Fit>& fits, const JournalContent& journal,
                       double probe_seconds, const Prober& probe) {
  return Forecaster(plan, journal, probe_seconds, probe).run(fits);
}

Forecast make_forecast(const Plan& plan, const std::vector<Fit>& fits, const JournalContent& journal,
                       double probe_seconds, const StopFlag& stop) {
  return make_forecast(plan, fits, journal, probe_seconds,
                       [&](const Fit& fit, const Parameters& parameters, double seconds) {
                         return calibrate_by_probe(plan, fit, parameters, seconds, stop);
                       });
}

}  // namespace coppice
