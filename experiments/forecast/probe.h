#pragma once

#include "experiments/forecast/calibration.h"

namespace coppice {

/// Measures the fit of a plan by small fits like it, for about that long; `parameters` may be others than the
/// fit's own. CPU time counts, so that a busy machine does not change the outcome.
Calibration calibrate_by_probe(const Plan& plan, const Fit& fit, const Parameters& parameters, double seconds,
                               const StopFlag& stop);

}  // namespace coppice
