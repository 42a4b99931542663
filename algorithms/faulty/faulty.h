#pragma once

#include <memory>

#include "algorithms/algorithm.h"

namespace coppice {

/// An algorithm that misbehaves on request, to try what a run makes of it. Not among the built-in ones: the
/// program registers it where the environment has COPPICE_FAULTY.
std::unique_ptr<Algorithm> make_faulty();

}  // namespace coppice
