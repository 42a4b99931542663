#include "algorithms/forest/forest_sums.h"

#include <algorithm>
#include <span>
#include <utility>

namespace coppice {

ForestSums::ForestSums(std::size_t rows, std::size_t outputs, bool dense, bool counted)
    : counted_(counted),
      sums_(dense ? Predictions::make_dense(rows, outputs) : Predictions::make_sparse(outputs)) {
  if (counted && dense) counts_.resize(rows * outputs);
}

ForestSums::Block ForestSums::take(std::size_t first, std::size_t rows, const RowOrder& order,
                                   ScoreBlock& scores, LabelCounts* counts) {
  Block block;
  for (std::size_t i = 0; i < rows; ++i) {
    const auto sums = scores.sums(i);
    if (sums_.is_dense()) {
      const std::size_t row = order[first + i];
      std::ranges::copy(sums, sums_.dense_row(row).begin());
      if (counts != nullptr)
        std::ranges::copy(counts->of(i), counts_.begin() + static_cast<std::ptrdiff_t>(row * sums.size()));
      continue;
    }
    if (counts == nullptr)
      scores.list(i, block.labels_, block.means_);
    else
      block.add_row(sums, counts->of(i));
    block.ends_.push_back(block.labels_.size());
  }
  return block;
}

void ForestSums::Block::add_row(std::span<const double> sums, std::span<const std::uint32_t> counts) {
  const auto met = [&](std::size_t label) {
    return static_cast<std::size_t>(counts[label] != 0) | static_cast<std::size_t>(sums[label] != 0.0);
  };
  const std::size_t begin = labels_.size();
  std::size_t end = begin;
  for (std::size_t label = 0; label < sums.size(); ++label) end += met(label);
  // Without a branch, since a label is met or not by chance: with room for one more that is not kept.
  labels_.resize(end + 1);
  means_.resize(end + 1);
  counts_.resize(end + 1);
  std::size_t place = begin;
  for (std::uint32_t label = 0; label < sums.size(); ++label) {
    labels_[place] = label;
    means_[place] = sums[label];
    counts_[place] = counts[label];
    place += met(label);
  }
  labels_.resize(end);
  means_.resize(end);
  counts_.resize(end);
}

void ForestSums::put_together(std::span<const Block> blocks, const RowOrder& order) {
  /// Where the labels of a row are.
  struct Part {
    const Block* block;
    std::size_t begin;
    std::size_t end;
  };
  std::size_t rows = 0;
  std::size_t scores = 0;
  for (const Block& block : blocks) {
    rows += block.ends_.size();
    scores += block.labels_.size();
  }
  std::vector<Part> parts(rows);
  std::size_t place = 0;
  for (const Block& block : blocks) {
    std::size_t begin = 0;
    for (const std::size_t end : block.ends_) {
      parts[order[place++]] = {&block, begin, end};
      begin = end;
    }
  }
  sums_.reserve(rows, scores);
  if (counted_) counts_.reserve(counts_.size() + scores);
  for (const auto& [block, begin, end] : parts) {
    const auto of_row = [begin = begin, size = end - begin](const auto& all) {
      return all.empty() ? std::span(all) : std::span(all).subspan(begin, size);
    };
    sums_.add_row(of_row(block->labels_), of_row(block->means_));
    const auto counts = of_row(block->counts_);
    counts_.insert(counts_.end(), counts.begin(), counts.end());
  }
}

void ForestSums::start(std::size_t first, std::size_t rows, const RowOrder& order, ScoreBlock& scores,
                       LabelCounts* counts) const {
  for (std::size_t i = 0; i < rows; ++i) {
    const std::size_t row = order[first + i];
    if (sums_.is_dense()) {
      const auto sums = sums_.dense_row(row);
      scores.add_all(i, sums.data());
      if (counts == nullptr) continue;
      for (std::uint32_t j = 0; j < sums.size(); ++j) counts->start(i, j, counts_[row * sums.size() + j]);
      continue;
    }
    const auto labels = sums_.labels(row);
    const auto sums = sums_.scores(row);
    for (std::size_t e = 0; e < labels.size(); ++e) {
      scores.add(i, labels[e], sums[e]);
      if (counts != nullptr) counts->start(i, labels[e], counts_[sums_.first_score(row) + e]);
    }
  }
}

Predictions ForestSums::means(double trees) const& {
  Predictions means = sums_;
  divide(means, trees);
  return means;
}

Predictions ForestSums::means(double trees) && {
  Predictions means = std::move(sums_);
  divide(means, trees);
  return means;
}

void ForestSums::divide(Predictions& sums, double trees) const {
  const auto scores = sums.all_scores();
  if (!counted_)
    for (double& score : scores) score /= trees;
  else
    for (std::size_t e = 0; e < scores.size(); ++e) scores[e] = (scores[e] + counts_[e]) / trees;
}

}  // namespace coppice
