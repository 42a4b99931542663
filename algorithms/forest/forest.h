#pragma once

#include <memory>

#include "algorithms/algorithm.h"

namespace coppice {

/// One tree that looks at all features and finds the best split (CART).
std::unique_ptr<Algorithm> make_decision_tree();
/// Trees on bootstrap samples with the best of k random features in each node (Breiman 2001).
std::unique_ptr<Algorithm> make_random_forest();
/// Trees on all rows with the best of k random cuts in each node (Geurts et al. 2006).
std::unique_ptr<Algorithm> make_extra_trees();

}  // namespace coppice
