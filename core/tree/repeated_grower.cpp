#include "core/tree/repeated_grower.h"

#include <algorithm>

#include "core/tree/feature_order.h"
#include "core/tree/split_candidate.h"
#include "core/tree/tree_shape.h"

namespace coppice {

bool RepeatedGrower::suits(const CodedInputs& inputs, const GrowthOptions& options) {
  return options.rule == SplitRule::best && options.features == inputs.columns() && options.max_leaves &&
         options.min_impurity_decrease == 0.0 && !options.branch_for_each_category && !inputs.has_special();
}

RepeatedGrower::RepeatedGrower(std::shared_ptr<const CodedInputs> inputs, std::span<const std::uint32_t> rows,
                               const GrowthOptions& options)
    : inputs_(std::move(inputs)),
      rows_(rows.size()),
      options_(options),
      binary_(*inputs_, rows),
      sorted_(*inputs_, rows) {}

RepeatedGrower::~RepeatedGrower() = default;

/// One tree that is being grown, best-first.
class RepeatedGrower::Growth {
 public:
  Growth(const RepeatedGrower& grower, const BlockedTargets& targets, std::span<const std::uint32_t> weights,
         GrowthMemory& memory, const Context& context)
      : grower_(&grower),
        targets_(&targets),
        weights_(weights),
        memory_(&memory),
        context_(&context),
        left_(grower.rows_) {}

  RepeatedTree grow(const Stream& stream) {
    begin(stream);
    for (std::uint64_t leaves = 1; leaves < *options().max_leaves; ++leaves) {
      const std::size_t next = most_promising();
      if (next == nodes_.size()) break;
      // The children of the last split stay leaves: nobody asks how they could be split.
      split(next, leaves + 1 < *options().max_leaves);
    }
    for (Node& node : nodes_) give_back(node);
    return finish();
  }

 private:
  struct Node {
    std::uint32_t begin = 0;  ///< its rows
    std::uint32_t end = 0;
    std::uint32_t depth = 0;
    Stream stream{0};
    bool open = false;  ///< it can be split, and `best` says how
    std::uint32_t left = 0;
    std::uint32_t right = 0;  ///< 0 for leaves
    double gain = 0.0;
    ColumnSplit best;
    NodeSums sums;
    BinaryColumns::Sums binary;
    SortedColumns::Parts parts;
    std::uint32_t size() const { return end - begin; }
  };

  void give_back(Node& node) {
    if (!node.binary.values.empty()) memory_->sums.push_back(std::move(node.binary));
  }

  const GrowthOptions& options() const { return grower_->options_; }
  std::uint32_t weight_of(std::uint32_t row) const { return weights_.empty() ? 1 : weights_[row]; }

  void begin(const Stream& stream) {
    ids_.reserve(grower_->rows_);
    for (std::uint32_t row = 0; row < grower_->rows_; ++row) {
      if (weight_of(row) == 0) continue;
      ids_.push_back(row);
      total_ += weight_of(row);
    }
    Node root;
    root.end = static_cast<std::uint32_t>(ids_.size());
    root.stream = stream.at("node");
    root.parts = grower_->sorted_.begin(weights_, memory_->order);
    nodes_.push_back(std::move(root));
    if (is_final(nodes_[0]) || *options().max_leaves < 2) return;
    add_up(nodes_[0]);
    search(nodes_[0]);
  }

  bool is_final(const Node& node) const {
    return node.size() < std::max<std::uint64_t>(2, options().min_samples_split) ||
           node.size() < 2 * options().min_samples_leaf ||
           (options().max_depth && node.depth >= *options().max_depth);
  }

  std::span<const std::uint32_t> rows_of(const Node& node) const {
    return std::span(ids_).subspan(node.begin, node.size());
  }

  /// Sums over the rows of a node.
  void add_up(Node& node) {
    const std::size_t lanes = targets_->lanes();
    node.sums.rows = rows_of(node);
    node.sums.totals.assign(targets_->width(), 0.0);
    node.sums.weight = 0.0;
    for (const std::uint32_t row : node.sums.rows) node.sums.weight += weight_of(row);
    parallel_for(*context_, targets_->blocks(), [&](std::size_t block) {
      const double* from = targets_->block(block);
      double* totals = node.sums.totals.data() + block * lanes;
      for (const std::uint32_t row : node.sums.rows)
        for (std::size_t j = 0; j < lanes; ++j) totals[j] += from[row * lanes + j];
    });
    if (grower_->binary_.empty()) return;
    if (!memory_->sums.empty()) {
      node.binary = std::move(memory_->sums.back());
      memory_->sums.pop_back();
    }
    grower_->binary_.add_up(*targets_, weights_, node.sums, node.binary, *context_);
  }
  /// What is left of a parent's sums when a child's are taken away.
  void take_away(const Node& child, Node& parent, Node& other) {
    other.sums = std::move(parent.sums);
    other.binary = std::move(parent.binary);
    other.sums.rows = rows_of(other);
    other.sums.weight -= child.sums.weight;
    for (std::size_t j = 0; j < targets_->width(); ++j) other.sums.totals[j] -= child.sums.totals[j];
    if (!grower_->binary_.empty()) grower_->binary_.take_away(child.binary, other.binary, *context_);
  }

  void search(Node& node) {
    context_->check_stop();
    node.sums.centre_totals(*targets_);
    ColumnSplit best;
    const auto offer = [&](const ColumnSplit& split) {
      if (is_better(split, best, node)) best = split;
    };
    if (!grower_->binary_.empty())
      grower_->binary_.search(*targets_, node.sums, node.binary, options().min_samples_leaf, offer,
                              *context_);
    if (!grower_->sorted_.empty())
      for (const ColumnSplit& split :
           grower_->sorted_.search(*targets_, weights_, node.sums, node.parts, memory_->order,
                                   options().min_samples_leaf, memory_->centred, *context_))
        offer(split);
    node.open = best.found;
    node.best = best;
    node.gain = best.found ? best.score() / static_cast<double>(total_) : 0.0;
  }

  bool is_better(const ColumnSplit& split, const ColumnSplit& best, const Node& node) const {
    if (!split.found || !(split.numerator > 0.0)) return false;
    if (!best.found) return true;
    const double score = split.score();
    const double other = best.score();
    if (score != other) return score > other;
    const std::uint32_t features[2] = {split.feature, best.feature};
    std::uint32_t places[2];
    FeatureOrder(node.stream, grower_->inputs_->columns()).places_of(features, places);
    return places[0] < places[1];
  }

  /// The open leaf with the largest gain, of equal ones the older.
  std::size_t most_promising() const {
    std::size_t best = nodes_.size();
    for (std::size_t i = 0; i < nodes_.size(); ++i)
      if (nodes_[i].open && (best == nodes_.size() || nodes_[i].gain > nodes_[best].gain)) best = i;
    return best;
  }

  void mark_rows(const Node& node) {
    const ColumnSplit& split = node.best;
    const std::uint32_t column = grower_->binary_.column_of(split.feature);
    if (column == BinaryColumns::none) {
      grower_->sorted_.mark(split, node.parts, memory_->order, node.sums, left_);
      return;
    }
    // Rows that the column does not list have the other of its two codes.
    const std::uint8_t others = grower_->inputs_->column(split.feature).default_code == 0 ? 1 : 0;
    for (const std::uint32_t row : rows_of(node)) left_[row] = others;
    for (const std::uint32_t row : grower_->binary_.listed(column)) left_[row] = 1 - others;
  }

  void split(std::size_t index, bool search_children) {
    Node parent = std::move(nodes_[index]);
    mark_rows(parent);
    const auto first = ids_.begin() + parent.begin;
    const auto last = ids_.begin() + parent.end;
    const auto middle =
        std::stable_partition(first, last, [&](std::uint32_t row) { return left_[row] != 0; });
    Node left;
    Node right;
    left.begin = parent.begin;
    left.end = right.begin = parent.begin + static_cast<std::uint32_t>(middle - first);
    right.end = parent.end;
    left.depth = right.depth = parent.depth + 1;
    left.stream = parent.stream.at("child", 0);
    right.stream = parent.stream.at("child", 1);
    if (search_children) {
      const bool left_smaller = left.size() <= right.size();
      Node& smaller = left_smaller ? left : right;
      Node& larger = left_smaller ? right : left;
      const bool any = !is_final(smaller) || !is_final(larger);
      if (any) {
        if (!grower_->sorted_.empty())
          grower_->sorted_.divide(parent.parts, left_, memory_->order, left.parts, right.parts, *context_);
        add_up(smaller);
        if (!is_final(smaller)) search(smaller);
        if (!is_final(larger)) {
          take_away(smaller, parent, larger);
          search(larger);
        }
      }
    }
    give_back(parent);
    Node& kept = nodes_[index];
    kept.best = parent.best;
    kept.gain = parent.gain;
    kept.begin = parent.begin;
    kept.end = parent.end;
    kept.open = false;
    kept.left = static_cast<std::uint32_t>(nodes_.size());
    kept.right = kept.left + 1;
    nodes_.push_back(std::move(left));
    nodes_.push_back(std::move(right));
    splits_.push_back(static_cast<std::uint32_t>(index));
  }

  RepeatedTree finish() const {
    RepeatedTree result;
    TreeShape shape;
    // In the order in which they were made, so that the shape numbers nodes as they are numbered here.
    for (const std::uint32_t index : splits_) {
      const Node& node = nodes_[index];
      SplitCandidate candidate;
      candidate.found = true;
      candidate.feature = node.best.feature;
      const auto values = grower_->inputs_->column(node.best.feature).values;
      candidate.threshold = threshold_between(values[node.best.last_left], values[node.best.first_right]);
      shape.split(index, candidate, node.gain);
    }
    result.tree = shape.finish(Sample{});
    result.leaf.assign(grower_->rows_, GrownTree::no_leaf);
    std::uint32_t leaf = 0;
    std::vector<std::uint32_t> open{0};
    while (!open.empty()) {
      const Node& node = nodes_[open.back()];
      open.pop_back();
      if (node.right != 0) {
        open.push_back(node.right);
        open.push_back(node.left);
        continue;
      }
      for (const std::uint32_t row : rows_of(node)) result.leaf[row] = leaf;
      ++leaf;
    }
    return result;
  }

  const RepeatedGrower* grower_;
  const BlockedTargets* targets_;
  std::span<const std::uint32_t> weights_;
  GrowthMemory* memory_;
  const Context* context_;
  std::vector<std::uint8_t> left_;
  std::vector<std::uint32_t> ids_;
  std::vector<Node> nodes_;
  std::vector<std::uint32_t> splits_;  ///< the nodes that were split, in that order
  std::uint64_t total_ = 0;
};

RepeatedTree RepeatedGrower::grow(const BlockedTargets& targets, std::span<const std::uint32_t> weights,
                                  const Stream& stream, GrowthMemory& memory, const Context& context) const {
  return Growth(*this, targets, weights, memory, context).grow(stream);
}

}  // namespace coppice
