#pragma once

#include <memory>
#include <string>

#include "algorithms/registry.h"

namespace coppice::testing {

/// A model of the algorithm of this name, with parameters as a config would write them.
inline std::unique_ptr<Model> fit_by_name(const std::string& name, const DatasetView& train,
                                          const RawParameters& raw, const Stream& stream = Stream(5)) {
  const Algorithm& algorithm = Registry::instance().get(name);
  const Dataset& data = train.dataset();
  const ExpressionVariables sizes{static_cast<double>(train.size()),
                                  static_cast<double>(data.feature_count()),
                                  static_cast<double>(data.output_count())};
  Context context;
  context.stream = stream;
  return algorithm.fit(train, resolve(algorithm.description().parameters, raw, data.task(), sizes), context);
}

}  // namespace coppice::testing
