#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/base/context.h"
#include "core/tree/blocked_targets.h"
#include "core/tree/coded_inputs.h"
#include "core/tree/node_sums.h"

namespace coppice {

/// The columns of two values among some rows, for searches that look at all of them: the sums of the targets
/// over the rows that each lists are one product of a sparse matrix with the targets, X'G, and those of a
/// node's larger child are the node's less those of the smaller.
class BinaryColumns {
 public:
  /// What is known of a node: for each column the weight of the rows it lists, how many they are, and their
  /// sums.
  struct Sums {
    std::vector<std::uint32_t> counts;
    std::vector<std::uint32_t> weights;
    std::vector<double> values;
  };

  BinaryColumns(const CodedInputs& inputs, std::span<const std::uint32_t> rows);

  bool empty() const { return columns_.empty(); }
  /// The column of a feature, or none.
  static constexpr std::uint32_t none = 0xffffffffU;
  std::uint32_t column_of(std::uint32_t feature) const { return column_of_[feature]; }
  /// The rows that a column lists, ascending.
  std::span<const std::uint32_t> listed(std::uint32_t column) const {
    return std::span(entries_).subspan(begin_[column], begin_[column + 1] - begin_[column]);
  }

  /// The sums of a node from its rows.
  void add_up(const BlockedTargets& targets, std::span<const std::uint32_t> weights, const NodeSums& node,
              Sums& sums, const Context& context) const;
  /// Takes the sums of one child away from those of its parent.
  void take_away(const Sums& child, Sums& parent, const Context& context) const;

  /// Calls offer(split) for the split of every column that has enough rows on both sides.
  template <typename Offer>
  void search(const BlockedTargets& targets, const NodeSums& node, const Sums& sums,
              std::uint64_t min_samples_leaf, const Offer& offer, const Context& context) const {
    const std::vector<double> squares = side_squares(targets, node, sums, context);
    const auto rows = static_cast<std::uint64_t>(node.rows.size());
    for (std::uint32_t c = 0; c < columns_.size(); ++c) {
      const std::uint64_t count = sums.counts[c];
      if (count == 0 || count == rows || count < min_samples_leaf || rows - count < min_samples_leaf)
        continue;
      const double weight = sums.weights[c];
      offer(ColumnSplit{true, squares[c] * node.weight, weight * (node.weight - weight), columns_[c], 0, 1});
    }
  }

 private:
  std::vector<double> side_squares(const BlockedTargets& targets, const NodeSums& node, const Sums& sums,
                                   const Context& context) const;

  std::vector<std::uint32_t> columns_;    ///< the feature of each
  std::vector<std::uint32_t> column_of_;  ///< of each feature
  std::vector<std::uint64_t> begin_;      ///< the rows of each column…
  std::vector<std::uint32_t> entries_;
  std::vector<std::uint64_t> row_begin_;  ///< … and the columns of each row
  std::vector<std::uint32_t> row_columns_;
};

}  // namespace coppice
