#pragma once

#include <string>

#include "algorithms/forest/forest_model.h"
#include "tests/algorithms/fit_by_name.h"

namespace coppice::testing {

/// A small forest of fully grown trees.
inline TreeSet small_forest(const DatasetView& train, const std::string& trees,
                            const std::string& smallest = "2") {
  const auto model =
      fit_by_name("extra-trees", train, {{"trees", trees}, {"min_samples_split", smallest}}, Stream(3));
  return dynamic_cast<const ForestModel&>(*model).parts().trees;
}

}  // namespace coppice::testing
