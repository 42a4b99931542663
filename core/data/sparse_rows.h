#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/data/dataset.h"

namespace coppice {

/// One row of inputs without its zeros: columns ascend.
struct SparseRow {
  std::span<const std::uint32_t> columns;
  std::span<const float> values;

  std::size_t size() const { return columns.size(); }
};

/// Rows of inputs without their zeros, wherever they are kept.
struct SparseRowsView {
  std::span<const std::uint64_t> begin;  ///< where each row begins, and the end of the last
  std::span<const std::uint32_t> columns;
  std::span<const float> values;

  std::size_t rows() const { return begin.size() - 1; }
  /// How many entries a row has on average.
  std::size_t typical_entries() const { return rows() == 0 ? 0 : columns.size() / rows(); }
  SparseRow operator[](std::size_t row) const {
    const std::uint64_t first = begin[row];
    const std::uint64_t length = begin[row + 1] - first;
    return {columns.subspan(first, length), values.subspan(first, length)};
  }
  /// Has the row brought into the cache, for who knows which one comes next.
  void prefetch(std::size_t row) const {
    constexpr std::uint64_t entries_per_line = 16;
    for (std::uint64_t e = begin[row]; e < begin[row + 1]; e += entries_per_line) {
      __builtin_prefetch(columns.data() + e);
      __builtin_prefetch(values.data() + e);
    }
  }
};

/// The inputs of a view row by row (compressed rows), zeros left out: what an algorithm needs that looks at
/// whole rows. The same for dense and sparse columns of equal values.
class SparseRows {
 public:
  /// Row i is the view's i-th; missing values are kept as NaN.
  static SparseRows of(const DatasetView& view);

  /// All rows of a dataset, but only of those columns that it stores as sparse; made on first use and kept as
  /// long as the dataset lives.
  static std::shared_ptr<const SparseRows> of_sparse_columns(const std::shared_ptr<const Dataset>& dataset);

  std::size_t rows() const { return begin_.size() - 1; }
  SparseRowsView view() const { return {begin_, columns_, values_}; }
  SparseRow operator[](std::size_t row) const { return view()[row]; }

  /// The values, to be weighted in place; a value that becomes 0 stays stored.
  std::span<float> values() { return values_; }
  std::span<const std::uint32_t> columns() const { return columns_; }
  std::span<float> values_of(std::size_t row) {
    return std::span(values_).subspan(begin_[row], begin_[row + 1] - begin_[row]);
  }

 private:
  template <typename Wanted>
  static SparseRows of(const DatasetView& view, const Wanted& wanted);

  std::vector<std::uint64_t> begin_{0};
  std::vector<std::uint32_t> columns_;
  std::vector<float> values_;
};

}  // namespace coppice
