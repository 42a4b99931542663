#include "algorithms/forest/score_sums.h"

#include <algorithm>

namespace coppice {

void ScoreSums::add_mean_labels(const LeafRows& leaves, const NarrowArray& rows) {
  mean_.take_labels(leaves, rows);
  for (std::size_t e = 0; e < mean_.labels().size(); ++e) add(mean_.labels()[e], mean_.means()[e]);
}

void ScoreSums::add_mean_values(const LeafRows& leaves, const NarrowArray& rows) {
  const auto mean = mean_.take_values(leaves, rows);
  for (std::size_t j = 0; j < sums_.size(); ++j) sums_[j] += mean[j];
}

std::span<const std::uint32_t> ScoreSums::outputs() {
  std::sort(outputs_.begin(), outputs_.end());
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
