#pragma once

#include <map>
#include <string>
#include <vector>

#include "experiments/plan/plan.h"

namespace coppice {

/// Fits the models that the protocol bias-variance asks for in place of one fit, and returns the parts of
/// their error by the names of the metrics: an entry for each stage, or one in all where there are none. The
/// learning sets are drawn by the dataset's generator; the points are the test rows of the repeat.
std::vector<std::map<std::string, double>> decompose_error(const Plan& plan, const Fit& fit,
                                                           const std::vector<double>& stages,
                                                           const Context& context);

}  // namespace coppice
