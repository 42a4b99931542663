#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "core/base/context.h"
#include "experiments/plan/plan.h"
#include "experiments/schedule/progress.h"
#include "experiments/store/journal.h"

namespace coppice {

/// What a run did.
struct RunSummary {
  std::size_t done = 0;
  std::size_t failed = 0;
  bool interrupted = false;
};

/// The fits of a plan that are still to be made, each with only the trials that miss a record: a trial is
/// finished when the journal has it with every metric asked for. Failed trials are tried again.
std::vector<Fit> missing_fits(const Plan& plan, const JournalContent& journal,
                              const std::function<bool(const Trial&)>& selected);

/// How many of the selected trials these fits answer; more than they record where two entries mean the same
/// trial.
std::size_t answered_trials(const Plan& plan, const std::vector<Fit>& fits,
                            const std::function<bool(const Trial&)>& selected);

/// Runs fits in one TBB arena of `jobs` threads, in their order; the loops inside algorithms run in the same
/// arena. Every finished trial goes to the journal. Results do not depend on `jobs`.
RunSummary run_fits(const Plan& plan, const std::vector<Fit>& fits, Journal& journal, Progress& progress,
                    int jobs, const StopFlag& stop);

}  // namespace coppice
