#pragma once

#include <string>

#include "experiments/plan/plan.h"

namespace coppice {

/// The config as it was understood: every default filled in, and behind every expression, as a comment, what
/// it came to on each dataset. It is itself a config: running it gives the same trials.
std::string experiment_yaml(const Plan& plan);

}  // namespace coppice
