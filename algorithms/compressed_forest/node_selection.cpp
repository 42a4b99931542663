#include "algorithms/compressed_forest/node_selection.h"

#include <algorithm>

#include "core/tree/tree_assembly.h"

namespace coppice {

namespace {

/// For each node of the trees whether a node below it is marked.
std::vector<std::uint8_t> has_marked_below(const TreeSet& trees, const std::vector<std::uint8_t>& marked) {
  std::vector<std::uint8_t> below(marked.size(), 0);
  std::size_t begin = 0;
  for (std::size_t tree = 0; tree < trees.trees(); ++tree) {
    for (auto node = static_cast<std::uint32_t>(trees.nodes(tree)); node-- > 0;) {
      const TreeSet::Node at = trees.node(tree, node);
      if (at.feature < 0) continue;
      const std::size_t left = begin + node + 1;
      const std::size_t right = begin + at.next;
      below[begin + node] = marked[left] | below[left] | marked[right] | below[right];
    }
    begin += trees.nodes(tree);
  }
  return below;
}

template <typename Nodes>
std::vector<std::uint8_t> marks(const TreeSet& trees, const Nodes& changes) {
  std::size_t total = 0;
  for (std::size_t tree = 0; tree < trees.trees(); ++tree) total += trees.nodes(tree);
  std::vector<std::uint8_t> marked(total, 0);
  for (const NodePath::Change& change : changes) marked[change.node] = 1;
  return marked;
}

}  // namespace

TreeSizes TreeSizes::of(const TreeSet& trees) {
  TreeSizes sizes;
  for (std::size_t tree = 0; tree < trees.trees(); ++tree) {
    sizes.leaves += static_cast<double>(trees.leaves(tree));
    sizes.test_nodes += static_cast<double>(trees.nodes(tree) - trees.leaves(tree));
    sizes.depth = std::max(sizes.depth, static_cast<double>(trees.depth(tree)));
  }
  return sizes;
}

TreeSizes TreeSizes::of(const TreeSet& trees, std::span<const NodePath::Change> weights) {
  const std::vector<std::uint8_t> below = has_marked_below(trees, marks(trees, weights));
  TreeSizes sizes;
  std::size_t begin = 0;
  for (std::size_t tree = 0; tree < trees.trees(); ++tree) {
    std::vector<std::uint32_t> depth(trees.nodes(tree), 0);
    double tests = 0;
    for (std::uint32_t node = 0; node < trees.nodes(tree); ++node) {
      if (below[begin + node] == 0) continue;
      ++tests;
      depth[node + 1] = depth[trees.node(tree, node).next] = depth[node] + 1;
      sizes.depth = std::max(sizes.depth, static_cast<double>(depth[node] + 1));
    }
    sizes.test_nodes += tests;
    if (tests > 0) sizes.leaves += tests + 1;
    begin += trees.nodes(tree);
  }
  // A model without any tree is one leaf that says the intercept.
  if (sizes.leaves == 0) sizes.leaves = 1;
  return sizes;
}

TreeSet pruned_trees(const TreeSet& trees, NodePath& path) {
  const std::vector<std::uint8_t> below = has_marked_below(trees, marks(trees, path.changes));
  std::vector<std::uint32_t> number(below.size(), 0);
  std::vector<GrownTree> kept;
  std::uint32_t count = 0;
  std::size_t begin = 0;
  for (std::size_t tree = 0; tree < trees.trees(); ++tree) {
    if (below[begin] != 0) {
      TreeAssembly assembly;
      std::vector<std::uint32_t> open{0};
      while (!open.empty()) {
        const std::uint32_t node = open.back();
        open.pop_back();
        number[begin + node] = count++;
        if (below[begin + node] == 0) {
          assembly.add_leaf();
          continue;
        }
        assembly.add_test(NodeTest::of(trees, tree, node));
        open.push_back(trees.node(tree, node).next);
        open.push_back(node + 1);
      }
      kept.push_back(assembly.finish());
    }
    begin += trees.nodes(tree);
  }
  for (NodePath::Change& change : path.changes) change.node = number[change.node];
  if (kept.empty()) {
    TreeAssembly single;
    single.add_leaf();
    kept.push_back(single.finish());
  }
  return TreeSet(kept);
}

}  // namespace coppice
