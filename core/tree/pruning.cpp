#include "core/tree/pruning.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <utility>

namespace coppice {

namespace {

constexpr std::uint32_t nobody = 0xffffffffU;

/// Where the nodes of a tree are: parents, and the leaves below them.
struct Structure {
  std::vector<std::uint32_t> parent;
  std::vector<std::uint32_t> first_leaf;
  std::vector<std::uint32_t> end_leaf;
  std::vector<std::uint32_t> end_node;  ///< one after the last node below

  explicit Structure(const GrownTree& tree)
      : parent(tree.feature.size(), nobody),
        first_leaf(tree.feature.size()),
        end_leaf(tree.feature.size()),
        end_node(tree.feature.size()) {
    for (std::size_t i = tree.feature.size(); i-- > 0;) {
      const auto node = static_cast<std::uint32_t>(i);
      if (tree.feature[i] < 0) {
        first_leaf[i] = tree.next[i];
        end_leaf[i] = tree.next[i] + 1;
        end_node[i] = node + 1;
        continue;
      }
      const std::uint32_t right = tree.next[i];
      parent[i + 1] = parent[right] = node;
      first_leaf[i] = first_leaf[i + 1];
      end_leaf[i] = end_leaf[right];
      end_node[i] = end_node[right];
    }
  }
};

/// The rows of a tree below a node, leaf by leaf; those of empty leaves are somebody else's.
template <typename Body>
void each_row(const GrownTree& tree, const Structure& structure, std::uint32_t node, const Body& body) {
  for (std::uint32_t i = node; i < structure.end_node[node]; ++i) {
    if (tree.feature[i] >= 0) continue;
    if (!tree.kinds.empty() && (tree.kinds[i] & GrownTree::empty_leaf) != 0 && i != node) continue;
    for (const std::uint32_t row : tree.leaf_rows(tree.next[i])) body(row);
  }
}

/// The squared error that each node would have as a leaf, on given rows.
std::vector<double> node_errors(const GrownTree& tree, const Structure& structure, const OutputRows& outputs,
                                std::span<const std::uint32_t> rows, std::span<const std::uint32_t> leaves) {
  // The rows by leaf: those of a node are then next to each other.
  std::vector<std::uint32_t> begin(tree.leaves() + 1, 0);
  for (const std::uint32_t leaf : leaves) ++begin[leaf + 1];
  std::partial_sum(begin.begin(), begin.end(), begin.begin());
  std::vector<std::uint32_t> sorted(rows.size());
  std::vector<std::uint32_t> next(begin.begin(), begin.end() - 1);
  for (std::size_t i = 0; i < rows.size(); ++i) sorted[next[leaves[i]]++] = rows[i];

  std::vector<double> errors(tree.feature.size());
  std::vector<double> means(outputs.outputs(), 0.0);
  for (std::uint32_t node = 0; node < errors.size(); ++node) {
    double weight = 0.0;
    each_row(tree, structure, node, [&](std::uint32_t row) {
      weight += 1.0;
      outputs.each(row, [&](std::uint32_t output, double value) { means[output] += value; });
    });
    double squares = 0.0;
    for (double& mean : means) {
      mean /= weight;
      squares += mean * mean;
    }
    for (std::uint32_t i = begin[structure.first_leaf[node]]; i < begin[structure.end_leaf[node]]; ++i) {
      errors[node] += squares;
      outputs.each(sorted[i], [&](std::uint32_t output, double value) {
        errors[node] += value * (value - 2.0 * means[output]);
      });
    }
    std::fill(means.begin(), means.end(), 0.0);
  }
  return errors;
}

/// The nodes that can be collapsed by how much they are worth, the smallest first, of equal ones that nearest
/// to the root.
class CollapseQueue {
 public:
  CollapseQueue(const GrownTree& tree, const Structure& structure)
      : tree_(&tree), structure_(&structure), worth_(tree.feature.size()), open_(tree.feature.size(), 0) {}

  bool empty() const { return queue_.empty(); }
  std::uint32_t first() const { return queue_.begin()->second; }
  double first_worth() const { return queue_.begin()->first; }
  void put(std::uint32_t node, double worth) {
    if (open_[node] != 0) queue_.erase({worth_[node], node});
    open_[node] = 1;
    worth_[node] = worth;
    queue_.emplace(worth, node);
  }
  /// The node is a leaf from now on, and what is below it is gone.
  void collapse(std::uint32_t node) {
    for (std::uint32_t i = node; i < structure_->end_node[node]; ++i)
      if (std::exchange(open_[i], 0) != 0) queue_.erase({worth_[i], i});
  }
  bool open(std::uint32_t node) const { return open_[node] != 0; }

 private:
  const GrownTree* tree_;
  const Structure* structure_;
  std::vector<double> worth_;
  std::vector<std::uint8_t> open_;
  std::set<std::pair<double, std::uint32_t>> queue_;
};

}  // namespace

GrownTree collapsed(const GrownTree& tree, std::span<const std::uint8_t> becomes_leaf) {
  const Structure structure(tree);
  GrownTree result;
  result.categories = tree.categories;
  struct Waiting {
    std::uint32_t right;  // the right child in the old tree
    std::uint32_t place;  // the node in the new tree
    std::uint32_t level;
  };
  std::vector<Waiting> waiting;
  std::uint32_t level = 0;
  for (std::uint32_t i = 0; i < tree.feature.size();) {
    const auto place = static_cast<std::uint32_t>(result.feature.size());
    if (!waiting.empty() && waiting.back().right == i) {
      result.next[waiting.back().place] = place;
      level = waiting.back().level + 1;
      waiting.pop_back();
    }
    result.depth = std::max(result.depth, level);
    const bool leaf = tree.feature[i] < 0 || becomes_leaf[i] != 0;
    result.feature.push_back(leaf ? -1 : tree.feature[i]);
    result.threshold.push_back(leaf ? 0.0F : tree.threshold[i]);
    result.decrease.push_back(leaf ? 0.0 : tree.decrease[i]);
    if (!tree.kinds.empty()) result.kinds.push_back(tree.feature[i] >= 0 && leaf ? 0 : tree.kinds[i]);
    result.next.push_back(static_cast<std::uint32_t>(result.leaf_end.size()));
    if (!leaf) {
      waiting.push_back({tree.next[i], place, level++});
      ++i;
      continue;
    }
    const std::size_t first = result.rows.size();
    each_row(tree, structure, i, [&](std::uint32_t row) { result.rows.push_back(row); });
    std::sort(result.rows.begin() + static_cast<std::ptrdiff_t>(first), result.rows.end());
    result.leaf_end.push_back(static_cast<std::uint32_t>(result.rows.size()));
    i = structure.end_node[i];
  }
  return result;
}

std::vector<PruningStep> weakest_links(const GrownTree& tree) {
  const Structure structure(tree);
  std::vector<double> below(tree.feature.size(), 0.0);  // what the splits from here on gain
  std::vector<double> leaves(tree.feature.size(), 1.0);
  CollapseQueue queue(tree, structure);
  const auto alpha = [&](std::uint32_t node) { return below[node] / (leaves[node] - 1.0); };
  for (std::size_t i = tree.feature.size(); i-- > 0;) {
    if (tree.feature[i] < 0) continue;
    const auto node = static_cast<std::uint32_t>(i);
    below[i] = tree.decrease[i] + below[i + 1] + below[tree.next[i]];
    leaves[i] = leaves[i + 1] + leaves[tree.next[i]];
    queue.put(node, alpha(node));
  }
  std::vector<PruningStep> steps;
  double reached = 0.0;
  while (!queue.empty()) {
    const std::uint32_t node = queue.first();
    reached = std::max(reached, queue.first_worth());  // rounding must not make it descend
    steps.push_back({reached, node});
    queue.collapse(node);
    const double gain = below[node];
    const double lost = leaves[node] - 1.0;
    for (std::uint32_t up = structure.parent[node]; up != nobody; up = structure.parent[up]) {
      below[up] -= gain;
      leaves[up] -= lost;
      queue.put(up, alpha(up));
    }
  }
  return steps;
}

GrownTree prune_cost_complexity(const GrownTree& tree, double alpha) {
  std::vector<std::uint8_t> becomes_leaf(tree.feature.size(), 0);
  for (const PruningStep& step : weakest_links(tree))
    if (step.alpha <= alpha) becomes_leaf[step.node] = 1;
  return collapsed(tree, becomes_leaf);
}

double best_alpha(const GrownTree& tree, const OutputRows& outputs, std::span<const std::uint32_t> rows,
                  std::span<const std::uint32_t> leaves) {
  const Structure structure(tree);
  const std::vector<double> errors = node_errors(tree, structure, outputs, rows, leaves);
  std::vector<double> below(errors);  // the error of the leaves below
  for (std::size_t i = errors.size(); i-- > 0;)
    if (tree.feature[i] >= 0) below[i] = below[i + 1] + below[tree.next[i]];
  const std::vector<PruningStep> steps = weakest_links(tree);
  double best = below[0];
  double alpha = 0.0;
  for (std::size_t s = 0; s < steps.size(); ++s) {
    const std::uint32_t node = steps[s].node;
    const double change = errors[node] - below[node];
    for (std::uint32_t up = node; up != nobody; up = structure.parent[up]) below[up] += change;
    const bool last_of_equal = s + 1 == steps.size() || steps[s + 1].alpha > steps[s].alpha;
    if (!last_of_equal || below[0] > best) continue;
    best = below[0];
    alpha = s + 1 == steps.size() ? steps[s].alpha : std::sqrt(steps[s].alpha * steps[s + 1].alpha);
  }
  return alpha;
}

GrownTree prune_reduced_error(const GrownTree& tree, const OutputRows& outputs,
                              std::span<const std::uint32_t> rows, std::span<const std::uint32_t> leaves) {
  const Structure structure(tree);
  const std::vector<double> errors = node_errors(tree, structure, outputs, rows, leaves);
  std::vector<double> below(errors);
  CollapseQueue queue(tree, structure);
  for (std::size_t i = errors.size(); i-- > 0;) {
    if (tree.feature[i] < 0) continue;
    below[i] = below[i + 1] + below[tree.next[i]];
    queue.put(static_cast<std::uint32_t>(i), errors[i] - below[i]);
  }
  std::vector<std::uint8_t> becomes_leaf(errors.size(), 0);
  while (!queue.empty() && queue.first_worth() <= 0.0) {
    const std::uint32_t node = queue.first();
    const double change = queue.first_worth();
    becomes_leaf[node] = 1;
    queue.collapse(node);
    for (std::uint32_t up = structure.parent[node]; up != nobody; up = structure.parent[up]) {
      below[up] += change;
      queue.put(up, errors[up] - below[up]);
    }
  }
  return collapsed(tree, becomes_leaf);
}

}  // namespace coppice
