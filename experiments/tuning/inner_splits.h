#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/base/random.h"
#include "core/data/dataset.h"
#include "experiments/config/tuning.h"

namespace coppice {

/// The splits on which settings are compared: of the training part alone, in rows of the dataset. Rows of one
/// group, and copies of one row (as a bootstrap has them), stay together. The same for all algorithms and
/// settings. Throws Error(data) if the part cannot be split like that.
std::vector<Split> inner_splits(const Selection& selection, const Dataset& dataset,
                                std::span<const std::uint32_t> train, const Stream& stream);

/// The address of the randomness of inner splits.
Stream selection_stream(std::uint64_t seed, int repeat, int fold, const Dataset& dataset);

}  // namespace coppice
