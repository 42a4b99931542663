#pragma once

#include <span>

#include "core/data/dataset.h"

namespace coppice {

// The steps themselves. `weights` says how often every row of the dataset is in the training part.

Features impute(const Features& features, std::span<const std::uint32_t> weights);
Features standardise_inputs(const Features& features, std::span<const std::uint32_t> weights);
Features apply_idf(const Features& features, std::span<const std::uint32_t> weights);
/// Throws Error(data) on missing values.
Features unit_rows(const Features& features);
RealTargets standardise_targets(const RealTargets& targets, std::span<const std::uint32_t> weights);

}  // namespace coppice
