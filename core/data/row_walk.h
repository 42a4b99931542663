#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/data/features.h"

namespace coppice {

/// Walks the inputs row by row, a block of rows at a time, without turning all of them around: columns are
/// kept as they are and only the values of one block are copied.
class RowWalk {
 public:
  explicit RowWalk(const Features& features, std::size_t rows_per_block = 4096);

  /// Moves on to the next block; false after the last.
  bool next();
  /// The rows of the current block: [begin, end).
  std::size_t begin() const { return begin_; }
  std::size_t end() const { return end_; }
  /// The columns of a row of the block that are not 0 (ascending; missing values included), and their values.
  std::span<const std::uint32_t> columns(std::size_t row) const {
    return std::span(columns_).subspan(starts_[row - begin_],
                                       starts_[row - begin_ + 1] - starts_[row - begin_]);
  }
  std::span<const float> values(std::size_t row) const {
    return std::span(values_).subspan(starts_[row - begin_],
                                      starts_[row - begin_ + 1] - starts_[row - begin_]);
  }

 private:
  template <typename Visit>
  void visit_column(std::size_t column, const Visit& visit) const;

  const Features& features_;
  std::size_t rows_per_block_;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
  std::vector<std::size_t> cursors_;  ///< in each sparse column, the first value of the block
  std::vector<std::size_t> starts_;
  std::vector<std::uint32_t> columns_;
  std::vector<float> values_;
};

}  // namespace coppice
