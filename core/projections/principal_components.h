#pragma once

#include <memory>

#include "core/projections/projection.h"

namespace coppice {

/// The first q principal directions of the training outputs, by decreasing eigenvalue of their covariance
/// (thesis 2.6.1). The covariance of many outputs is never formed: only products with it, from the sparse
/// label sets. The sign of a direction is such that its largest coefficient is positive.
std::unique_ptr<Projection> principal_components(const ProjectionSetting& setting, const Context& context);

}  // namespace coppice
