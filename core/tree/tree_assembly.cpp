#include "core/tree/tree_assembly.h"

#include <algorithm>

namespace coppice {

NodeTest NodeTest::of(const TreeSet& trees, std::size_t tree, std::uint32_t node) {
  const TreeSet::Node found = trees.node(tree, node);
  NodeTest test{found.feature, found.threshold, 0, {}};
  if (found.missing_left) test.kind |= GrownTree::missing_left;
  if (found.categorical) {
    test.kind |= GrownTree::categorical;
    test.categories = trees.category_set(tree, found);
  }
  return test;
}

std::uint32_t TreeAssembly::add_node() {
  const auto node = static_cast<std::uint32_t>(tree_.feature.size());
  if (expects_right_) {
    tree_.next[waiting_.back()] = node;
    waiting_.pop_back();
    expects_right_ = false;
  }
  tree_.feature.push_back(-1);
  tree_.threshold.push_back(0.0F);
  tree_.next.push_back(0);
  tree_.kinds.push_back(0);
  return node;
}

void TreeAssembly::add_test(const NodeTest& test) {
  const std::uint32_t node = add_node();
  tree_.feature[node] = test.feature;
  tree_.threshold[node] = test.threshold;
  tree_.kinds[node] = test.kind;
  has_kinds_ = has_kinds_ || test.kind != 0;
  if ((test.kind & GrownTree::categorical) != 0) {
    tree_.threshold[node] = static_cast<float>(tree_.categories.size());
    tree_.categories.insert(tree_.categories.end(), test.categories.begin(), test.categories.end());
  }
  waiting_.push_back(node);
}

void TreeAssembly::add_leaf() {
  const std::uint32_t node = add_node();
  tree_.next[node] = leaves_++;
  expects_right_ = true;
}

GrownTree TreeAssembly::finish() {
  if (!has_kinds_) tree_.kinds.clear();
  // A child comes after its parent.
  std::vector<std::uint32_t> depth(tree_.feature.size(), 0);
  for (std::size_t node = 0; node < depth.size(); ++node) {
    tree_.depth = std::max(tree_.depth, depth[node]);
    if (tree_.feature[node] >= 0) depth[node + 1] = depth[tree_.next[node]] = depth[node] + 1;
  }
  return std::move(tree_);
}

}  // namespace coppice
