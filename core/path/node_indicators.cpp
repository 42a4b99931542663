#include "core/path/node_indicators.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "core/base/error.h"
#include "core/tree/apply.h"

namespace coppice {

NodeIndicators::NodeIndicators(const TreeSet& trees, const DatasetView& rows, const CategoryCodes& categories,
                               const Context& context)
    : rows_(rows.size()), tree_begin_{0} {
  std::uint64_t total = 0;
  for (std::size_t tree = 0; tree < trees.trees(); ++tree) {
    total += trees.nodes(tree);
    if (total > std::numeric_limits<std::uint32_t>::max())
      throw Error(ErrorKind::fit,
                  "the forest has more than 4,294,967,295 nodes; grow fewer or smaller trees");
    tree_begin_.push_back(static_cast<std::uint32_t>(total));
  }
  first_.resize(total);
  count_.resize(total);
  right_.resize(total);
  parent_.resize(total);
  order_.resize(trees.trees() * rows_);
  leaf_of_.resize(trees.trees() * rows_);
  const std::vector<std::uint32_t> leaves = apply_trees(trees, 0, trees.trees(), rows, context, categories);
  parallel_for(context, trees.trees(), [&](std::size_t tree) {
    const std::uint32_t begin = tree_begin_[tree];
    const auto nodes = static_cast<std::uint32_t>(trees.nodes(tree));
    std::vector<std::uint32_t> leaf_nodes;
    parent_[begin] = begin;
    for (std::uint32_t i = 0; i < nodes; ++i) {
      const TreeSet::Node node = trees.node(tree, i);
      if (node.feature < 0) {
        leaf_nodes.push_back(begin + i);
        continue;
      }
      right_[begin + i] = begin + node.next;
      parent_[begin + i + 1] = begin + i;
      parent_[begin + node.next] = begin + i;
    }
    for (std::size_t row = 0; row < rows_; ++row) {
      const std::uint32_t leaf = leaf_nodes[leaves[row * trees.trees() + tree]];
      leaf_of_[tree * rows_ + row] = leaf;
      ++count_[leaf];
    }
    std::uint32_t place = 0;
    for (const std::uint32_t leaf : leaf_nodes) {
      first_[leaf] = place;
      place += count_[leaf];
    }
    std::vector<std::uint32_t> filled(nodes, 0);
    for (std::size_t row = 0; row < rows_; ++row) {
      const std::uint32_t leaf = leaf_of_[tree * rows_ + row];
      order_[tree * rows_ + first_[leaf] + filled[leaf - begin]++] = static_cast<std::uint32_t>(row);
    }
    for (std::uint32_t node = begin + nodes; node-- > begin;) {
      if (right_[node] == 0) continue;
      first_[node] = first_[node + 1];
      count_[node] = count_[node + 1] + count_[right_[node]];
    }
  });
}

std::size_t NodeIndicators::tree_of(std::uint32_t node) const {
  return static_cast<std::size_t>(std::upper_bound(tree_begin_.begin(), tree_begin_.end(), node) -
                                  tree_begin_.begin()) -
         1;
}

void NodeIndicators::add_up_node(std::size_t tree, std::uint32_t node, std::size_t width,
                                 const double* values, double* sums) const {
  double* sum = sums + node * width;
  if (right_[node] != 0) {
    const double* left = sums + (node + 1) * width;
    const double* right = sums + right_[node] * width;
    for (std::size_t j = 0; j < width; ++j) sum[j] = left[j] + right[j];
    return;
  }
  std::fill_n(sum, width, 0.0);
  const std::uint32_t* rows = order_.data() + tree * rows_ + first_[node];
  for (std::uint32_t i = 0; i < count_[node]; ++i)
    for (std::size_t j = 0; j < width; ++j) sum[j] += values[rows[i] * width + j];
}

void NodeIndicators::add_up(std::size_t tree, std::size_t width, const double* values, double* sums) const {
  for (std::uint32_t node = tree_begin_[tree + 1]; node-- > tree_begin_[tree];)
    add_up_node(tree, node, width, values, sums);
}

void NodeIndicators::add_up_again(std::size_t tree, std::size_t width, const double* values,
                                  std::span<const std::uint32_t> changed, double* sums) const {
  // The last of the rows below a node finds all that is below it up to date.
  for (const std::uint32_t row : changed) {
    std::uint32_t node = leaf_of_[tree * rows_ + row];
    for (;;) {
      add_up_node(tree, node, width, values, sums);
      if (parent_[node] == node) break;
      node = parent_[node];
    }
  }
}

IndicatorScales::IndicatorScales(IndicatorScale scale, std::size_t rows)
    : factors_(rows + 1, 0.0), squared_lengths_(rows + 1, 0.0) {
  const auto n = static_cast<double>(rows);
  for (std::size_t count = 1; count < rows; ++count) {
    const auto c = static_cast<double>(count);
    const double variance = c * (n - c) / (n * n);
    const bool standardised = scale == IndicatorScale::standardised;
    factors_[count] = standardised ? 1.0 / std::sqrt(variance) : 1.0;
    squared_lengths_[count] = standardised ? n : n * variance;
  }
}

}  // namespace coppice
