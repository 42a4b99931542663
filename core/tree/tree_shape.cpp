#include "core/tree/tree_shape.h"

#include <algorithm>

namespace coppice {

std::pair<std::uint32_t, std::uint32_t> TreeShape::split(std::uint32_t node, const SplitCandidate& split,
                                                         double decrease) {
  const auto left = static_cast<std::uint32_t>(nodes_.size());
  nodes_.resize(nodes_.size() + 2);
  Node& parent = nodes_[node];
  parent.feature = static_cast<std::int32_t>(split.feature);
  parent.threshold = split.threshold;
  if (split.categorical()) {
    parent.kind = GrownTree::categorical;
    parent.threshold = static_cast<float>(categories_.size());
    categories_.push_back(split.left_categories.size());
    categories_.insert(categories_.end(), split.left_categories.begin(), split.left_categories.end());
  }
  if (split.missing_left) parent.kind |= GrownTree::missing_left;
  has_kinds_ = has_kinds_ || parent.kind != 0;
  parent.decrease = decrease;
  parent.children = left;
  nodes_[left].depth = nodes_[left + 1].depth = parent.depth + 1;
  return {left, left + 1};
}

void TreeShape::split_pair(std::uint32_t node, const SplitCandidate& split, double decrease,
                           const std::array<std::uint32_t, 2>& rows, bool first_left) {
  const auto [left, right] = this->split(node, split, decrease);
  make_leaf(left, std::span(rows).subspan(first_left ? 0 : 1, 1));
  make_leaf(right, std::span(rows).subspan(first_left ? 1 : 0, 1));
}

void TreeShape::make_leaf(std::uint32_t node, std::span<const std::uint32_t> rows) {
  nodes_[node].begin = static_cast<std::uint32_t>(rows_.size());
  rows_.insert(rows_.end(), rows.begin(), rows.end());
  nodes_[node].end = static_cast<std::uint32_t>(rows_.size());
  std::sort(rows_.end() - static_cast<std::ptrdiff_t>(rows.size()), rows_.end());
}

void TreeShape::make_empty_leaf(std::uint32_t node, std::span<const std::uint32_t> rows) {
  make_leaf(node, rows);
  nodes_[node].kind = GrownTree::empty_leaf;
  has_kinds_ = true;
}

GrownTree TreeShape::finish(const Sample& sample) const {
  constexpr std::uint32_t nobody = 0xffffffffU;
  GrownTree tree;
  tree.categories = categories_;
  tree.feature.resize(nodes_.size());
  tree.threshold.resize(nodes_.size());
  tree.decrease.resize(nodes_.size());
  tree.next.resize(nodes_.size());
  if (has_kinds_) tree.kinds.resize(nodes_.size());
  tree.leaf_end.reserve(nodes_.size() / 2 + 1);
  tree.rows.reserve(sample.drawn ? sample.total : sample.rows.size());
  std::vector<std::pair<std::uint32_t, std::uint32_t>> open{{root, nobody}};  // a node, and whose right child
  for (std::uint32_t place = 0; !open.empty(); ++place) {
    const auto [index, parent] = open.back();
    open.pop_back();
    const Node& node = nodes_[index];
    if (parent != nobody) tree.next[parent] = place;
    tree.feature[place] = node.feature;
    tree.threshold[place] = node.threshold;
    tree.decrease[place] = node.decrease;
    if (has_kinds_) tree.kinds[place] = node.kind;
    if (node.feature >= 0) {
      open.emplace_back(node.children + 1, place);
      open.emplace_back(node.children, nobody);
      continue;
    }
    tree.depth = std::max(tree.depth, node.depth);
    tree.next[place] = static_cast<std::uint32_t>(tree.leaf_end.size());
    append_rows(node, sample, tree.rows);
    tree.leaf_end.push_back(static_cast<std::uint32_t>(tree.rows.size()));
  }
  return tree;
}

void TreeShape::append_rows(const Node& leaf, const Sample& sample, std::vector<std::uint32_t>& rows) const {
  const auto own = std::span(rows_).subspan(leaf.begin, leaf.end - leaf.begin);
  if (!sample.drawn) {
    rows.insert(rows.end(), own.begin(), own.end());
    return;
  }
  for (const std::uint32_t row : own)
    for (std::uint32_t times = sample.weights[row]; times > 0; --times) rows.push_back(row);
}

}  // namespace coppice
