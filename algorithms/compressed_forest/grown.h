#pragma once

#include "algorithms/compressed_forest/node_selection.h"
#include "core/path/path_targets.h"
#include "core/tree/grower.h"

namespace coppice {

struct GrownOptions {
  std::size_t trees = 100;
  GrowthOptions growth;
  double learning_rate = 0.1;  ///< share of the best weight that a node gets
  double length = 1.0;         ///< t up to which the path goes
  std::size_t budget = 0;      ///< nodes to choose; 0: no limit
};

struct GrownForest {
  TreeSet trees;
  NodePath path;
};

/// Grows a compressed forest without the whole one (Begon et al. 2016; thesis 9.2.2). Every tree begins as a
/// root with two children to choose from. Of all that can be chosen, the node whose best weight reduces the
/// squared error most gets that weight times the learning rate; then it is split, and its children can be
/// chosen too. Splits are those that the rows of the node and their outputs ask for, found by the grower of
/// all trees. t is the sum of the weights (their Euclidean length over the outputs), on outputs of
/// variance 1.
GrownForest grow_compressed(const DatasetView& train, const GrowthTargets& growth, const PathTargets& targets,
                            const GrownOptions& options, const Context& context);

}  // namespace coppice
