#pragma once

#include <cmath>
#include <vector>

#include "core/data/dataset.h"
#include "core/tree/tree_set.h"

namespace coppice::testing {

/// Node indicators written out: a column for each node, by asking every row at every node.
inline std::vector<std::vector<double>> dense_design(const TreeSet& trees, const DatasetView& rows) {
  std::vector<std::vector<double>> columns;
  for (std::size_t tree = 0; tree < trees.trees(); ++tree) {
    const std::size_t begin = columns.size();
    columns.resize(begin + trees.nodes(tree), std::vector<double>(rows.size(), 0.0));
    for (std::size_t i = 0; i < rows.size(); ++i)
      for (std::uint32_t node = 0;;) {
        columns[begin + node][i] = 1.0;
        const TreeSet::Node at = trees.node(tree, node);
        if (at.feature < 0) break;
        const float value =
            rows.dataset().features().column(static_cast<std::size_t>(at.feature)).at(rows[i]);
        node = value <= at.threshold ? node + 1 : at.next;
      }
  }
  return columns;
}

/// Mean 0, and variance 1 if asked; a constant column becomes 0.
inline void standardise(std::vector<double>& column, bool unit_variance) {
  const auto n = static_cast<double>(column.size());
  double mean = 0.0;
  for (const double value : column) mean += value / n;
  double variance = 0.0;
  for (double& value : column) {
    value -= mean;
    variance += value * value / n;
  }
  const double factor = variance < 1e-20 ? 0.0 : unit_variance ? 1.0 / std::sqrt(variance) : 1.0;
  for (double& value : column) value *= factor;
}

}  // namespace coppice::testing
