#include "algorithms/forest/score_block.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "core/base/wide_vectors.h"

namespace coppice {

namespace {

/// So many trees are added at once: sums are read and written once for all of them.
constexpr std::size_t trees_at_once = 8;

/// Adds to as many sums as a vector has what so many trees say, one after the other.
template <typename Vector, std::size_t Trees>
[[gnu::always_inline]] inline void add_vectors(const std::array<const double*, Trees>& numbers, std::size_t j,
                                               double* sums) {
  Vector vector;
  std::memcpy(&vector, sums + j, sizeof vector);
#pragma GCC unroll 8
  for (std::size_t t = 0; t < Trees; ++t) {
    Vector more;
    std::memcpy(&more, numbers[t] + j, sizeof more);
    vector += more;
  }
  std::memcpy(sums + j, &vector, sizeof vector);
}

/// Adds to each of some rows of sums what so many trees say, one after the other.
template <std::size_t Trees>
[[gnu::always_inline]] inline void add_trees(const std::array<const double*, trees_at_once>& from,
                                             const std::array<const std::uint32_t*, trees_at_once>& chosen,
                                             std::size_t rows, std::size_t outputs, double* sums) {
  constexpr std::size_t ahead = 12;  // what is added is all over the place: fetch what is to come
  for (std::size_t i = 0; i < rows; ++i, sums += outputs) {
    std::array<const double*, Trees> numbers;
    for (std::size_t t = 0; t < Trees; ++t) {
      numbers[t] = from[t] + chosen[t][i] * outputs;
      if (i + ahead < rows)
        for (std::size_t j = 0; j < outputs; j += 8)
          __builtin_prefetch(from[t] + chosen[t][i + ahead] * outputs + j);
    }
    std::size_t j = 0;
    for (; j + 8 <= outputs; j += 8) add_vectors<EightDoubles>(numbers, j, sums);
    for (; j + 4 <= outputs; j += 4) add_vectors<FourDoubles>(numbers, j, sums);
    for (; j < outputs; ++j)
      for (std::size_t t = 0; t < Trees; ++t) sums[j] += numbers[t][j];
  }
}

COPPICE_WIDEST_VECTORS
void add_all_trees(const std::array<const double*, trees_at_once>& from,
                   const std::array<const std::uint32_t*, trees_at_once>& chosen, std::size_t rows,
                   std::size_t outputs, double* sums) {
  add_trees<trees_at_once>(from, chosen, rows, outputs, sums);
}

COPPICE_WIDEST_VECTORS
void add_one_tree(const std::array<const double*, trees_at_once>& from,
                  const std::array<const std::uint32_t*, trees_at_once>& chosen, std::size_t rows,
                  std::size_t outputs, double* sums) {
  add_trees<1>(from, chosen, rows, outputs, sums);
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

bool ScoreBlock::choose(const LeafRows& leaf_rows, std::size_t tree, std::span<const std::uint32_t> leaves,
                        ChosenNumbers& numbers) {
  numbers.train_rows.resize(leaves.size());
  bool one_each = true;
  leaf_rows.visit(
      tree, leaves, [&](std::size_t row, std::uint32_t train_row) { numbers.train_rows[row] = train_row; },
      [&](std::size_t /*row*/, const NarrowArray&) { one_each = false; });
  numbers.from = leaf_rows.values(0).data();
  numbers.chosen = numbers.train_rows.data();
  return one_each;
}

void ScoreBlock::add_chosen(std::size_t trees, std::size_t rows) {
  std::array<const double*, trees_at_once> from{};
  std::array<const std::uint32_t*, trees_at_once> chosen{};
  for (std::size_t t = 0; t < trees; ++t) {
    from[t % trees_at_once] = chosen_[t].from;
    chosen[t % trees_at_once] = chosen_[t].chosen;
    if (trees == trees_at_once) continue;
    from[0] = chosen_[t].from;
    chosen[0] = chosen_[t].chosen;
    add_one_tree(from, chosen, rows, outputs_, sums_.data());
  }
  if (trees == trees_at_once) add_all_trees(from, chosen, rows, outputs_, sums_.data());
}

void ScoreBlock::add_values(const LeafRows& leaf_rows, const LeafMeans* means, std::size_t first,
                            std::span<const std::span<const std::uint32_t>> leaves) {
  chosen_.resize(trees_at_once);
  std::size_t waiting = 0;
  const std::size_t rows = leaves.empty() ? 0 : leaves[0].size();
  for (std::size_t t = 0; t < leaves.size(); ++t) {
    ChosenNumbers& numbers = chosen_[waiting];
    bool chooses = true;
    if (means != nullptr) {
      numbers.from = means->tree(first + t);
      numbers.chosen = leaves[t].data();
    } else {
      chooses = choose(leaf_rows, first + t, leaves[t], numbers);
    }
    waiting += chooses ? 1 : 0;
    // Trees are added in their order, whatever they say.
    if (waiting == trees_at_once || !chooses || t + 1 == leaves.size()) {
      add_chosen(waiting, rows);
      waiting = 0;
    }
    if (!chooses) add_values(leaf_rows, first + t, leaves[t]);
  }
}

void ScoreBlock::add_values(const LeafRows& leaf_rows, std::size_t tree,
                            std::span<const std::uint32_t> leaves) {
  leaf_rows.visit(
      tree, leaves,
      [&](std::size_t row, std::uint32_t train_row) { add_all(row, leaf_rows.values(train_row).data()); },
      [&](std::size_t row, const NarrowArray&) { note(row, leaves[row]); });
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
