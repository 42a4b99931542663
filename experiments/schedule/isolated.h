#pragma once

#include "experiments/schedule/fit_queue.h"

namespace coppice {

/// Runs the fits of a queue each in a process of its own, `jobs` at a time, so that a crash, an abort or a
/// lack of memory is an outcome like any other. The processes are forks: data is shared, not loaded again.
void run_isolated(const Plan& plan, FitQueue& queue, InnerLog* log, const ScheduleOptions& options,
                  const StopFlag& stop);

/// `the time limit of 10 s was exceeded`.
std::string time_limit_text(double seconds);

}  // namespace coppice
