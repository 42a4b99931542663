#pragma once

#include <string>
#include <vector>

#include "algorithms/forest/tree_pruning.h"
#include "core/parameters/parameters.h"
#include "core/tree/grower.h"

namespace coppice {

/// What distinguishes the algorithms that average trees.
struct ForestKind {
  std::string name;
  std::string summary;
  std::string reference;
  SplitRule rule = SplitRule::best;
  bool ensemble = true;             ///< several trees, which may see bootstrap samples
  bool bootstrap = false;           ///< the default of `bootstrap`
  std::string features;             ///< the default of `features`
  std::string regression_features;  ///< the same for regression; empty: no different
  std::string regression_min_samples_split;
};

/// The hyper-parameters of a kind of forest.
std::vector<ParameterSpec> forest_parameters(const ForestKind& kind);

/// How its trees grow.
GrowthOptions growth_options(const ForestKind& kind, const Parameters& parameters);
/// And how they are pruned.
Pruning pruning_of(const ForestKind& kind, const Parameters& parameters);

}  // namespace coppice
