#pragma once

#include <memory>

#include "algorithms/algorithm.h"

namespace coppice {

/// Gradient boosting, a model for each output or one for all.
std::unique_ptr<Algorithm> make_gbrt();
/// Gradient boosting with multi-output trees (thesis Algorithm 6.1).
std::unique_ptr<Algorithm> make_gbmort();
/// Gradient boosting on projected gradients, with or without relabelling (thesis Algorithms 6.2 and 6.3).
std::unique_ptr<Algorithm> make_gbrt_rpo();
/// Gradient boosting that knows how the outputs hang together (thesis 6.3.2.3).
std::unique_ptr<Algorithm> make_artificial_gbrt();

}  // namespace coppice
