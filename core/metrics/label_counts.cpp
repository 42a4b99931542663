#include "core/metrics/label_counts.h"

#include "core/metrics/ratio.h"

namespace coppice {

double LabelCount::precision() const {
  return ratio_or_zero(static_cast<double>(true_positives),
                       static_cast<double>(true_positives + false_positives));
}

double LabelCount::recall() const {
  return ratio_or_zero(static_cast<double>(true_positives),
                       static_cast<double>(true_positives + false_negatives));
}

double LabelCount::f1() const {
  return ratio_or_zero(2.0 * static_cast<double>(true_positives),
                       static_cast<double>(2 * true_positives + false_positives + false_negatives));
}

void LabelCounts::add(const LabelRow& row) {
  std::size_t i = 0;
  for (const std::uint32_t label : row.decided) {
    for (; i < row.truth.size() && row.truth[i] < label; ++i) ++counts_[row.truth[i]].false_negatives;
    if (i < row.truth.size() && row.truth[i] == label) {
      ++counts_[label].true_positives;
      ++i;
    } else {
      ++counts_[label].false_positives;
    }
  }
  for (; i < row.truth.size(); ++i) ++counts_[row.truth[i]].false_negatives;
}

LabelCount LabelCounts::sum() const {
  LabelCount all;
  for (const LabelCount& count : counts_) {
    all.true_positives += count.true_positives;
    all.false_positives += count.false_positives;
    all.false_negatives += count.false_negatives;
  }
  return all;
}

}  // namespace coppice
