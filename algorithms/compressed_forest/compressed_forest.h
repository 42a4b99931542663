#pragma once

#include <memory>

#include "algorithms/algorithm.h"

namespace coppice {

/// A forest as a sparse linear model on the indicators of its nodes (Joly et al. 2012; thesis 7).
std::unique_ptr<Algorithm> make_compressed_forest();

}  // namespace coppice
