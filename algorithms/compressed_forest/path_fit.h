#pragma once

#include <optional>
#include <string>

#include "algorithms/algorithm.h"
#include "algorithms/compressed_forest/node_selection.h"
#include "core/path/path_targets.h"
#include "core/tree/category_codes.h"

namespace coppice {

/// How many outputs a path has: those of the data, but one for two classes.
std::size_t path_outputs(const Dataset& dataset);
/// The outputs of some rows; labels and classes are 0 and 1.
PathTargets path_targets(const DatasetView& rows, bool logistic);

/// A path and the trees that it is about.
struct PathFit {
  TreeSet trees;
  CategoryCodes categories;
  bool missing = false;
  NodePath path;
  std::optional<TreeSizes> before;  ///< of the whole forest, if there was one
};

/// Grows the forest and follows its path, both on the same rows, as the parameters of compressed-forest say.
PathFit fit_path(const Algorithm& base, const DatasetView& train, const Parameters& parameters,
                 const Context& context);

/// The loss on rows that were held back at t = 0, ε, 2ε… up to path_length: the squared error of outputs of
/// variance 1, the share of wrong classes, the squared error of labels.
std::vector<double> validation_losses(const PathFit& fit, const DatasetView& train,
                                      const DatasetView& held_back, const Parameters& parameters,
                                      const Context& context);

}  // namespace coppice
