#pragma once

#include <memory>

#include "algorithms/boosting/boosted_model.h"
#include "algorithms/boosting/boosting_parameters.h"
#include "core/base/context.h"
#include "core/data/dataset.h"

namespace coppice {

/// Called after every step with the loss of the training rows, summed over rows and outputs; before the first
/// step with that of the constants.
using WatchLoss = std::function<void(double loss)>;

/// Boosts (thesis Algorithms 6.1, 6.2 and 6.3).
std::unique_ptr<BoostedModel> fit_boosted(const DatasetView& train, const BoostingOptions& options,
                                          const Context& context, const WatchLoss& watch = {});

}  // namespace coppice
