#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "algorithms/forest/leaf_means.h"
#include "core/base/add_lanes.h"
#include "core/base/line_vector.h"
#include "core/model/predictions.h"
#include "core/tree/leaf_rows.h"

namespace coppice {

/// Adds up the scores of a block of rows, tree after tree. Every output of a row has a place, but only what
/// was met is looked at when there are very many outputs.
class ScoreBlock {
 public:
  ScoreBlock(std::size_t rows, std::size_t outputs)
      : outputs_(outputs), lists_met_(outputs > most_scanned), sums_(rows * outputs, 0.0), mean_(outputs) {
    if (lists_met_) met_.resize(rows);
  }

  /// The most rows of a block with so many outputs.
  static std::size_t most_rows(std::size_t outputs) {
    constexpr std::size_t most_sums = std::size_t{1} << 18;
    return outputs >= most_sums ? 1 : most_sums / (outputs + 1) + 1;
  }
  /// Whether so many outputs are few enough to look at all of them.
  static bool scans(std::size_t outputs) { return outputs <= most_scanned; }

  void add(std::size_t row, std::uint32_t output, double amount) {
    double& sum = sums_[row * outputs_ + output];
    if (lists_met_ && sum == 0.0 && amount != 0.0) met_[row].push_back(output);
    sum += amount;
  }
  /// Adds a number to every output; only where there are few outputs.
  void add_all(std::size_t row, const double* amounts) {
    double* const sums = sums_.data() + row * outputs_;
    const std::size_t outputs = outputs_;
    std::size_t j = 0;
    for (; j + 4 <= outputs; j += 4) add_lanes<FourDoubles>(amounts + j, sums + j);
    for (; j < outputs; ++j) sums[j] += amounts[j];
  }
  /// Adds the mean of the label sets of a leaf of a tree to each row; `leaves` has a leaf for every row.
  void add_labels(const LeafRows& leaf_rows, std::size_t tree, std::span<const std::uint32_t> leaves);
  /// The same with the mean of real outputs, of the trees from `first` on: `leaves` has the leaves of every
  /// row for each, and `means` may be null. Only where there are few outputs.
  void add_values(const LeafRows& leaf_rows, const LeafMeans* means, std::size_t first,
                  std::span<const std::span<const std::uint32_t>> leaves);
  /// Adds the mean of the label sets of the rows of a leaf.
  void add_labels(std::size_t row, const LeafRows& leaves, const NarrowArray& leaf);
  /// Adds the mean of the real outputs of the rows of a leaf.
  void add_values(std::size_t row, const LeafRows& leaves, const NarrowArray& leaf);

  /// Notes that a row has come to a leaf whose mean has to be computed…
  void note(std::size_t row, std::uint32_t leaf) { noted_.push_back(std::uint64_t{leaf} << 32 | row); }
  /// …and adds it, once computed for all rows that have come to the same leaf of this tree, or as it is kept;
  /// `kept` may be null.
  void add_noted_labels(const LeafRows& leaf_rows, std::size_t tree, const LargeLeaves* kept = nullptr);

  /// Back to nothing.
  void clear() {
    std::fill(sums_.begin(), sums_.end(), 0.0);
    for (auto& met : met_) met.clear();
  }
  /// The sums of all outputs of a row.
  std::span<const double> sums(std::size_t row) const {
    return std::span(sums_).subspan(row * outputs_, outputs_);
  }
  /// Appends the outputs of a row whose sum is not 0, ascending, and their sums.
  void list(std::size_t row, std::vector<std::uint32_t>& outputs, std::vector<double>& sums);

 private:
  static constexpr std::size_t most_scanned = 16384;

  /// What a tree says to each row: the numbers, one for every output, from from[chosen[row] * outputs] on.
  struct ChosenNumbers {
    const double* from = nullptr;
    const std::uint32_t* chosen = nullptr;
    std::vector<std::uint32_t> train_rows;  ///< what is chosen, if it has to be looked up
  };
  /// Looks up the training rows that the leaves of a tree list; false if some list several.
  bool choose(const LeafRows& leaf_rows, std::size_t tree, std::span<const std::uint32_t> leaves,
              ChosenNumbers& numbers);
  void add_chosen(std::size_t trees, std::size_t rows);
  /// Adds what a tree says whose leaves list several rows.
  void add_values(const LeafRows& leaf_rows, std::size_t tree, std::span<const std::uint32_t> leaves);

  /// Calls add(row) for each of the noted rows, leaf by leaf, after take(leaf).
  template <typename Take, typename Add>
  void for_noted(const Take& take, const Add& add);
  void add_mean_labels(std::size_t row, const MeanLabels& mean);

  std::size_t outputs_;
  bool lists_met_;
  LineVector<double> sums_;
  std::vector<std::vector<std::uint32_t>> met_;  ///< the outputs of each row that have a sum, if listed
  LeafMean mean_;
  std::vector<std::uint64_t> noted_;   ///< leaf and row
  std::vector<ChosenNumbers> chosen_;  ///< of trees that are not yet added
};

}  // namespace coppice
