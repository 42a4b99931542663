#include "algorithms/forest/leaf_means.h"

#include <algorithm>

namespace coppice {

MeanLabels LeafMean::take_labels(const LeafRows& leaves, const NarrowArray& rows) {
  if (rows.size() == 1) {
    const auto labels = leaves.labels(rows[0]);
    std::copy(labels.begin(), labels.end(), labels_.begin());
    means_.assign(labels.size(), 1.0);
    return {std::span(labels_).first(means_.size()), means_};
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
  return {std::span(labels_).first(count), means_};
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

LargeLeaves::LargeLeaves(const TreeSet& trees, const LeafRows& leaves, std::size_t outputs,
                         const Context& context)
    : trees_(trees.trees()) {
  constexpr std::size_t many_rows = 16;
  constexpr std::size_t most_labels = std::size_t{1} << 22;
  const std::size_t most_of_tree = most_labels / std::max<std::size_t>(1, trees.trees());
  parallel_for(context, trees.trees(), [&](std::size_t tree) {
    LeafMean mean(outputs);
    Kept& kept = trees_[tree];
    for (std::uint32_t leaf = 0; leaf < trees.leaves(tree) && kept.labels.size() < most_of_tree; ++leaf) {
      const NarrowArray rows = leaves.rows(tree, leaf);
      if (rows.size() < many_rows) continue;
      const MeanLabels found = mean.take_labels(leaves, rows);
      kept.leaves.push_back(leaf);
      kept.labels.insert(kept.labels.end(), found.labels.begin(), found.labels.end());
      kept.means.insert(kept.means.end(), found.means.begin(), found.means.end());
      kept.ends.push_back(kept.labels.size());
    }
  });
}

std::optional<MeanLabels> LargeLeaves::find(std::size_t tree, std::uint32_t leaf) const {
  const Kept& kept = trees_[tree];
  const auto place = std::lower_bound(kept.leaves.begin(), kept.leaves.end(), leaf);
  if (place == kept.leaves.end() || *place != leaf) return std::nullopt;
  const auto i = static_cast<std::size_t>(place - kept.leaves.begin());
  const std::size_t begin = i == 0 ? 0 : kept.ends[i - 1];
  const std::size_t count = kept.ends[i] - begin;
  return MeanLabels{std::span(kept.labels).subspan(begin, count),
                    std::span(kept.means).subspan(begin, count)};
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
