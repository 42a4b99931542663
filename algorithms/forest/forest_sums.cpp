#include "algorithms/forest/forest_sums.h"

#include <algorithm>
#include <span>

namespace coppice {

ForestSums::ForestSums(std::size_t rows, std::size_t outputs, bool dense, bool counted)
    : counted_(counted),
      sums_(dense ? Predictions::make_dense(rows, outputs) : Predictions::make_sparse(outputs)) {
  if (counted && dense) counts_.resize(rows * outputs);
}

ForestSums::Block ForestSums::take(std::size_t first, std::size_t rows, ScoreBlock& scores,
                                   LabelCounts* counts) {
  Block block;
  for (std::size_t i = 0; i < rows; ++i) {
    const auto sums = scores.sums(i);
    if (sums_.is_dense()) {
      std::ranges::copy(sums, sums_.dense_row(first + i).begin());
      if (counts != nullptr)
        std::ranges::copy(counts->of(i),
                          counts_.begin() + static_cast<std::ptrdiff_t>((first + i) * sums.size()));
      continue;
    }
    if (counts == nullptr) {
      scores.list(i, block.labels_, block.means_);
    } else {
      const auto counted = counts->of(i);
      for (std::uint32_t label = 0; label < sums.size(); ++label) {
        if (counted[label] == 0 && sums[label] == 0.0) continue;
        block.labels_.push_back(label);
        block.means_.push_back(sums[label]);
        block.counts_.push_back(counted[label]);
      }
    }
    block.ends_.push_back(block.labels_.size());
  }
  return block;
}

void ForestSums::append(const Block& block) {
  std::size_t begin = 0;
  for (const std::size_t end : block.ends_) {
    sums_.add_row(std::span(block.labels_).subspan(begin, end - begin),
                  std::span(block.means_).subspan(begin, end - begin));
    begin = end;
  }
  counts_.insert(counts_.end(), block.counts_.begin(), block.counts_.end());
}

void ForestSums::start(std::size_t first, std::size_t rows, ScoreBlock& scores, LabelCounts* counts) const {
  for (std::size_t i = 0; i < rows; ++i) {
    const std::size_t row = first + i;
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

Predictions ForestSums::means(double trees) const {
  Predictions means = sums_;
  const auto scores = means.all_scores();
  for (std::size_t e = 0; e < scores.size(); ++e)
    scores[e] = (scores[e] + (counted_ ? counts_[e] : 0)) / trees;
  return means;
}

}  // namespace coppice
