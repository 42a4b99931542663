#pragma once

#include "experiments/plan/plan.h"

namespace coppice {

/// How many stages of `fit` take as long as its entry's budget allows; from the budgets of the plan, or
/// measured. `reference` is the fit that the budget is a multiple of. At least 1.
double budgeted_stages(const Plan& plan, const Fit& fit, const Fit& reference);

}  // namespace coppice
