#pragma once

#include <memory>
#include <string>

#include "algorithms/boosting/boosting_parameters.h"
#include "core/base/context.h"
#include "core/data/dataset.h"
#include "core/model/model.h"

namespace coppice {

/// Boosts what is best to learn where the structure of real outputs is known: `chain`, `group`, `independent`
/// or `named`, after the dataset (thesis 6.3.2.1).
std::unique_ptr<Model> fit_known_structure(const DatasetView& train, const std::string& structure,
                                           const BoostingOptions& options, const Context& context);

}  // namespace coppice
