#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "algorithms/forest/label_counts.h"
#include "algorithms/forest/row_order.h"
#include "algorithms/forest/score_block.h"
#include "core/model/predictions.h"

namespace coppice {

/// What some trees have said of some rows, added up: sums of means of leaves, and beside them how many leaves
/// were sure of a label. Those counts are whole numbers, so only the sums of means depend on an order, which
/// is that of the trees, however they are split into stages and the rows into blocks.
class ForestSums {
 public:
  /// No rows.
  ForestSums() = default;
  /// `counted`: whether there are such counts.
  ForestSums(std::size_t rows, std::size_t outputs, bool dense, bool counted);

  /// The sums of a block of rows in the sparse layout.
  class Block {
    friend class ForestSums;
    /// Appends the labels of a row that have a sum or a count.
    void add_row(std::span<const double> sums, std::span<const std::uint32_t> counts);

    std::vector<std::size_t> ends_;
    std::vector<std::uint32_t> labels_;
    std::vector<double> means_;
    std::vector<std::uint32_t> counts_;
  };
  /// Takes what was added up of rows from `first` on, in the order in which they are predicted. Dense sums
  /// are in their place then, several blocks may be taken at once; others have to be put together. `counts`
  /// is null if nothing is counted.
  Block take(std::size_t first, std::size_t rows, const RowOrder& order, ScoreBlock& scores,
             LabelCounts* counts);
  /// Puts all blocks together, which come in that order.
  void put_together(std::span<const Block> blocks, const RowOrder& order);

  /// Puts the sums of rows from `first` on, in that order, into a block that goes on from there.
  void start(std::size_t first, std::size_t rows, const RowOrder& order, ScoreBlock& scores,
             LabelCounts* counts) const;

  /// The mean of each score over so many trees.
  Predictions means(double trees) const&;
  Predictions means(double trees) &&;

 private:
  /// Makes sums means.
  void divide(Predictions& sums, double trees) const;

  bool counted_ = false;
  Predictions sums_;
  std::vector<std::uint32_t> counts_;  ///< one for each score of sums_
};

}  // namespace coppice
