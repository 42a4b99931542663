#pragma once

#include <memory>

#include "algorithms/algorithm.h"

namespace coppice {

/// A forest whose trees grow on a random projection of the outputs and are labelled with the outputs
/// themselves (Joly et al. 2014).
std::unique_ptr<Algorithm> make_random_output_forest();

}  // namespace coppice
