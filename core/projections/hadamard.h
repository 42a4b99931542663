#pragma once

#include <memory>
#include <span>

#include "core/projections/projection.h"

namespace coppice {

/// Rows drawn without replacement from the Hadamard matrix whose order is the first power of two that is not
/// below d, scaled by 1/sqrt(q).
std::unique_ptr<Projection> hadamard_projection(const ProjectionSetting& setting, const Stream& stream);

/// Replaces values by their product with the Hadamard matrix of their order, a power of two, in n log n
/// steps.
void fast_walsh_hadamard(std::span<double> values);

}  // namespace coppice
