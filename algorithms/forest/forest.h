#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "algorithms/algorithm.h"
#include "core/tree/grower.h"

namespace coppice {

/// One tree that looks at all features and finds the best split (CART).
std::unique_ptr<Algorithm> make_decision_tree();
/// Trees on bootstrap samples with the best of k random features in each node (Breiman 2001).
std::unique_ptr<Algorithm> make_random_forest();
/// Trees on all rows with the best of k random cuts in each node (Geurts et al. 2006).
std::unique_ptr<Algorithm> make_extra_trees();

/// The output space in which a tree grows, and what keeps it alive.
struct GrowthSpace {
  GrowthTargets targets;
  std::shared_ptr<const void> owner;
};
/// Makes the output space of tree `tree` of a forest, which grows on `sample` or rows of it.
using MakeGrowthSpace = std::function<GrowthSpace(std::size_t tree, const Sample& sample)>;

/// Fits the forest `name` with trees that grow in spaces of their own; leaves are labelled with the outputs
/// as they are. The trees are otherwise those of the forest itself from the same context: the same samples,
/// the same order of features. `parameters` has the forest's parameters but `impurity` and `outputs`.
std::unique_ptr<Model> fit_relabelled_forest(const std::string& name, const DatasetView& train,
                                             const Parameters& parameters, const MakeGrowthSpace& space,
                                             const Context& context);
/// How the trees of the forest `name` are grown under these parameters.
GrowthOptions forest_growth_options(const std::string& name, const Parameters& parameters);

/// The forests that can be fitted so, and their parameters.
const std::vector<std::string>& relabelled_forests();
std::vector<ParameterSpec> relabelled_forest_parameters(const std::string& name);

}  // namespace coppice
