#include "experiments/schedule/schedule.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <set>

#include <fmt/format.h>

#include "experiments/schedule/run_fit.h"

namespace coppice {

namespace {

bool is_finished(const Plan& plan, const Trial& trial, const JournalContent& journal) {
  const auto record = journal.records.find(trial.hash);
  if (record == journal.records.end() || record->second.outcome != TrialRecord::Outcome::done) return false;
  for (const Metric& metric : plan.metrics_for(trial.dataset))
    if (!record->second.metrics.contains(metric.name)) return false;
  return true;
}

}  // namespace

std::vector<Fit> missing_fits(const Plan& plan, const JournalContent& journal,
                              const std::function<bool(const Trial&)>& selected) {
  std::set<std::string> wanted;
  for (const Trial& trial : plan.trials)
    if (selected(trial)) wanted.insert(trial.hash);
  std::vector<Fit> missing;
  for (const Fit& fit : plan.fits) {
    Fit rest = fit;
    std::erase_if(rest.trials, [&](std::size_t index) {
      return !wanted.contains(plan.trials[index].hash) || is_finished(plan, plan.trials[index], journal);
    });
    if (rest.trials.empty()) continue;
    if (const auto& largest = plan.trials[rest.trials.back()].stage) {
      const ParameterSpec& staged = *plan.experiment.algorithms[fit.entry].description.staged();
      rest.parameters.set_number(staged.name, *largest);
    }
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

RunSummary run_fits(const Plan& plan, const std::vector<Fit>& fits, Journal& journal, Progress& progress,
                    int jobs, const StopFlag& stop) {
  RunSummary summary;
  std::mutex mutex;
  std::exception_ptr fatal;
  std::atomic<std::size_t> next{0};
  for (const Fit& fit : fits) plan.pool->expect_use(fit.dataset, fit.repeat);

  const auto work = [&] {
    while (!stop.requested()) {
      const std::size_t index = next.fetch_add(1);
      if (index >= fits.size()) return;
      const Fit& fit = fits[index];
      const std::string what =
          fmt::format("{} on {}", plan.experiment.algorithms[fit.entry].id, plan.datasets[fit.dataset].name);
      progress.started(what);
      std::size_t failed = 0;
      std::vector<TrialRecord> records;
      try {
        records = run_fit(plan, fit, stop);
        for (const TrialRecord& record : records) {
          journal.append(record);
          failed += record.outcome == TrialRecord::Outcome::failed ? 1 : 0;
        }
      } catch (...) {
        const std::scoped_lock lock(mutex);
        if (stop.requested())
          summary.interrupted = true;
        else if (!fatal)
          fatal = std::current_exception();
        next.store(fits.size());
        progress.finished(what, 0, 0);
        return;
      }
      plan.pool->finish_use(fit.dataset, fit.repeat);
      if (failed > 0)
        progress.note(fmt::format("failed: {} on {}, repeat {}, fold {}: {}", records[0].algorithm,
                                  records[0].dataset, records[0].repeat, records[0].fold, records[0].error));
      progress.finished(what, records.size() - failed, failed);
      const std::scoped_lock lock(mutex);
      summary.done += records.size() - failed;
      summary.failed += failed;
    }
    const std::scoped_lock lock(mutex);
    summary.interrupted = true;
  };

  run_workers(jobs, work);
  if (fatal) std::rethrow_exception(fatal);
  journal.flush();
  if (stop.requested()) summary.interrupted = true;
  return summary;
}

}  // namespace coppice
