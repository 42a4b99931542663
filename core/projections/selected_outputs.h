#pragma once

#include <memory>

#include "core/projections/projection.h"

namespace coppice {

/// Each component is one output: rows of the identity, drawn with or without replacement, scaled by
/// sqrt(d/q).
std::unique_ptr<Projection> subsample_projection(const ProjectionSetting& setting, const Stream& stream);
/// Each output goes, with a random sign, to one random component.
std::unique_ptr<Projection> hashing_projection(const ProjectionSetting& setting, const Stream& stream);
/// The outputs themselves.
std::unique_ptr<Projection> identity_projection(const ProjectionSetting& setting);

}  // namespace coppice
