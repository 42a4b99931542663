#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "core/path/node_path.h"
#include "core/tree/tree_set.h"

namespace coppice {

/// How much of some trees is left when every test node goes below which no node has a weight (thesis 7.1);
/// trees without a test node go altogether.
struct TreeSizes {
  double test_nodes = 0;
  double leaves = 0;
  double depth = 0;

  /// Of whole trees.
  static TreeSizes of(const TreeSet& trees);
  /// Of what the weights leave. Nodes are numbered over all trees, as NodeIndicators has them.
  static TreeSizes of(const TreeSet& trees, std::span<const NodePath::Change> weights);
};

/// The trees without what no model of the path needs; the nodes of the path are renumbered.
TreeSet pruned_trees(const TreeSet& trees, NodePath& path);

}  // namespace coppice
