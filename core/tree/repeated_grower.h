#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/base/context.h"
#include "core/tree/binary_columns.h"
#include "core/tree/blocked_targets.h"
#include "core/tree/coded_inputs.h"
#include "core/tree/grower.h"
#include "core/tree/sorted_columns.h"

namespace coppice {

/// A tree without its rows, and the leaf of every row instead.
struct RepeatedTree {
  GrownTree tree;
  std::vector<std::uint32_t> leaf;  ///< of each row the grower has; no_leaf where it weighs nothing
};

/// Memory that is kept from tree to tree; one tree at a time may use it.
struct GrowthMemory {
  std::vector<BinaryColumns::Sums> sums;
  std::vector<std::uint64_t> order;
  std::vector<double> centred;
};

/// Grows one small tree after another on the same rows, looking at all features: what boosting does thousands
/// of times. The trees are those of grow_tree() on the same targets, up to splits that gain nothing, which
/// are not made; but columns are sorted once, a node's larger child gets its sums by subtraction, and leaves
/// that will not be split any more are not searched.
class RepeatedGrower {
 public:
  /// Whether trees of this kind on these inputs can be grown so.
  static bool suits(const CodedInputs& inputs, const GrowthOptions& options);

  /// `rows` are those of the dataset to grow on, ascending; from here on they are numbered from 0.
  RepeatedGrower(std::shared_ptr<const CodedInputs> inputs, std::span<const std::uint32_t> rows,
                 const GrowthOptions& options);
  ~RepeatedGrower();
  RepeatedGrower(const RepeatedGrower&) = delete;
  RepeatedGrower& operator=(const RepeatedGrower&) = delete;

  std::size_t rows() const { return rows_; }
  /// `weights` are whole numbers, one for each row; empty: all 1. Several trees may grow at the same time,
  /// with memory of their own.
  RepeatedTree grow(const BlockedTargets& targets, std::span<const std::uint32_t> weights,
                    const Stream& stream, GrowthMemory& memory, const Context& context) const;

 private:
  class Growth;

  std::shared_ptr<const CodedInputs> inputs_;
  std::size_t rows_;
  GrowthOptions options_;
  BinaryColumns binary_;
  SortedColumns sorted_;
};

}  // namespace coppice
