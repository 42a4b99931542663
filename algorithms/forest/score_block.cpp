#include "algorithms/forest/score_block.h"

#include <algorithm>

#include "core/base/wide_vectors.h"

namespace coppice {

namespace {

/// Adds rows of so many numbers to others: from[chosen[i]] to to[rows[i]].
COPPICE_WIDE_VECTORS
void add_rows(const double* from, std::size_t outputs, std::span<const std::uint32_t> chosen,
              const std::uint32_t* rows, double* to) {
  constexpr std::size_t ahead = 8;  // what is added is all over the place: fetch what is to come
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    if (i + ahead < chosen.size())
      for (std::size_t j = 0; j < outputs; j += 8) __builtin_prefetch(from + chosen[i + ahead] * outputs + j);
    const double* const numbers = from + chosen[i] * outputs;
    double* const sums = to + rows[i] * outputs;
    std::size_t j = 0;
    for (; j + 4 <= outputs; j += 4) add_lanes<FourDoubles>(numbers + j, sums + j);
    for (; j < outputs; ++j) sums[j] += numbers[j];
  }
}

}  // namespace

void ScoreBlock::add_labels(const LeafRows& leaf_rows, std::size_t tree,
                            std::span<const std::uint32_t> leaves) {
  leaf_rows.visit(
      tree, leaves,
      [&](std::size_t row, std::uint32_t train_row) {
        for (const std::uint32_t label : leaf_rows.labels(train_row)) add(row, label, 1.0);
      },
      [&](std::size_t row, const NarrowArray&) { note(row, leaves[row]); });
  add_noted_labels(leaf_rows, tree);
}

void ScoreBlock::add_chosen(const double* numbers, std::span<const std::uint32_t> chosen) {
  for (auto row = static_cast<std::uint32_t>(rows_.size()); row < chosen.size(); ++row) rows_.push_back(row);
  add_rows(numbers, outputs_, chosen, rows_.data(), sums_.data());
}

void ScoreBlock::add_values(const LeafRows& leaf_rows, std::size_t tree,
                            std::span<const std::uint32_t> leaves) {
  single_rows_.resize(leaves.size());
  train_rows_.resize(leaves.size());
  std::size_t single = 0;
  leaf_rows.visit(
      tree, leaves,
      [&](std::size_t row, std::uint32_t train_row) {
        single_rows_[single] = static_cast<std::uint32_t>(row);
        train_rows_[single++] = train_row;
      },
      [&](std::size_t row, const NarrowArray&) { note(row, leaves[row]); });
  if (single > 0)
    add_rows(leaf_rows.values(0).data(), outputs_, std::span(train_rows_).first(single), single_rows_.data(),
             sums_.data());
  std::span<const double> mean;
  for_noted([&](std::uint32_t leaf) { mean = mean_.take_values(leaf_rows, leaf_rows.rows(tree, leaf)); },
            [&](std::size_t row) { add_all(row, mean.data()); });
}

void ScoreBlock::add_noted_labels(const LeafRows& leaf_rows, std::size_t tree, const LargeLeaves* kept) {
  MeanLabels mean;
  for_noted(
      [&](std::uint32_t leaf) {
        const auto known = kept != nullptr ? kept->find(tree, leaf) : std::nullopt;
        mean = known ? *known : mean_.take_labels(leaf_rows, leaf_rows.rows(tree, leaf));
      },
      [&](std::size_t row) { add_mean_labels(row, mean); });
}

template <typename Take, typename Add>
void ScoreBlock::for_noted(const Take& take, const Add& add) {
  std::sort(noted_.begin(), noted_.end());
  for (std::size_t i = 0; i < noted_.size(); ++i) {
    const auto leaf = static_cast<std::uint32_t>(noted_[i] >> 32);
    if (i == 0 || noted_[i - 1] >> 32 != leaf) take(leaf);
    add(noted_[i] & 0xffffffffU);
  }
  noted_.clear();
}

void ScoreBlock::add_mean_labels(std::size_t row, const MeanLabels& mean) {
  for (std::size_t e = 0; e < mean.labels.size(); ++e) add(row, mean.labels[e], mean.means[e]);
}

void ScoreBlock::add_labels(std::size_t row, const LeafRows& leaves, const NarrowArray& leaf) {
  add_mean_labels(row, mean_.take_labels(leaves, leaf));
}

void ScoreBlock::add_values(std::size_t row, const LeafRows& leaves, const NarrowArray& leaf) {
  add_all(row, mean_.take_values(leaves, leaf).data());
}

void ScoreBlock::list(std::size_t row, std::vector<std::uint32_t>& outputs, std::vector<double>& sums) {
  const auto all = this->sums(row);
  if (lists_met_) {
    std::sort(met_[row].begin(), met_[row].end());
    for (const std::uint32_t output : met_[row]) {
      outputs.push_back(output);
      sums.push_back(all[output]);
    }
    return;
  }
  for (std::uint32_t output = 0; output < outputs_; ++output) {
    if (all[output] == 0.0) continue;
    outputs.push_back(output);
    sums.push_back(all[output]);
  }
}

}  // namespace coppice
