#include "algorithms/forest/score_sums.h"

#include <algorithm>

namespace coppice {

void ScoreSums::add_mean_labels(const LeafRows& leaves, std::span<const std::uint32_t> rows) {
  if (rows.size() == 1) {
    for (const std::uint32_t label : leaves.labels(rows[0])) add(label, 1.0);
    return;
  }
  // Count first: the mean of whole numbers then has one rounding, whatever the order of the rows.
  for (const std::uint32_t row : rows)
    for (const std::uint32_t label : leaves.labels(row))
      if (counts_[label]++ == 0) counted_.push_back(label);
  for (const std::uint32_t label : counted_) {
    add(label, static_cast<double>(counts_[label]) / static_cast<double>(rows.size()));
    counts_[label] = 0;
  }
  counted_.clear();
}

void ScoreSums::add_mean_values(const LeafRows& leaves, std::span<const std::uint32_t> rows) {
  listed_.assign(sums_.size(), 0.0);
  for (const std::uint32_t row : rows) {
    const auto values = leaves.values(row);
    for (std::size_t j = 0; j < values.size(); ++j) listed_[j] += values[j];
  }
  const auto weight = static_cast<double>(rows.size());
  for (std::size_t j = 0; j < sums_.size(); ++j) sums_[j] += listed_[j] / weight;
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
