#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/metrics/label_row.h"

namespace coppice {

/// Areas under the receiver operating characteristic; NaN where there is no positive or no negative.
struct Areas {
  double micro = 0.0;  ///< of all (row, label) pairs together
  double macro = 0.0;  ///< mean over the labels that have both positive and negative rows
};

/// All scores other than 0 with their truth. Pairs of score 0 are only counted, listed or not, so memory
/// follows the scores that an algorithm gave, not rows × labels.
class ScorePairs {
 public:
  explicit ScorePairs(std::size_t labels) : positives_(labels, 0) {}

  void add(const LabelRow& row);
  Areas areas() const;

 private:
  struct Pair {
    double score;
    std::uint32_t label;
    std::uint32_t positive;  ///< 0 or 1
  };
  std::vector<Pair> sorted_pairs() const;

  std::vector<Pair> pairs_;
  std::vector<std::uint64_t> positives_;  ///< by label, over all rows
  std::uint64_t rows_ = 0;
};

}  // namespace coppice
