#include "algorithms/forest/score_sums.h"

#include <algorithm>

namespace coppice {

void ScoreSums::add_mean_labels(const LeafRows& leaves, const NarrowArray& rows, double weight) {
  const MeanLabels mean = mean_.take_labels(leaves, rows);
  for (std::size_t e = 0; e < mean.labels.size(); ++e) add(mean.labels[e], mean.means[e] * weight);
}

void ScoreSums::add_mean_values(const LeafRows& leaves, const NarrowArray& rows) {
  const auto mean = mean_.take_values(leaves, rows);
  for (std::size_t j = 0; j < sums_.size(); ++j) sums_[j] += mean[j];
}

std::span<const std::uint32_t> ScoreSums::outputs() {
  if (std::is_sorted(outputs_.begin(), outputs_.end())) return outputs_;
  // Where a good part of all outputs was met, looking at each takes less time than sorting.
  constexpr std::size_t sparse = 32;
  if (outputs_.size() * sparse < met_.size()) {
    std::sort(outputs_.begin(), outputs_.end());
    return outputs_;
  }
  std::size_t count = 0;
  for (std::uint32_t output = 0; count < outputs_.size(); ++output) {
    outputs_[count] = output;
    count += met_[output];
  }
  return outputs_;
}

std::span<const double> ScoreSums::sums_of_outputs() {
  listed_.clear();
  for (const std::uint32_t output : outputs()) listed_.push_back(sums_[output]);
  return listed_;
}

void ScoreSums::clear() {
  for (const std::uint32_t output : outputs_) {
    sums_[output] = 0.0;
    met_[output] = 0;
  }
  outputs_.clear();
}

}  // namespace coppice
