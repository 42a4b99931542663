#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "algorithms/forest/label_counts.h"
#include "algorithms/forest/row_order.h"
#include "algorithms/forest/score_block.h"
#include "core/model/predictions.h"

namespace coppice {

/// What some trees have said of some rows, added up: sums of means of leaves, and beside them how many leaves
/// were sure of a label. Those counts are whole numbers, so only the sums of means depend on an order, which
/// is that of the trees, however they are split into stages and the rows into blocks. Blocks of the sparse
/// layout stay where they were made.
class ForestSums {
 public:
  /// No rows.
  ForestSums() = default;
  /// `counted`: whether there are such counts. `trees`: if no more trees are to be added, how many there are;
  /// sums then become means as they are taken.
  ForestSums(std::size_t rows, std::size_t outputs, bool dense, bool counted, std::optional<double> trees);

  /// The sums of a block of rows in the sparse layout.
  class Block {
    friend class ForestSums;
    std::vector<std::size_t> ends_;  ///< of each row
    ListedScores sums_;
    std::vector<std::uint32_t> counts_;  ///< one for each sum, unless sums are means
  };
  /// Takes what was added up of rows from `first` on, in the order in which they are predicted. Several
  /// blocks may be taken at once; those of the sparse layout have to be put together. `counts` is null if
  /// nothing is counted.
  Block take(std::size_t first, std::size_t rows, const RowOrder& order, ScoreBlock& scores,
             LabelCounts* counts);
  /// Puts all blocks together, which come in that order.
  void put_together(std::vector<Block> blocks, const RowOrder& order);

  /// Puts the sums of rows from `first` on, in that order, into a block that goes on from there.
  void start(std::size_t first, std::size_t rows, const RowOrder& order, ScoreBlock& scores,
             LabelCounts* counts) const;

  /// The mean of each score over so many trees.
  Predictions means(double trees) const&;
  Predictions means(double trees) &&;

 private:
  void take_dense(std::size_t row, std::span<const double> sums, std::span<const std::uint32_t> counts);
  /// Lists the labels of all rows that have a sum or a count.
  void take_counted(std::size_t rows, ScoreBlock& scores, LabelCounts& counts, Block& block) const;
  /// Makes sums means, unless they are.
  void divide(Predictions& sums, double trees) const;

  bool counted_ = false;
  std::optional<double> trees_;
  Predictions sums_;
  std::vector<std::vector<std::uint32_t>> counts_;  ///< one for each score of each part of sums_
};

}  // namespace coppice
