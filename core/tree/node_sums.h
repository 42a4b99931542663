#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/tree/blocked_targets.h"

namespace coppice {

/// What a search must know of a node: its rows, their weight, and the totals of the targets. Targets are
/// looked at less their mean on the grid, so that the gain of a split is |S|² · W / (W_L · W_R), with S the
/// sum of a side that starts from `start`: then both sides have the same |S|².
struct NodeSums {
  std::span<const std::uint32_t> rows;  ///< ascending
  double weight = 0.0;
  std::vector<double> totals;
  std::vector<double> centre;
  std::vector<double> start;

  void centre_totals(const BlockedTargets& targets);
};

/// A split and how good it is. Of equal ones the feature that comes first in the node's order is taken, and
/// within a feature the lowest threshold.
struct ColumnSplit {
  bool found = false;
  double numerator = 0.0;
  double denominator = 1.0;
  std::uint32_t feature = 0;
  std::uint32_t last_left = 0;  ///< the codes on either side
  std::uint32_t first_right = 0;

  double score() const { return numerator / denominator; }
};

}  // namespace coppice
