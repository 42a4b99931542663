#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/data/dataset.h"
#include "core/tree/grower.h"

namespace coppice {

/// The tree with some of its nodes turned into leaves that have all the rows below them.
GrownTree collapsed(const GrownTree& tree, std::span<const std::uint8_t> becomes_leaf);

/// One step of weakest-link pruning: from this complexity coefficient on, the node is a leaf.
struct PruningStep {
  double alpha = 0.0;
  std::uint32_t node = 0;
};

/// The sequence of cost-complexity pruning (thesis 3.21): each step collapses the node whose subtree reduces
/// the impurity of the sample least for each of its leaves, until only the root is left. Alphas ascend.
std::vector<PruningStep> weakest_links(const GrownTree& tree);
/// The smallest tree that minimises the impurity plus alpha times the number of leaves.
GrownTree prune_cost_complexity(const GrownTree& tree, double alpha);

/// The outputs of rows as errors see them: all of a dataset, or a single one.
class OutputRows {
 public:
  explicit OutputRows(const Dataset& dataset, std::optional<std::uint32_t> only = {})
      : dataset_(&dataset), only_(only) {}
  std::size_t outputs() const { return dataset_->output_count(); }
  /// Calls body(output, value) for the outputs of a row that are not 0.
  template <typename Body>
  void each(std::uint32_t row, const Body& body) const {
    if (has_labels(dataset_->task())) {
      for (const std::uint32_t label : dataset_->labels()[row])
        if (!only_ || label == *only_) body(label, 1.0);
      return;
    }
    const auto values = dataset_->targets()[row];
    for (std::uint32_t j = 0; j < values.size(); ++j)
      if (!only_ || j == *only_) body(j, values[j]);
  }

 private:
  const Dataset* dataset_;
  std::optional<std::uint32_t> only_;
};

/// The coefficient whose tree has the least squared error on rows that the tree was not grown on, the largest
/// of equal ones; between two steps of the sequence, their geometric mean (Breiman et al. 1984). `leaves` has
/// the leaf that each of the rows comes to.
double best_alpha(const GrownTree& tree, const OutputRows& outputs, std::span<const std::uint32_t> rows,
                  std::span<const std::uint32_t> leaves);

/// Reduced-error pruning (Quinlan 1987, thesis 3.3): as long as the squared error on the given rows does not
/// increase, collapses the node that reduces it most.
GrownTree prune_reduced_error(const GrownTree& tree, const OutputRows& outputs,
                              std::span<const std::uint32_t> rows, std::span<const std::uint32_t> leaves);

}  // namespace coppice
