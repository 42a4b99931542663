#include "algorithms/forest/score_block.h"

#include <algorithm>

namespace coppice {

void ScoreBlock::add_labels(const LeafRows& leaf_rows, std::size_t tree,
                            std::span<const std::uint32_t> leaves) {
  const auto several = [&](std::size_t row, const NarrowArray& rows) { add_labels(row, leaf_rows, rows); };
  if (lists_met_) {
    const auto one = [&](std::size_t row, std::uint32_t train_row) {
      for (const std::uint32_t label : leaf_rows.labels(train_row)) add(row, label, 1.0);
    };
    leaf_rows.visit(tree, leaves, one, several);
    return;
  }
  double* const sums = sums_.data();
  const std::size_t outputs = outputs_;
  const auto one = [&](std::size_t row, std::uint32_t train_row) {
    double* const of_row = sums + row * outputs;
    for (const std::uint32_t label : leaf_rows.labels(train_row)) of_row[label] += 1.0;
  };
  leaf_rows.visit(tree, leaves, one, several);
}

void ScoreBlock::add_values(const LeafRows& leaf_rows, std::size_t tree,
                            std::span<const std::uint32_t> leaves) {
  leaf_rows.visit(
      tree, leaves,
      [&](std::size_t row, std::uint32_t train_row) { add_all(row, leaf_rows.values(train_row).data()); },
      [&](std::size_t row, const NarrowArray& rows) { add_values(row, leaf_rows, rows); });
}

void ScoreBlock::add_labels(std::size_t row, const LeafRows& leaves, const NarrowArray& leaf) {
  if (leaf.size() == 1) {
    for (const std::uint32_t label : leaves.labels(leaf[0])) add(row, label, 1.0);
    return;
  }
  // Count first: the mean of whole numbers then has one rounding, whatever the order of the rows.
  std::uint64_t total = 0;
  leaf.each([&](std::uint32_t train_row) {
    const std::uint32_t weight = leaves.weight(train_row);
    total += weight;
    for (const std::uint32_t label : leaves.labels(train_row)) {
      if (counts_[label] == 0) counted_.push_back(label);
      counts_[label] += weight;
    }
  });
  for (const std::uint32_t label : counted_) {
    add(row, label, static_cast<double>(counts_[label]) / static_cast<double>(total));
    counts_[label] = 0;
  }
  counted_.clear();
}

void ScoreBlock::add_values(std::size_t row, const LeafRows& leaves, const NarrowArray& leaf) {
  double* sums = sums_.data() + row * outputs_;
  if (leaf.size() == 1) {
    const auto values = leaves.values(leaf[0]);
    for (std::size_t j = 0; j < outputs_; ++j) sums[j] += values[j];
    return;
  }
  means_.assign(outputs_, 0.0);
  double total = 0.0;
  leaf.each([&](std::uint32_t train_row) {
    const auto values = leaves.values(train_row);
    const double weight = leaves.weight(train_row);
    total += weight;
    for (std::size_t j = 0; j < outputs_; ++j) means_[j] += weight * values[j];
  });
  for (std::size_t j = 0; j < outputs_; ++j) sums[j] += means_[j] / total;
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
