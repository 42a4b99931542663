#include "algorithms/forest/score_sums.h"

#include <algorithm>

namespace coppice {

void ScoreSums::add_mean_labels(const LeafRows& leaves, const NarrowArray& rows) {
  if (rows.size() == 1) {
    for (const std::uint32_t label : leaves.labels(rows[0])) add(label, 1.0);
    return;
  }
  // Count first: the mean of whole numbers then has one rounding, whatever the order of the rows.
  std::uint64_t total = 0;
  std::uint32_t* const counts = counts_.data();
  std::uint32_t* const counted = counted_.data();
  std::size_t count = 0;
  rows.each([&](std::uint32_t row) {
    const std::uint32_t weight = leaves.weight(row);
    total += weight;
    for (const std::uint32_t label : leaves.labels(row)) {
      // Without a branch: whether a row brings a new label is a coin toss.
      counted[count] = label;
      count += counts[label] == 0 ? 1 : 0;
      counts[label] += weight;
    }
  });
  for (const std::uint32_t label : std::span(counted, count)) {
    add(label, static_cast<double>(counts[label]) / static_cast<double>(total));
    counts[label] = 0;
  }
}

void ScoreSums::add_mean_values(const LeafRows& leaves, const NarrowArray& rows) {
  listed_.assign(sums_.size(), 0.0);
  double total = 0.0;
  rows.each([&](std::uint32_t row) {
    const auto values = leaves.values(row);
    const double weight = leaves.weight(row);
    total += weight;
    for (std::size_t j = 0; j < values.size(); ++j) listed_[j] += weight * values[j];
  });
  for (std::size_t j = 0; j < sums_.size(); ++j) sums_[j] += listed_[j] / total;
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
