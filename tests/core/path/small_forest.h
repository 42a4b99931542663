#pragma once

#include <string>

#include "algorithms/forest/forest_model.h"
#include "algorithms/registry.h"

namespace coppice::testing {

/// A small forest of fully grown trees.
inline TreeSet small_forest(const DatasetView& train, const std::string& trees,
                            const std::string& smallest = "2") {
  const Algorithm& algorithm = Registry::instance().get("extra-trees");
  const ExpressionVariables sizes{static_cast<double>(train.size()),
                                  static_cast<double>(train.dataset().feature_count()),
                                  static_cast<double>(train.dataset().output_count())};
  const auto model = algorithm.fit(
      train,
      resolve(algorithm.description().parameters, {{"trees", trees}, {"min_samples_split", smallest}},
              train.dataset().task(), sizes),
      {.stream = Stream(3)});
  return dynamic_cast<const ForestModel&>(*model).parts().trees;
}

}  // namespace coppice::testing
