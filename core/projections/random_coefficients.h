#pragma once

#include <memory>

#include "core/projections/projection.h"

namespace coppice {

/// Coefficients from N(0, 1/q).
std::unique_ptr<Projection> gaussian_projection(const ProjectionSetting& setting, const Stream& stream);
/// Coefficients ±sqrt(s/q), each with probability 1/(2s), and 0 otherwise, with s the setting's sparsity.
std::unique_ptr<Projection> rademacher_projection(const ProjectionSetting& setting, const Stream& stream);

}  // namespace coppice
