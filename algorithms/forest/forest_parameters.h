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

/// One of some words, the first by default; and a number with a least value, optional if its default is
/// `none`.
ParameterSpec choice_parameter(const std::string& name, const std::vector<std::string>& choices,
                               const std::string& meaning, const std::string& reference);
ParameterSpec number_parameter(const std::string& name, ParameterType type, const std::string& fallback,
                               const std::string& minimum, const std::string& meaning,
                               const std::string& symbol, const std::string& reference);

/// How its trees grow.
GrowthOptions growth_options(const ForestKind& kind, const Parameters& parameters);
/// And how they are pruned.
Pruning pruning_of(const ForestKind& kind, const Parameters& parameters);

}  // namespace coppice
