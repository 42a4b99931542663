#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/base/context.h"
#include "core/base/line_vector.h"
#include "core/tree/leaf_rows.h"
#include "core/tree/tree_set.h"

namespace coppice {

/// A mean label set: labels, and the share of the rows that has each.
struct MeanLabels {
  std::span<const std::uint32_t> labels;
  std::span<const double> means;
};

/// The mean of the outputs of some training rows, one leaf after the other.
class LeafMean {
 public:
  explicit LeafMean(std::size_t outputs) : counts_(outputs, 0), labels_(outputs + 1) {}

  /// The mean of label sets, until the next call.
  MeanLabels take_labels(const LeafRows& leaves, const NarrowArray& rows);

  /// The mean of real outputs, of all of them, until the next call.
  std::span<const double> take_values(const LeafRows& leaves, const NarrowArray& rows);

 private:
  std::vector<std::uint32_t> counts_;  ///< 0 between uses
  std::vector<std::uint32_t> labels_;  ///< room for all and one more
  std::vector<double> means_;
};

/// The mean label sets of those leaves that list many rows: every block of rows that is predicted comes to
/// such leaves again, so it is worth keeping them.
class LargeLeaves {
 public:
  LargeLeaves(const TreeSet& trees, const LeafRows& leaves, std::size_t outputs, const Context& context);

  /// The mean of a leaf, if it is kept.
  std::optional<MeanLabels> find(std::size_t tree, std::uint32_t leaf) const;

 private:
  /// Of a tree.
  struct Kept {
    std::vector<std::uint32_t> leaves;  ///< ascending
    std::vector<std::size_t> ends;      ///< of the labels of each
    std::vector<std::uint32_t> labels;
    std::vector<double> means;
  };
  std::vector<Kept> trees_;
};

/// The means of the real outputs of every leaf of every tree, so that predicting need not add up the training
/// rows of a leaf each time a row comes to it.
class LeafMeans {
 public:
  /// Whether leaves list so many rows each that their means are worth having, and there are so few leaves
  /// that the memory is well spent.
  static bool suit(const TreeSet& trees, const LeafRows& leaves, std::size_t outputs);
  LeafMeans(const TreeSet& trees, const LeafRows& leaves, std::size_t outputs, const Context& context);

  /// The means of the leaves of a tree, leaf after leaf.
  const double* tree(std::size_t tree) const { return values_.data() + begin_[tree]; }

 private:
  LineVector<double> values_;
  std::vector<std::size_t> begin_;  ///< of each tree
};

}  // namespace coppice
