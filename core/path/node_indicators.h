#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/base/context.h"
#include "core/data/dataset.h"
#include "core/tree/category_codes.h"
#include "core/tree/tree_set.h"

namespace coppice {

/// The nodes of trees as binary inputs: 1 where a row comes through the node (thesis 7.1). Nodes are numbered
/// over all trees, in each tree in preorder. Nothing of size rows × nodes exists: the rows of a tree are
/// listed leaf by leaf, so that those of any node follow each other.
class NodeIndicators {
 public:
  /// Rows are numbered as in the view. `categories` are those that the trees were grown on.
  NodeIndicators(const TreeSet& trees, const DatasetView& rows, const CategoryCodes& categories,
                 const Context& context);

  std::size_t rows() const { return rows_; }
  std::size_t trees() const { return tree_begin_.size() - 1; }
  /// All nodes, and the first one of a tree.
  std::uint32_t nodes() const { return tree_begin_.back(); }
  std::uint32_t tree_begin(std::size_t tree) const { return tree_begin_[tree]; }
  std::size_t tree_of(std::uint32_t node) const;
  /// The node above; of a root, itself. The right child, the left one follows its parent; of a leaf, 0.
  std::uint32_t parent(std::uint32_t node) const { return parent_[node]; }
  std::uint32_t right(std::uint32_t node) const { return right_[node]; }
  /// The leaf of a row in a tree.
  std::uint32_t leaf(std::size_t tree, std::size_t row) const { return leaf_of_[tree * rows_ + row]; }

  /// How many rows come through a node, and which.
  std::uint32_t count(std::uint32_t node) const { return count_[node]; }
  std::span<const std::uint32_t> rows_of(std::uint32_t node) const {
    return {order_.data() + tree_of(node) * rows_ + first_[node], count_[node]};
  }

  /// Adds up numbers of the rows (`width` for each) in every node of a tree; `sums` has room for all nodes of
  /// all trees. A node's sum is that of its children: the same bits, whichever way it is kept up to date.
  void add_up(std::size_t tree, std::size_t width, const double* values, double* sums) const;
  /// The same for the nodes that the given rows come through: the others are right already.
  void add_up_again(std::size_t tree, std::size_t width, const double* values,
                    std::span<const std::uint32_t> changed, double* sums) const;

 private:
  void add_up_node(std::size_t tree, std::uint32_t node, std::size_t width, const double* values,
                   double* sums) const;

  std::size_t rows_;
  std::vector<std::uint32_t> tree_begin_;
  std::vector<std::uint32_t> first_;    ///< of each node: where its rows begin in its tree's part of order_
  std::vector<std::uint32_t> count_;    ///< of each node: its rows
  std::vector<std::uint32_t> right_;    ///< of each node: its right child, 0 for leaves
  std::vector<std::uint32_t> parent_;   ///< of each node; a root has itself
  std::vector<std::uint32_t> order_;    ///< of each tree: the rows leaf by leaf
  std::vector<std::uint32_t> leaf_of_;  ///< of each tree: the leaf of every row
};

/// How indicators enter a penalised model. Both are shifted to mean 0.
enum class IndicatorScale {
  centred,       ///< as they are
  standardised,  ///< with variance 1, as the thesis has all inputs
};

/// What an indicator is multiplied by, and the squared length of the shifted and scaled column, by the number
/// of its rows; 0 for one that is the same in all rows.
class IndicatorScales {
 public:
  IndicatorScales(IndicatorScale scale, std::size_t rows);

  double factor(std::uint32_t count) const { return factors_[count]; }
  double squared_length(std::uint32_t count) const { return squared_lengths_[count]; }

 private:
  std::vector<double> factors_;
  std::vector<double> squared_lengths_;
};

}  // namespace coppice
