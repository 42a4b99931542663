#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/base/context.h"
#include "core/tree/blocked_targets.h"
#include "core/tree/coded_inputs.h"
#include "core/tree/node_sums.h"

namespace coppice {

/// The columns of more than two values among some rows, sorted once for all trees: a node's rows stay in the
/// order of every column because children take their parts of it.
class SortedColumns {
 public:
  /// The rows of a node in one column: where they are in the order, how many, and how many of them come
  /// before the value that rows have which the column does not list.
  struct Part {
    std::uint64_t begin = 0;
    std::uint32_t count = 0;
    std::uint32_t below = 0;
  };
  using Parts = std::vector<Part>;

  SortedColumns(const CodedInputs& inputs, std::span<const std::uint32_t> rows);

  bool empty() const { return columns_.empty(); }
  std::size_t size() const { return columns_.size(); }
  /// The column of a feature, or none.
  static constexpr std::uint32_t none = 0xffffffffU;
  std::uint32_t column_of(std::uint32_t feature) const { return column_of_[feature]; }

  /// An order of keys for one tree: those rows that weigh something, all if there are no weights.
  Parts begin(std::span<const std::uint32_t> weights, std::vector<std::uint64_t>& order) const;
  /// The best split of each column. `centred` is room for the targets less their mean.
  std::vector<ColumnSplit> search(const BlockedTargets& targets, std::span<const std::uint32_t> weights,
                                  const NodeSums& node, const Parts& parts,
                                  const std::vector<std::uint64_t>& order, std::uint64_t min_samples_leaf,
                                  std::vector<double>& centred, const Context& context) const;
  /// Says of the rows of a node which go left.
  void mark(const ColumnSplit& split, const Parts& parts, const std::vector<std::uint64_t>& order,
            const NodeSums& node, std::vector<std::uint8_t>& left) const;
  /// The parts of the children of a node whose rows have been marked.
  void divide(const Parts& parts, const std::vector<std::uint8_t>& left, std::vector<std::uint64_t>& order,
              Parts& left_parts, Parts& right_parts, const Context& context) const;

 private:
  struct Column {
    std::uint32_t feature = 0;
    bool dense = true;
    std::uint32_t default_code = 0;
    std::uint64_t begin = 0;  ///< where its keys begin
    std::uint32_t count = 0;
  };
  class Sweep;

  std::vector<Column> columns_;
  std::vector<std::uint32_t> column_of_;
  std::vector<std::uint64_t> keys_;  ///< code and row, sorted
};

}  // namespace coppice
