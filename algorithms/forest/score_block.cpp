#include "algorithms/forest/score_block.h"

#include <algorithm>

namespace coppice {

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

void ScoreBlock::add_values(const LeafRows& leaf_rows, std::size_t tree,
                            std::span<const std::uint32_t> leaves) {
  leaf_rows.visit(
      tree, leaves,
      [&](std::size_t row, std::uint32_t train_row) { add_all(row, leaf_rows.values(train_row).data()); },
      [&](std::size_t row, const NarrowArray&) { note(row, leaves[row]); });
  std::span<const double> mean;
  for_noted(
      leaf_rows, tree, [&](const NarrowArray& rows) { mean = mean_.take_values(leaf_rows, rows); },
      [&](std::size_t row) { add_all(row, mean.data()); });
}

void ScoreBlock::add_noted_labels(const LeafRows& leaf_rows, std::size_t tree) {
  for_noted(
      leaf_rows, tree, [&](const NarrowArray& rows) { mean_.take_labels(leaf_rows, rows); },
      [&](std::size_t row) { add_mean_labels(row); });
}

template <typename Take, typename Add>
void ScoreBlock::for_noted(const LeafRows& leaf_rows, std::size_t tree, const Take& take, const Add& add) {
  std::sort(noted_.begin(), noted_.end());
  for (std::size_t i = 0; i < noted_.size(); ++i) {
    const auto leaf = static_cast<std::uint32_t>(noted_[i] >> 32);
    if (i == 0 || noted_[i - 1] >> 32 != leaf) take(leaf_rows.rows(tree, leaf));
    add(noted_[i] & 0xffffffffU);
  }
  noted_.clear();
}

void ScoreBlock::add_mean_labels(std::size_t row) {
  const auto labels = mean_.labels();
  const auto means = mean_.means();
  for (std::size_t e = 0; e < labels.size(); ++e) add(row, labels[e], means[e]);
}

void ScoreBlock::add_labels(std::size_t row, const LeafRows& leaves, const NarrowArray& leaf) {
  mean_.take_labels(leaves, leaf);
  add_mean_labels(row);
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
