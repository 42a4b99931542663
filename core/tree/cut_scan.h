#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace coppice {

/// Columns are read so many at once.
constexpr std::size_t column_group = 8;
constexpr std::size_t whole_groups(std::size_t columns) {
  return (columns + column_group - 1) / column_group * column_group;
}

/// Rows of numbers, each of a multiple of column_group columns: row i begins at values + rows[i] * stride.
struct ValueRows {
  const float* values = nullptr;
  std::size_t stride = 0;
  const std::uint32_t* rows = nullptr;
  std::size_t count = 0;
};

/// Copies some columns of rows next to each other: to[i * width + c] becomes the number of row i in
/// columns[c].
void gather_columns(const ValueRows& from, const std::uint32_t* columns, std::size_t count, float* to,
                    std::size_t width);
/// The same from numbers that lie column by column: to[i * width + c] becomes columns[c][rows[i]]. Better for
/// many rows, of which several share a line of the cache.
void gather_columns(std::span<const float* const> columns, std::span<const std::uint32_t> rows, float* to,
                    std::size_t width);
/// The smallest and the largest number of each column; a column with missing values may have any.
void column_ranges(const ValueRows& of, std::size_t columns, float* lowest, float* highest);
/// Whether a column has missing values: not 0 if so.
void columns_missing(const ValueRows& of, std::size_t columns, std::uint32_t* missing);
/// Which numbers of each column are at most its limit, as bits: column c has `words` words from
/// bits[c * words] on, one bit for each row. `counts` says how many they are.
void columns_at_most(const ValueRows& of, std::size_t columns, const float* limits, std::size_t words,
                     std::uint64_t* bits, std::uint32_t* counts);

}  // namespace coppice
