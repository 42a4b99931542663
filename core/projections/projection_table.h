#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "core/projections/padded_labels.h"
#include "core/projections/projection.h"

namespace coppice {

/// The columns of a projection as a table of whole multiples of its unit, label after label and two in a
/// word, and one of nothing for what fills label sets up, for as long as it is needed: the sum over a row's
/// labels is then exact, and one pass over memory that stays in the cache.
class ProjectionTable {
 public:
  /// Whether the table of a projection is small, and all there is to it.
  static bool suits(const Projection& projection);
  explicit ProjectionTable(const Projection& projection);

  /// The numbers of a row: its components, then 0.
  std::size_t stride() const { return 2 * column_words_; }
  /// What sums of so many labels, less a mean of such sums, are below.
  static double bound(std::size_t labels) {
    return 2.0 * Projection::multiples_below * static_cast<double>(std::max<std::size_t>(labels, 1));
  }
  /// The sum of all columns, each as often as its label's share says, rounded.
  std::vector<std::int32_t> mean(std::span<const double> shares) const;
  /// Writes the sums of the columns of the labels of some rows, one row after the other.
  void add_up(const PaddedLabels& labels, std::span<const std::uint32_t> rows,
              std::span<std::int32_t> sums) const;

 private:
  std::size_t column_words_;
  /// Aligned, so that a column of few components lies in as few cache lines as it can.
  struct alignas(64) Line {
    std::uint32_t words[16];
  };
  std::vector<Line> lines_;
  std::uint32_t* column(std::size_t output) { return lines_.data()->words + output * column_words_; }
  const std::uint32_t* column(std::size_t output) const {
    return lines_.data()->words + output * column_words_;
  }
};

}  // namespace coppice
