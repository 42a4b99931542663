#pragma once

#include <memory>

#include "algorithms/registry.h"
#include "core/data/encode.h"

namespace coppice {

/// The data in the form the model was fitted on (categorical columns encoded where its algorithm needs that);
/// throws Error(data) if it does not fit.
inline std::shared_ptr<const Dataset> suited_to(const SavedModel& saved,
                                                std::shared_ptr<const Dataset> dataset) {
  const Capabilities& capabilities = Registry::instance().get(saved.algorithm).description().capabilities;
  if (!capabilities.categorical && dataset->features().categorical_columns() > 0)
    dataset = std::make_shared<const Dataset>(one_hot_encoded(*dataset));
  saved.schema.require_match(*dataset);
  return dataset;
}

}  // namespace coppice
