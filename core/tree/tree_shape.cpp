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
  std::uint8_t kind = split.missing_left ? GrownTree::missing_left : 0;
  if (split.categorical()) {
    kind |= GrownTree::categorical;
    parent.threshold = static_cast<float>(categories_.size());
    categories_.push_back(split.left_categories.size());
    categories_.insert(categories_.end(), split.left_categories.begin(), split.left_categories.end());
  }
  if (kind != 0) set_kind(node, kind);
  parent.decrease = decrease;
  parent.first = left;
  return {left, left + 1};
}

void TreeShape::split_pair(std::uint32_t node, const SplitCandidate& split, double decrease,
                           const std::array<std::uint32_t, 2>& rows, bool first_left) {
  const auto [left, right] = this->split(node, split, decrease);
  make_leaf(left, std::span(rows).subspan(first_left ? 0 : 1, 1));
  make_leaf(right, std::span(rows).subspan(first_left ? 1 : 0, 1));
}

void TreeShape::make_leaf(std::uint32_t node, std::span<const std::uint32_t> rows) {
  nodes_[node].first = static_cast<std::uint32_t>(rows_.size());
  nodes_[node].rows = static_cast<std::uint32_t>(rows.size());
  rows_.insert(rows_.end(), rows.begin(), rows.end());
  if (rows.size() == 1) return;
  std::sort(rows_.end() - static_cast<std::ptrdiff_t>(rows.size()), rows_.end());
}

void TreeShape::make_empty_leaf(std::uint32_t node, std::span<const std::uint32_t> rows) {
  make_leaf(node, rows);
  set_kind(node, GrownTree::empty_leaf);
}

void TreeShape::set_kind(std::uint32_t node, std::uint8_t kind) {
  if (kinds_.size() <= node) kinds_.resize(node + 1, 0);
  kinds_[node] = kind;
}

namespace {

/// Writes the rows of leaves one after the other, each as often as it was drawn. Most were drawn a few times:
/// so often they are written in any case, and what is too much is written over.
class RowWriter {
 public:
  RowWriter(const Sample& sample, std::vector<std::uint32_t>& to) : sample_(&sample), to_(&to) {
    to.resize((sample.drawn ? sample.total : sample.rows.size()) + few);
  }
  void add(std::span<const std::uint32_t> rows) {
    for (const std::uint32_t row : rows) {
      const std::size_t times = sample_->drawn ? sample_->weights[row] : 1;
      if (to_->size() < end_ + times + few) to_->resize(2 * (end_ + times) + few);
      std::uint32_t* const to = to_->data() + end_;
      std::fill_n(to, few, row);
      if (times > few) std::fill_n(to, times, row);
      end_ += times;
    }
  }
  std::uint32_t end() const { return static_cast<std::uint32_t>(end_); }
  void finish() { to_->resize(end_); }

 private:
  static constexpr std::size_t few = 4;

  const Sample* sample_;
  std::vector<std::uint32_t>* to_;
  std::size_t end_ = 0;
};

}  // namespace

GrownTree TreeShape::finish(const Sample& sample) const {
  /// A right child that waits for the subtree of its sibling.
  struct Waiting {
    std::uint32_t node;
    std::uint32_t parent;  ///< its place in preorder
    std::uint32_t depth;
  };
  GrownTree tree;
  tree.categories = categories_;
  tree.feature.resize(nodes_.size());
  tree.threshold.resize(nodes_.size());
  tree.decrease.resize(nodes_.size());
  tree.next.resize(nodes_.size());
  if (!kinds_.empty()) tree.kinds.resize(nodes_.size());
  tree.leaf_end.reserve(nodes_.size() / 2 + 1);
  RowWriter rows(sample, tree.rows);
  std::vector<Waiting> waiting;
  std::uint32_t index = root;
  std::uint32_t depth = 0;
  for (std::uint32_t place = 0;; ++place) {
    const Node& node = nodes_[index];
    tree.feature[place] = node.feature;
    tree.decrease[place] = node.decrease;
    if (index < kinds_.size()) tree.kinds[place] = kinds_[index];
    if (node.feature >= 0) {
      tree.threshold[place] = node.threshold;
      waiting.push_back({node.first + 1, place, ++depth});
      index = node.first;
      // What comes after the right child will be far away, as are all children.
      __builtin_prefetch(nodes_.data() + nodes_[node.first + 1].first);
      continue;
    }
    tree.depth = std::max(tree.depth, depth);
    tree.next[place] = static_cast<std::uint32_t>(tree.leaf_end.size());
    rows.add(std::span(rows_).subspan(node.first, node.rows));
    tree.leaf_end.push_back(rows.end());
    if (waiting.empty()) break;
    tree.next[waiting.back().parent] = place + 1;
    index = waiting.back().node;
    depth = waiting.back().depth;
    waiting.pop_back();
  }
  rows.finish();
  return tree;
}

}  // namespace coppice
