#pragma once

#include <vector>

#include "core/base/context.h"
#include "experiments/plan/plan.h"
#include "experiments/store/journal.h"

namespace coppice {

/// Fits one model, scores it at every stage that was asked for, and returns one record per trial. What goes
/// wrong with the fit is a record too; only an interruption is thrown.
std::vector<TrialRecord> run_fit(const Plan& plan, const Fit& fit, const StopFlag& stop);

}  // namespace coppice
