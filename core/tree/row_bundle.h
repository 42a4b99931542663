#pragma once

#include <array>
#include <cstddef>

namespace coppice {

/// How values of rows lie in memory to be walked down trees: in bundles of sixteen rows, feature after
/// feature, so that those of a feature fill a cache line. Rows of a bundle then differ by a constant, which
/// leaves the processor's registers to the nodes where they are, and a column of inputs is copied by lines.
struct RowBundle {
  static constexpr std::size_t rows = 16;
  /// The values of a feature.
  struct alignas(rows * sizeof(float)) Line {
    std::array<float, rows> values{};
  };

  /// Where the values of a row begin; that of feature f lies f · rows further on.
  static std::size_t begin(std::size_t row, std::size_t features) {
    return row / rows * rows * features + row % rows;
  }
  /// How many lines so many rows take.
  static std::size_t lines(std::size_t row_count, std::size_t features) {
    return (row_count + rows - 1) / rows * features;
  }
};

}  // namespace coppice
