#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace coppice {

class CodedInputs;

/// Columns of two values row by row, a bit for each feature: whether the column lists the row. Bitmaps of any
/// rows are made of it 64 rows times 64 columns at once, not entry by entry.
class BitRows {
 public:
  explicit BitRows(const CodedInputs& inputs);

  /// For every feature which of up to 64 rows it lists, as the bits of a word: that of feature f is written
  /// to columns[f · stride].
  void write_columns(std::span<const std::uint32_t> rows, std::uint64_t* columns, std::size_t stride) const;

 private:
  std::size_t features_;
  std::size_t words_;  ///< of a row, with as many beyond its features as make whole groups
  std::vector<std::uint64_t> bits_;
};

}  // namespace coppice
