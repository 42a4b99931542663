#include "experiments/schedule/schedule.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <set>

#include <fmt/format.h>

#include "experiments/forecast/calibration.h"
#include "experiments/schedule/fit_queue.h"
#include "experiments/schedule/isolated.h"
#include "experiments/schedule/run_fit.h"
#include "experiments/schedule/watchdog.h"
#include "experiments/tuning/search.h"

namespace coppice {

namespace {

bool is_finished(const Plan& plan, const Trial& trial, const JournalContent& journal, Retry retry) {
  const auto record = journal.records.find(trial.hash);
  if (record == journal.records.end() || retry == Retry::all) return false;
  if (record->second.outcome != TrialRecord::Outcome::done) return retry == Retry::none;
  for (const Metric& metric : plan.metrics_for(trial.dataset))
    if (!record->second.metrics.contains(metric.name)) return false;
  return true;
}

}  // namespace

std::vector<Fit> missing_fits(const Plan& plan, const JournalContent& journal,
                              const std::function<bool(const Trial&)>& selected, Retry retry) {
  std::set<std::string> wanted;
  for (const Trial& trial : plan.trials)
    if (selected(trial)) wanted.insert(trial.hash);
  std::vector<Fit> missing;
  for (const Fit& fit : plan.fits) {
    Fit rest = fit;
    std::erase_if(rest.trials, [&](std::size_t index) {
      return !wanted.contains(plan.trials[index].hash) ||
             is_finished(plan, plan.trials[index], journal, retry);
    });
    if (rest.trials.empty()) continue;
    rest.parameters = plan.parameters_at(fit, plan.trials[rest.trials.back()]);
    missing.push_back(std::move(rest));
  }
  return missing;
}

std::size_t answered_trials(const Plan& plan, const std::vector<Fit>& fits,
                            const std::function<bool(const Trial&)>& selected) {
  std::set<std::string> answered;
  for (const Fit& fit : fits)
    for (const std::size_t index : fit.trials) answered.insert(plan.trials[index].hash);
  return static_cast<std::size_t>(
      std::count_if(plan.trials.begin(), plan.trials.end(),
                    [&](const Trial& trial) { return selected(trial) && answered.contains(trial.hash); }));
}

Retry parse_retry(const std::string& text) {
  if (text == "failed") return Retry::failed;
  if (text == "none") return Retry::none;
  if (text == "all") return Retry::all;
  throw Error(ErrorKind::usage, fmt::format("--retry: expected failed, none or all, found '{}'", text));
}

std::size_t inner_fits(const Plan& plan, const Fit& fit) {
  if (fit.space == nullptr) return 0;
  const Selection selection = plan.experiment.selection();
  const int parts = selection.repeats * (selection.kfold ? selection.folds : 1);
  return search_cost(plan.experiment.algorithms[fit.entry].tune->search, *fit.space).proposals *
         static_cast<std::size_t>(parts);
}

double fit_memory(const Plan& plan, const Fit& fit) {
  const PlannedDataset& dataset = plan.datasets[fit.dataset];
  const AlgorithmEntry& entry = plan.experiment.algorithms[fit.entry];
  const ProblemSize size =
      size_for(dataset, entry.description.capabilities, static_cast<double>(dataset.train));
  double bytes = entry.algorithm->cost(fit.parameters, size).bytes;
  if (fit.space != nullptr)
    for (const Parameters& parameters : fit.space->examples())
      bytes = std::max(bytes, entry.algorithm->cost(parameters, size).bytes);
  constexpr double bytes_of_value = 8.0;
  // Preparation makes a copy of the data for every fit.
  if (!plan.pool->source(fit.dataset).preparation().empty()) bytes += bytes_of_value * size.values;
  // Sums over the models of each learning set are kept for every stage.
  if (const auto& setting = plan.experiment.protocol.bias_variance) {
    constexpr double sums = 5.0;
    bytes += sums * bytes_of_value * static_cast<double>(fit.trials.size()) * setting->learning_sets *
             static_cast<double>(dataset.test) * static_cast<double>(dataset.outputs);
  }
  return bytes;
}

double data_memory(const Plan& plan, const std::vector<Fit>& fits) {
  std::set<std::size_t> datasets;
  for (const Fit& fit : fits) datasets.insert(fit.dataset);
  double bytes = 0.0;
  for (const std::size_t index : datasets) {
    const PlannedDataset& dataset = plan.datasets[index];
    const double share =
        dataset.size.rows > 0.0 ? static_cast<double>(dataset.rows) / dataset.size.rows : 1.0;
    // Data that is drawn afresh for each repeat is there for all of them.
    const double copies = dataset.fingerprints.size() > 1 ? plan.experiment.protocol.repeats : 1.0;
    bytes += copies * share * (8.0 * dataset.size.values + 8.0 * dataset.size.labels);
  }
  return bytes;
}

namespace {

/// Runs one fit of the queue here; false if the run was stopped.
bool run_here(const Plan& plan, FitQueue& queue, std::size_t index, InnerLog* log, Watchdog& watchdog,
              const ScheduleOptions& options, const StopFlag& stop) {
  const Watchdog::Guard guard(watchdog);
  std::vector<TrialRecord> records;
  try {
    records = run_fit(plan, queue.fit(index), guard.flag(), log, queue.models_at_once(index));
  } catch (const Error&) {
    if (stop.requested()) {
      queue.drop(index);
      return false;
    }
    if (!guard.too_late()) throw;
    records = failed_records(plan, queue.fit(index), time_limit_text(*options.trial_seconds));
  }
  queue.finish(index, records);
  return true;
}

/// Runs the fits of a queue in one arena.
void run_together(const Plan& plan, FitQueue& queue, InnerLog* log, const ScheduleOptions& options,
                  const StopFlag& stop) {
  Watchdog watchdog(stop, options.trial_seconds);
  std::mutex mutex;
  std::exception_ptr fatal;
  std::atomic<int> workers{0};
  std::atomic<bool> starved{false};
  const auto work = [&] {
    // With exclusive timing the other threads only help with the loops of the one fit that runs.
    if (workers.fetch_add(1) > 0 && options.exclusive) return;
    while (!stop.requested() && !starved.load()) {
      const auto index = queue.take();
      if (!index) {
        // What waits for memory gets a new round, with all threads, when the others are through.
        if (queue.starved()) starved.store(true);
        return;
      }
      try {
        if (!run_here(plan, queue, *index, log, watchdog, options, stop)) return;
      } catch (...) {
        const std::scoped_lock lock(mutex);
        if (!fatal) fatal = std::current_exception();
        queue.close();
        return;
      }
    }
  };
  do {
    starved.store(false);
    workers.store(0);
    run_workers(options.jobs, work);
  } while (starved.load() && !stop.requested() && !fatal);
  if (fatal) std::rethrow_exception(fatal);
}

}  // namespace

RunSummary run_fits(const Plan& plan, const std::vector<Fit>& fits, Journal& journal, InnerLog* log,
                    Progress& progress, const ScheduleOptions& options, const StopFlag& stop) {
  FitQueue queue(plan, fits, journal, progress, options);
  if (options.isolate)
    run_isolated(plan, queue, log, options, stop);
  else
    run_together(plan, queue, log, options, stop);
  journal.flush();
  RunSummary summary = queue.summary();
  summary.interrupted = stop.requested();
  return summary;
}

}  // namespace coppice
