#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/base/context.h"
#include "experiments/plan/plan.h"
#include "experiments/schedule/progress.h"
#include "experiments/store/journal.h"
#include "experiments/tuning/inner_log.h"

namespace coppice {

/// What a run did.
struct RunSummary {
  std::size_t done = 0;
  std::size_t failed = 0;
  bool interrupted = false;
  std::size_t not_started = 0;  ///< trials left out because there was no time for them
};

/// Which trials of an earlier run are run again, besides those that are missing.
enum class Retry {
  failed,  ///< those that failed
  none,    ///< none: a failure stays
  all,     ///< all of them
};

/// Throws Error(usage).
Retry parse_retry(const std::string& text);

/// The fits of a plan that are still to be made, each with only the trials that miss a record: a trial is
/// finished when the journal has it with every metric asked for.
std::vector<Fit> missing_fits(const Plan& plan, const JournalContent& journal,
                              const std::function<bool(const Trial&)>& selected, Retry retry = Retry::failed);

/// How many of the selected trials these fits answer; more than they record where two entries mean the same
/// trial.
std::size_t answered_trials(const Plan& plan, const std::vector<Fit>& fits,
                            const std::function<bool(const Trial&)>& selected);

/// How fits are run; none of it changes a result.
struct ScheduleOptions {
  int jobs = 1;
  bool isolate = false;                 ///< each fit in a process of its own, on one thread
  bool exclusive = false;               ///< one fit at a time, with all threads
  std::optional<double> trial_seconds;  ///< a fit that takes longer has failed
  std::optional<double> run_seconds;    ///< no fit is started after that, or that would take longer
  std::optional<double> memory;         ///< bytes that fits which run together may need in all
  /// CPU seconds that fits are expected to take, by the hash of their first trial; 0 where nothing is said.
  std::map<std::string, double> expected_seconds;
};

/// How many models are fitted inside a search before the fit itself; none where nothing is tuned.
std::size_t inner_fits(const Plan& plan, const Fit& fit);

/// Memory that a model of a fit needs beside the data, by its algorithm's estimate: the largest of those that
/// a search may try.
double fit_memory(const Plan& plan, const Fit& fit);

/// Memory that the data of these fits takes, once for all of them.
double data_memory(const Plan& plan, const std::vector<Fit>& fits);

/// Runs fits in their order. Without `isolate` they share one TBB arena of `jobs` threads, in which the loops
/// inside algorithms run as well. Every finished trial goes to the journal. Results do not depend on the
/// options.
RunSummary run_fits(const Plan& plan, const std::vector<Fit>& fits, Journal& journal, InnerLog* log,
                    Progress& progress, const ScheduleOptions& options, const StopFlag& stop);

}  // namespace coppice
