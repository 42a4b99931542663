#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "core/model/predictions.h"

namespace coppice {

/// The scores of one row in either layout. Outputs that are not listed have score 0; in the dense layout all
/// are listed and `labels` is empty.
struct RowScores {
  std::size_t outputs = 0;
  bool dense = true;
  std::span<const std::uint32_t> labels;
  std::span<const double> values;

  static RowScores of(const Predictions& predictions, std::size_t row) {
    if (predictions.is_dense()) return {predictions.outputs(), true, {}, predictions.dense_row(row)};
    return {predictions.outputs(), false, predictions.labels(row), predictions.scores(row)};
  }

  std::size_t listed() const { return values.size(); }
  std::uint32_t label(std::size_t index) const {
    return dense ? static_cast<std::uint32_t>(index) : labels[index];
  }
  /// The number of listed labels below `label`, when it is known to be at least `from`.
  std::size_t listed_below(std::uint32_t label, std::size_t from) const {
    if (dense) return label;
    const auto start = labels.begin() + static_cast<std::ptrdiff_t>(from);
    return static_cast<std::size_t>(std::lower_bound(start, labels.end(), label) - labels.begin());
  }

  /// The index in `values` of the first score that is not a number.
  std::optional<std::size_t> first_nan() const;
  /// The index in `labels` of the first label that does not ascend or is out of range.
  std::optional<std::size_t> first_misplaced() const;
  /// The output with the largest score; the lowest of those that tie.
  std::uint32_t best() const;
};

}  // namespace coppice
