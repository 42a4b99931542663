#include "core/tree/grower.h"

#include <algorithm>
#include <queue>

#include "core/tree/label_space.h"
#include "core/tree/real_space.h"
#include "core/tree/split_search.h"

namespace coppice {

namespace {

constexpr std::uint32_t no_node = 0xffffffffU;

/// A node while its tree is growing, children by index.
struct GrowingNode {
  std::int32_t feature = -1;
  float threshold = 0.0F;
  double decrease = 0.0;
  std::uint32_t left = no_node;
  std::uint32_t right = no_node;
  NodeRange range;
};

/// A node that may still be split: where it is, and in best-first growth the split found for it.
struct OpenNode {
  std::uint32_t node = 0;
  std::uint32_t depth = 0;
  Stream stream{0};
  SplitCandidate split;
  double gain = 0.0;
};

/// The leaf with the largest gain first, of equal ones the older.
struct LessPromising {
  bool operator()(const OpenNode& a, const OpenNode& b) const {
    return a.gain != b.gain ? a.gain < b.gain : a.node > b.node;
  }
};

/// Grows one tree in one output space.
template <typename Space>
class Grower {
 public:
  Grower(const CodedInputs& inputs, Space space, const Sample& sample, const GrowthOptions& options,
         const Context& context)
      : inputs_(&inputs),
        sample_(&sample),
        options_(&options),
        context_(&context),
        search_(inputs, options, std::move(space)),
        rows_(sample.rows) {
    if (!inputs.has_sparse()) return;
    position_.assign(inputs.rows(), no_node);
    for (std::uint32_t i = 0; i < rows_.size(); ++i) position_[rows_[i]] = i;
  }

  GrownTree grow(const Stream& stream) {
    nodes_.push_back({});
    nodes_[0].range = {0, static_cast<std::uint32_t>(rows_.size())};
    OpenNode root;
    root.stream = stream.at("node");
    if (options_->max_leaves)
      grow_best_first(root);
    else
      grow_depth_first(root);
    return in_preorder();
  }

 private:
  void grow_depth_first(const OpenNode& root) {
    std::vector<OpenNode> open{root};
    while (!open.empty()) {
      OpenNode node = open.back();
      open.pop_back();
      if (!find_split(node)) continue;
      const auto [left, right] = split(node);
      open.push_back(right);
      open.push_back(left);
    }
  }

  void grow_best_first(OpenNode root) {
    std::priority_queue<OpenNode, std::vector<OpenNode>, LessPromising> open;
    if (find_split(root)) open.push(root);
    for (std::uint64_t leaves = 1; leaves < *options_->max_leaves && !open.empty(); ++leaves) {
      const OpenNode node = open.top();
      open.pop();
      const auto [left, right] = split(node);
      for (OpenNode child : {left, right})
        if (find_split(child)) open.push(child);
    }
  }

  /// Whether the node is to be split; its split and gain are then known.
  bool find_split(OpenNode& node) {
    const NodeRange range = nodes_[node.node].range;
    if (range.size() < options_->min_samples_split || range.size() < 2 * options_->min_samples_leaf)
      return false;
    if (options_->max_depth && node.depth >= *options_->max_depth) return false;
    if (range.size() >= rows_between_stop_checks) context_->check_stop();
    Space& space = search_.space();
    space.enter(std::span<const std::uint32_t>(rows_).subspan(range.begin, range.size()));
    if (space.pure()) return false;
    node.split = search_.search(rows_, position_, range, node.stream);
    if (!node.split.found) return false;
    node.gain = std::max(0.0, node.split.score - space.base_score()) / static_cast<double>(sample_->total);
    return node.gain >= options_->min_impurity_decrease;
  }

  std::pair<OpenNode, OpenNode> split(const OpenNode& node) {
    const NodeRange range = nodes_[node.node].range;
    const std::uint32_t middle = partition(range, node.split);
    OpenNode left;
    OpenNode right;
    left.node = static_cast<std::uint32_t>(nodes_.size());
    right.node = left.node + 1;
    left.depth = right.depth = node.depth + 1;
    left.stream = node.stream.at("child", 0);
    right.stream = node.stream.at("child", 1);
    depth_ = std::max(depth_, left.depth);
    nodes_.resize(nodes_.size() + 2);
    nodes_[left.node].range = {range.begin, middle};
    nodes_[right.node].range = {middle, range.end};
    GrowingNode& parent = nodes_[node.node];
    parent.feature = static_cast<std::int32_t>(node.split.feature);
    parent.threshold = node.split.threshold;
    parent.decrease = node.gain;
    parent.left = left.node;
    parent.right = right.node;
    return {left, right};
  }

  /// Brings the rows that go left to the front, keeping both sides in order; returns where the right ones
  /// begin.
  std::uint32_t partition(NodeRange range, const SplitCandidate& split) {
    const CodedColumn column = inputs_->column(split.feature);
    const auto rows = std::span<std::uint32_t>(rows_).subspan(range.begin, range.size());
    goes_left_.resize(rows.size());
    if (column.dense) {
      for (std::size_t i = 0; i < rows.size(); ++i)
        goes_left_[i] =
            (column.narrow ? column.narrow_codes[rows[i]] : column.wide_codes[rows[i]]) <= split.last_left;
    } else {
      std::fill(goes_left_.begin(), goes_left_.end(), column.zero_code <= split.last_left);
      SplitSearch<Space>::visit_entries(
          column, rows, position_, range,
          [&](std::uint32_t i, std::uint32_t code) { goes_left_[i] = code <= split.last_left; });
    }
    right_rows_.clear();
    std::uint32_t left = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (goes_left_[i])
        rows[left++] = rows[i];
      else
        right_rows_.push_back(rows[i]);
    }
    std::copy(right_rows_.begin(), right_rows_.end(), rows.begin() + left);
    if (!position_.empty())
      for (std::uint32_t i = range.begin; i < range.end; ++i) position_[rows_[i]] = i;
    return range.begin + left;
  }

  GrownTree in_preorder() {
    GrownTree tree;
    tree.depth = depth_;
    tree.rows.reserve(sample_->total);
    std::vector<std::pair<std::uint32_t, std::uint32_t>> open{{0, no_node}};  // a node and whose right child
    while (!open.empty()) {
      const auto [index, parent] = open.back();
      open.pop_back();
      const GrowingNode& node = nodes_[index];
      const auto place = static_cast<std::uint32_t>(tree.feature.size());
      if (parent != no_node) tree.next[parent] = place;
      tree.feature.push_back(node.feature);
      tree.threshold.push_back(node.threshold);
      tree.decrease.push_back(node.decrease);
      tree.next.push_back(static_cast<std::uint32_t>(tree.leaf_end.size()));
      if (node.left == no_node) {
        for (std::uint32_t i = node.range.begin; i < node.range.end; ++i)
          tree.rows.insert(tree.rows.end(), sample_->weights[rows_[i]], rows_[i]);
        tree.leaf_end.push_back(static_cast<std::uint32_t>(tree.rows.size()));
      } else {
        open.emplace_back(node.right, place);
        open.emplace_back(node.left, no_node);
      }
    }
    return tree;
  }

  static constexpr std::uint32_t rows_between_stop_checks = 256;

  const CodedInputs* inputs_;
  const Sample* sample_;
  const GrowthOptions* options_;
  const Context* context_;
  SplitSearch<Space> search_;
  std::vector<std::uint32_t> rows_;
  std::vector<std::uint32_t> position_;
  std::vector<GrowingNode> nodes_;
  std::vector<std::uint8_t> goes_left_;
  std::vector<std::uint32_t> right_rows_;
  std::uint32_t depth_ = 0;
};

template <typename Space>
GrownTree grow_in(Space space, const CodedInputs& inputs, const Sample& sample, const GrowthOptions& options,
                  const Stream& stream, const Context& context) {
  return Grower<Space>(inputs, std::move(space), sample, options, context).grow(stream);
}

}  // namespace

GrownTree grow_tree(const CodedInputs& inputs, const GrowthTargets& targets, const Sample& sample,
                    const GrowthOptions& options, const Stream& stream, const Context& context) {
  const auto grow = [&](auto space) {
    return grow_in(std::move(space), inputs, sample, options, stream, context);
  };
  if (const auto* grid = std::get_if<const RealGrid*>(&targets))
    return (*grid)->outputs() == 1 ? grow(RealSpace<true>(**grid, sample))
                                   : grow(RealSpace<false>(**grid, sample));
  const auto& labels = std::get<LabelTargets>(targets);
  if (labels.entropy != nullptr)
    return grow(EntropySpace(*labels.labels, labels.one_class, *labels.entropy, sample));
  return grow(LabelSpace(*labels.labels, sample));
}

}  // namespace coppice
