#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/base/random.h"
#include "core/data/dataset.h"

namespace coppice {

/// The rows that a tree is grown on, and what they weigh. Rows are those of the dataset. Weights are whole
/// numbers, which keeps every sum of labels exact; a row that was drawn several times is listed once and
/// weighs as much.
struct Sample {
  std::vector<std::uint32_t> rows;     ///< ascending, each once
  std::vector<std::uint32_t> weights;  ///< one for every row of the dataset; 0 where it is not in the sample
  std::uint64_t total = 0;             ///< the sum of the weights
  /// Whether weights say how often a row was drawn: leaves then list it as often. Else leaves list it once.
  bool drawn = true;

  /// All rows of a view.
  static Sample of(const DatasetView& view);
  /// As many rows as the view has, drawn from it with replacement.
  static Sample bootstrap(const DatasetView& view, Stream stream);
  /// All rows of a view with a weight for each, at least 0; rows of weight 0 are left out. Whole numbers stay
  /// what they are while their sum is small; others are scaled so that they add up to about 2^24, or 256 for
  /// each row if that is more, and rounded, a positive weight to 1 at least. Impurities, and what is compared
  /// with them, are relative to the sum and do not see the scale. Throws Error(fit) for weights that are
  /// negative, not finite, or all 0.
  static Sample weighted(const DatasetView& view, std::span<const double> weights);
};

}  // namespace coppice
