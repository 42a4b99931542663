#pragma once

#include <cstddef>
#include <cstdint>

namespace coppice {

/// Kernels that follow one side of a split while rows are added to it one by one. They are plain loops over
/// fixed groups of lanes, so that every vector width gives the same bits.

/// Real outputs: squares[i] becomes |start + rows[ids[0]] + … + rows[ids[i]]|². Rows have `stride` numbers, a
/// multiple of 4; the squares are summed in four interleaved sums.
void prefix_squares(const double* rows, std::size_t stride, const std::uint32_t* ids, std::size_t count,
                    const double* start, double* squares);
/// The same for one number in each row.
void prefix_squares_single(const double* rows, const std::uint32_t* ids, std::size_t count, double start,
                           double* squares);
/// |start + rows[ids[0]] + … + rows[ids[count - 1]]|² only.
double sum_square(const double* rows, std::size_t stride, const std::uint32_t* ids, std::size_t count,
                  const double* start);

/// The smallest and largest of some values.
struct ValueRange {
  float lowest = 0.0F;
  float highest = 0.0F;
};
ValueRange range_of(const float* values, std::size_t count);
/// Which of up to 64 values are at most `limit`, as bits.
std::uint64_t at_most(const float* values, std::size_t count, float limit);

/// Packed labels: rows of 16 small whole numbers.
constexpr std::size_t packed_lanes = 16;
/// squares[i] becomes the square of the sum of the rows so far; `row_squares` has the square of each row.
/// Both are in arrays of structures, `bytes` apart.
void prefix_squares_packed(const std::int16_t* rows, const std::int32_t* row_squares, std::size_t bytes,
                           const std::uint32_t* ids, std::size_t count, std::int32_t* squares);
void sum_packed(const std::int16_t* rows, std::size_t bytes, const std::uint32_t* ids, std::size_t count,
                std::int16_t* sums);
void add_packed(const std::int16_t* row, std::int16_t* sums);
void subtract_packed(const std::int16_t* row, std::int16_t* sums);
std::int32_t dot_packed(const std::int16_t* a, const std::int16_t* b);

}  // namespace coppice
