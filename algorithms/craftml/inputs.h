#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "algorithms/craftml/options.h"
#include "core/data/label_sets.h"
#include "core/data/sparse_rows.h"

namespace coppice::craftml {

/// ln((n + 1) / (frequency + 1)): what something that occurs in `frequency` of n rows is worth.
float inverse_frequency(std::size_t rows, std::size_t frequency);

/// How inputs are weighted, fitted on the training rows and applied to all.
struct InputWeights {
  bool logarithm = false;      ///< values become 1 + ln(value) where above 1, and keep their sign
  bool unit_rows = false;      ///< rows are scaled to Euclidean length 1
  std::vector<float> weights;  ///< of each feature; empty: all 1

  static InputWeights fit(const Options& options, const SparseRows& rows, std::size_t features);
  void apply(SparseRows& rows) const;
};

/// The weights of labels by how rare they are in the given rows.
std::vector<float> label_weights(const LabelSets& labels, std::span<const std::uint32_t> rows);

}  // namespace coppice::craftml
