#include "algorithms/forest/forest_sums.h"

#include <algorithm>
#include <span>
#include <utility>

namespace coppice {

namespace {

/// Appends the labels of a row that have a sum or a count to lists that have room for one more than there
/// are, and returns where they end. Without a branch, since a label is met or not by chance.
std::size_t list_met(std::span<const double> sums, std::span<const std::uint32_t> counts, std::size_t place,
                     ListedScores& listed, std::uint32_t* listed_counts) {
  std::uint32_t* const labels = listed.labels.data();
  double* const listed_sums = listed.scores.data();
  for (std::uint32_t label = 0; label < sums.size(); ++label) {
    labels[place] = label;
    listed_sums[place] = sums[label];
    listed_counts[place] = counts[label];
    place += static_cast<std::size_t>(counts[label] != 0) | static_cast<std::size_t>(sums[label] != 0.0);
  }
  return place;
}

void make_means(std::span<double> sums, const std::uint32_t* counts, double trees) {
  for (std::size_t e = 0; e < sums.size(); ++e) sums[e] = (sums[e] + counts[e]) / trees;
}
void make_means(std::span<double> sums, double trees) {
  for (double& sum : sums) sum /= trees;
}

}  // namespace

ForestSums::ForestSums(std::size_t rows, std::size_t outputs, bool dense, bool counted,
                       std::optional<double> trees)
    : counted_(counted),
      trees_(trees),
      sums_(dense ? Predictions::make_dense(rows, outputs) : Predictions::make_sparse(outputs)),
      counts_(1) {
  if (counted && dense && !trees_) counts_[0].resize(rows * outputs);
}

ForestSums::Block ForestSums::take(std::size_t first, std::size_t rows, const RowOrder& order,
                                   ScoreBlock& scores, LabelCounts* counts) {
  Block block;
  if (sums_.is_dense()) {
    for (std::size_t i = 0; i < rows; ++i)
      take_dense(order[first + i], scores.sums(i),
                 counts != nullptr ? counts->of(i) : std::span<const std::uint32_t>());
  } else if (counts != nullptr) {
    take_counted(rows, scores, *counts, block);
  } else {
    for (std::size_t i = 0; i < rows; ++i) {
      scores.list(i, block.sums_.labels, block.sums_.scores);
      block.ends_.push_back(block.sums_.labels.size());
    }
    if (trees_) make_means(block.sums_.scores, *trees_);
  }
  return block;
}

void ForestSums::take_dense(std::size_t row, std::span<const double> sums,
                            std::span<const std::uint32_t> counts) {
  const auto to = sums_.dense_row(row);
  std::ranges::copy(sums, to.begin());
  if (!trees_)
    std::ranges::copy(counts, counts_[0].begin() + static_cast<std::ptrdiff_t>(row * counts.size()));
  else if (counts.empty())
    make_means(to, *trees_);
  else
    make_means(to, counts.data(), *trees_);
}

void ForestSums::take_counted(std::size_t rows, ScoreBlock& scores, LabelCounts& counts, Block& block) const {
  std::size_t met = 0;
  for (std::size_t i = 0; i < rows; ++i) {
    const auto sums = scores.sums(i);
    const auto counted = counts.of(i);
    for (std::size_t label = 0; label < sums.size(); ++label)
      met += static_cast<std::size_t>(counted[label] != 0) | static_cast<std::size_t>(sums[label] != 0.0);
  }
  ListedScores& listed = block.sums_;
  listed.labels.resize(met + 1);
  listed.scores.resize(met + 1);
  block.counts_.resize(met + 1);
  for (std::size_t i = 0, place = 0; i < rows; ++i) {
    place = list_met(scores.sums(i), counts.of(i), place, listed, block.counts_.data());
    block.ends_.push_back(place);
  }
  listed.labels.pop_back();
  listed.scores.pop_back();
  block.counts_.pop_back();
  if (!trees_) return;
  make_means(listed.scores, block.counts_.data(), *trees_);
  block.counts_ = {};
}

void ForestSums::put_together(std::vector<Block> blocks, const RowOrder& order) {
  if (sums_.is_dense()) return;
  std::size_t rows = 0;
  for (const Block& block : blocks) rows += block.ends_.size();
  std::vector<Predictions::Place> places(rows);
  std::vector<ListedScores> parts;
  counts_.clear();
  std::size_t place = 0;
  for (Block& block : blocks) {
    std::size_t begin = 0;
    for (const std::size_t end : block.ends_) {
      places[order[place++]] = {parts.size(), begin, end};
      begin = end;
    }
    parts.push_back(std::move(block.sums_));
    counts_.push_back(std::move(block.counts_));
  }
  sums_ = Predictions::make_sparse(sums_.outputs(), std::move(parts), std::move(places));
}

void ForestSums::start(std::size_t first, std::size_t rows, const RowOrder& order, ScoreBlock& scores,
                       LabelCounts* counts) const {
  for (std::size_t i = 0; i < rows; ++i) {
    const std::size_t row = order[first + i];
    if (sums_.is_dense()) {
      const auto sums = sums_.dense_row(row);
      scores.add_all(i, sums.data());
      if (counts == nullptr) continue;
      for (std::uint32_t j = 0; j < sums.size(); ++j) counts->start(i, j, counts_[0][row * sums.size() + j]);
      continue;
    }
    const auto labels = sums_.labels(row);
    const auto sums = sums_.scores(row);
    const auto [part, begin, end] = sums_.place(row);
    for (std::size_t e = 0; e < labels.size(); ++e) {
      scores.add(i, labels[e], sums[e]);
      if (counts != nullptr) counts->start(i, labels[e], counts_[part][begin + e]);
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
  if (trees_) return;
  for (std::size_t part = 0; part < sums.parts(); ++part) {
    if (counted_)
      make_means(sums.scores_of_part(part), counts_[part].data(), trees);
    else
      make_means(sums.scores_of_part(part), trees);
  }
}

}  // namespace coppice
