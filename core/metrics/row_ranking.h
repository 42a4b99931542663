#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/metrics/row_scores.h"

namespace coppice {

/// Where a true label of a row stands among all labels of that row.
struct RankedLabel {
  std::uint32_t label = 0;
  std::size_t position = 0;        ///< from 1; labels of equal score follow each other by index
  std::size_t not_below = 0;       ///< labels that score at least as much, itself included
  std::size_t true_not_below = 0;  ///< the true ones among these
};

/// Ranks the true labels of a row, from which every ranking metric follows. Only the true labels are sorted;
/// the other scores are counted into the intervals between them, and labels that are not listed are counted
/// in one step. With m true labels this takes O((listed + m) log m), whatever the number of labels.
class RowRanking {
 public:
  /// The true labels in the order of their positions; valid until the next call.
  std::span<const RankedLabel> rank(std::span<const std::uint32_t> truth, const RowScores& scores);

 private:
  /// A true label's score and its index in the truth.
  struct Scored {
    double score;
    std::uint32_t index;
  };
  void sort_truth(std::span<const std::uint32_t> truth, const RowScores& scores);
  void count_scores(std::span<const std::uint32_t> truth, const RowScores& scores);

  std::vector<RankedLabel> ranked_;
  std::vector<Scored> by_score_;
  /// The distinct scores of true labels, descending; then -∞ up to a power of two, the last a NaN.
  std::vector<double> levels_;
  std::vector<std::uint32_t> level_of_;   ///< by index in the truth
  std::vector<std::size_t> ties_before_;  ///< by index in the truth: labels of equal score and lower index
  /// How many labels score above level 0, at it, between it and level 1, at level 1, … and at the last.
  std::vector<std::size_t> counts_;
  std::vector<double> buffer_;
};

}  // namespace coppice
