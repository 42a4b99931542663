#pragma once

#include <memory>

#include "algorithms/algorithm.h"

namespace coppice {

/// Trees that choose features and thresholds at random, without looking at labels (Zhang et al. 2010).
std::unique_ptr<Algorithm> make_random_decision_trees();

}  // namespace coppice
