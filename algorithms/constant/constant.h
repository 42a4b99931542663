#pragma once

#include <memory>

#include "algorithms/algorithm.h"

namespace coppice {

/// Predicts the mean of the training outputs for every row: what any other algorithm has to beat.
std::unique_ptr<Algorithm> make_constant();

}  // namespace coppice
