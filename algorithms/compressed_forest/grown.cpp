#include "algorithms/compressed_forest/grown.h"

#include <algorithm>
#include <cmath>
#include <memory>

#include "core/tree/tree_assembly.h"

namespace coppice {

namespace {

/// A node that is in the model or can be chosen.
struct GrownNode {
  std::uint32_t tree = 0;
  std::vector<std::uint32_t> rows;   ///< places in the training view; given up once the node is chosen
  std::unique_ptr<GrownTree> split;  ///< its test, once it was split
  std::uint32_t left = 0;            ///< its children then: left and left + 1
  Stream stream{0};
};

class CompressedGrowth {
 public:
  CompressedGrowth(const DatasetView& train, const GrowthTargets& growth, const PathTargets& targets,
                   const GrownOptions& options, const Context& context)
      : growth_(&growth),
        options_(options),
        context_(&context),
        inputs_(CodedInputs::of(train.shared_dataset(), dense_use(options.growth.rule), context)),
        width_(targets.outputs),
        view_(&train),
        residuals_(targets.together(0, width_)),
        scales_(residuals_, width_) {
    // A single split is asked for at a time.
    options_.growth.max_depth = 1;
    options_.growth.max_leaves = std::nullopt;
    max_depth_ = options.growth.max_depth;
    for (std::size_t i = 0; i < residuals_.size(); ++i) {
      const double deviation = scales_.deviations[i % width_];
      residuals_[i] = deviation > 0.0 ? (residuals_[i] - scales_.means[i % width_]) / deviation : 0.0;
    }
    place_of_.resize(train.dataset().rows());
    for (std::size_t i = 0; i < train.size(); ++i)
      place_of_[train[i]].push_back(static_cast<std::uint32_t>(i));
  }

  GrownForest run() {
    GrownForest forest;
    NodePath& path = forest.path;
    path.outputs = width_;
    intercepts_ = scales_.means;
    path.end_knot(0.0, intercepts_);
    start();
    double length = 0.0;
    for (std::size_t chosen = 0; options_.budget == 0 || chosen < options_.budget; ++chosen) {
      context_->check_stop();
      const std::size_t best = best_candidate();
      if (best == candidates_.size()) break;
      const std::uint32_t node = candidates_[best];
      const std::vector<double> weights = weights_of(node);
      double squares = 0.0;
      for (const double weight : weights) squares += weight * weight;
      if (length + std::sqrt(squares) > options_.length * (1.0 + 1e-12)) break;
      length += std::sqrt(squares);
      for (std::size_t j = 0; j < width_; ++j) {
        if (weights[j] == 0.0) continue;
        path.changes.push_back({node, static_cast<std::uint32_t>(j), weights[j] * scales_.deviations[j]});
        for (const std::uint32_t row : nodes_[node].rows) residuals_[row * width_ + j] -= weights[j];
      }
      path.end_knot(length, intercepts_);
      candidates_.erase(candidates_.begin() + static_cast<std::ptrdiff_t>(best));
      split(node);
      nodes_[node].rows = {};
    }
    forest.trees = assembled(path);
    return forest;
  }

 private:
  /// Splits every root, or leaves it as it is.
  void start() {
    std::vector<std::uint32_t> all(view_->size());
    for (std::uint32_t i = 0; i < all.size(); ++i) all[i] = i;
    for (std::size_t tree = 0; tree < options_.trees; ++tree) {
      GrownNode root;
      root.tree = static_cast<std::uint32_t>(tree);
      root.rows = all;
      root.stream = context_->stream.at("tree", tree);
      nodes_.push_back(std::move(root));
      depth_.push_back(0);
    }
    for (std::uint32_t tree = 0; tree < options_.trees; ++tree) {
      split(tree);
      nodes_[tree].rows = {};
    }
  }

  void split(std::uint32_t node) {
    if (max_depth_ && depth_[node] >= *max_depth_) return;
    Rows rows;
    for (const std::uint32_t place : nodes_[node].rows) rows.push_back((*view_)[place]);
    const Sample sample = Sample::of(DatasetView(view_->shared_dataset(), rows));
    auto grown = std::make_unique<GrownTree>(
        grow_tree(*inputs_, *growth_, sample, options_.growth, nodes_[node].stream, *context_));
    if (grown->leaves() < 2) return;
    const auto left = static_cast<std::uint32_t>(nodes_.size());
    for (std::uint32_t side = 0; side < 2; ++side) {
      GrownNode child;
      child.tree = nodes_[node].tree;
      child.stream = nodes_[node].stream.at("child", side);
      // A row that the view has several times is a place for each.
      const auto leaf = grown->leaf_rows(side);
      std::vector<std::uint32_t> own(leaf.begin(), leaf.end());
      own.erase(std::unique(own.begin(), own.end()), own.end());
      for (const std::uint32_t row : own)
        child.rows.insert(child.rows.end(), place_of_[row].begin(), place_of_[row].end());
      candidates_.push_back(left + side);
      nodes_.push_back(std::move(child));
      depth_.push_back(depth_[node] + 1);
    }
    nodes_[node].left = left;
    nodes_[node].split = std::move(grown);
  }

  std::vector<double> sums_of(std::uint32_t node) const {
    std::vector<double> sums(width_, 0.0);
    for (const std::uint32_t row : nodes_[node].rows)
      for (std::size_t j = 0; j < width_; ++j) sums[j] += residuals_[row * width_ + j];
    return sums;
  }

  /// The one that reduces the squared error most, the first of equal ones; none if nothing does.
  std::size_t best_candidate() const {
    std::vector<double> gains(candidates_.size());
    parallel_blocks(*context_, candidates_.size(), 16, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        double squares = 0.0;
        for (const double sum : sums_of(candidates_[i])) squares += sum * sum;
        gains[i] = squares / static_cast<double>(nodes_[candidates_[i]].rows.size());
      }
    });
    const auto best = std::max_element(gains.begin(), gains.end());
    const double negligible = 1e-12 * static_cast<double>(view_->size());
    if (best == gains.end() || *best <= negligible) return candidates_.size();
    return static_cast<std::size_t>(best - gains.begin());
  }

  std::vector<double> weights_of(std::uint32_t node) const {
    std::vector<double> weights = sums_of(node);
    for (double& weight : weights)
      weight *= options_.learning_rate / static_cast<double>(nodes_[node].rows.size());
    return weights;
  }

  /// All trees in preorder; the nodes of the path are renumbered.
  TreeSet assembled(NodePath& path) const {
    std::vector<std::uint32_t> number(nodes_.size(), 0);
    std::vector<GrownTree> trees;
    std::uint32_t count = 0;
    for (std::uint32_t root = 0; root < options_.trees; ++root) {
      TreeAssembly assembly;
      std::vector<std::uint32_t> open{root};
      while (!open.empty()) {
        const std::uint32_t node = open.back();
        open.pop_back();
        number[node] = count++;
        const GrownTree* split = nodes_[node].split.get();
        if (split == nullptr) {
          assembly.add_leaf();
          continue;
        }
        const std::uint8_t kind = split->kinds.empty() ? std::uint8_t{0} : split->kinds[0];
        assembly.add_test({split->feature[0], split->threshold[0], kind, split->categories});
        open.push_back(nodes_[node].left + 1);
        open.push_back(nodes_[node].left);
      }
      trees.push_back(assembly.finish());
    }
    for (NodePath::Change& change : path.changes) change.node = number[change.node];
    return TreeSet(trees);
  }

  const GrowthTargets* growth_;
  GrownOptions options_;
  std::optional<std::uint64_t> max_depth_;
  const Context* context_;
  std::shared_ptr<const CodedInputs> inputs_;
  std::size_t width_;
  const DatasetView* view_;
  std::vector<double> residuals_;
  TargetScales scales_;
  std::vector<double> intercepts_;
  std::vector<std::vector<std::uint32_t>> place_of_;  ///< of each row of the dataset: where the view has it
  std::vector<GrownNode> nodes_;
  std::vector<std::uint64_t> depth_;
  std::vector<std::uint32_t> candidates_;
};

}  // namespace

GrownForest grow_compressed(const DatasetView& train, const GrowthTargets& growth, const PathTargets& targets,
                            const GrownOptions& options, const Context& context) {
  return CompressedGrowth(train, growth, targets, options, context).run();
}

}  // namespace coppice
