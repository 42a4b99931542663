#pragma once

#include <string>
#include <vector>

#include "core/base/context.h"
#include "experiments/plan/plan.h"
#include "experiments/store/journal.h"
#include "experiments/tuning/tuner.h"

namespace coppice {

/// Fits one model, after a search for its parameters where they are tuned, scores it at every stage that was
/// asked for, and returns one record per trial. What goes wrong with the fit is a record too; only an
/// interruption is thrown. `log` keeps the scores of the search and may be null; `models_at_once` of it are
/// fitted at the same time at most.
std::vector<TrialRecord> run_fit(const Plan& plan, const Fit& fit, const StopFlag& stop,
                                 InnerLog* log = nullptr, std::size_t models_at_once = any_number);

/// The records of a fit that gave no result, for this reason.
std::vector<TrialRecord> failed_records(const Plan& plan, const Fit& fit, const std::string& reason);

/// `extra-trees on yeast`: what a fit is, for people to read.
std::string fit_name(const Plan& plan, const Fit& fit);

}  // namespace coppice
