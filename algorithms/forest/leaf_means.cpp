#include "algorithms/forest/leaf_means.h"

#include <algorithm>

namespace coppice {

void LeafMean::take_labels(const LeafRows& leaves, const NarrowArray& rows) {
  if (rows.size() == 1) {
    const auto labels = leaves.labels(rows[0]);
    std::copy(labels.begin(), labels.end(), labels_.begin());
    means_.assign(labels.size(), 1.0);
    return;
  }
  // Count first: the mean of whole numbers then has one rounding, whatever the order of the rows.
  std::uint64_t total = 0;
  std::uint32_t* const counts = counts_.data();
  std::uint32_t* const counted = labels_.data();
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
  means_.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    means_[i] = static_cast<double>(counts[counted[i]]) / static_cast<double>(total);
    counts[counted[i]] = 0;
  }
}

std::span<const double> LeafMean::take_values(const LeafRows& leaves, const NarrowArray& rows) {
  if (rows.size() == 1) return leaves.values(rows[0]);
  means_.assign(counts_.size(), 0.0);
  double total = 0.0;
  rows.each([&](std::uint32_t row) {
    const auto values = leaves.values(row);
    const double weight = leaves.weight(row);
    total += weight;
    for (std::size_t j = 0; j < means_.size(); ++j) means_[j] += weight * values[j];
  });
  for (double& mean : means_) mean /= total;
  return means_;
}

bool LeafMeans::suit(const TreeSet& trees, const LeafRows& leaves, std::size_t outputs) {
  constexpr std::size_t most_values = std::size_t{1} << 23;
  std::size_t count = 0;
  for (std::size_t tree = 0; tree < trees.trees(); ++tree) count += trees.leaves(tree);
  return count * outputs <= most_values && 4 * leaves.listed_rows() > 5 * count;
}

LeafMeans::LeafMeans(const TreeSet& trees, const LeafRows& leaves, std::size_t outputs,
                     const Context& context) {
  std::size_t end = 0;
  for (std::size_t tree = 0; tree < trees.trees(); ++tree) {
    begin_.push_back(end);
    end += trees.leaves(tree) * outputs;
  }
  values_.resize(end);
  parallel_for(context, trees.trees(), [&](std::size_t tree) {
    LeafMean mean(outputs);
    auto to = values_.begin() + static_cast<std::ptrdiff_t>(begin_[tree]);
    for (std::uint32_t leaf = 0; leaf < trees.leaves(tree); ++leaf)
      to = std::ranges::copy(mean.take_values(leaves, leaves.rows(tree, leaf)), to).out;
  });
}

}  // namespace coppice
