#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/metrics/label_row.h"

namespace coppice {

/// How often a label was rightly predicted, wrongly predicted and missed.
struct LabelCount {
  std::uint64_t true_positives = 0;
  std::uint64_t false_positives = 0;
  std::uint64_t false_negatives = 0;

  double precision() const;
  double recall() const;
  double f1() const;
};

/// These counts for every label, over all rows.
class LabelCounts {
 public:
  explicit LabelCounts(std::size_t labels) : counts_(labels) {}

  void add(const LabelRow& row);
  const std::vector<LabelCount>& counts() const { return counts_; }
  /// All labels together.
  LabelCount sum() const;

 private:
  std::vector<LabelCount> counts_;
};

}  // namespace coppice
