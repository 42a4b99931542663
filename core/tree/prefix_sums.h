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
/// The same for one number in each row; row_at(i) is the row that comes at i. Four parts are added up side by
/// side, since an addition waits for the one before: sums on a grid are exact, wherever they begin.
template <typename RowAt>
void prefix_squares_single(const double* rows, const RowAt& row_at, std::size_t count, double start,
                           double* squares) {
  constexpr std::size_t parts = 4;
  const std::size_t length = count / parts;
  double sums[parts] = {};
  for (std::size_t i = 0; i < length; ++i)
    for (std::size_t p = 0; p < parts; ++p) {
      sums[p] += rows[row_at(p * length + i)];
      squares[p * length + i] = sums[p];
    }
  for (std::size_t p = 0; p < parts; ++p) {
    double* const part = squares + p * length;
    for (std::size_t i = 0; i < length; ++i) part[i] = (part[i] + start) * (part[i] + start);
    start += sums[p];
  }
  for (std::size_t i = parts * length; i < count; ++i) {
    start += rows[row_at(i)];
    squares[i] = start * start;
  }
}
/// |start + rows[ids[0]] + … + rows[ids[count - 1]]|² only.
double sum_square(const double* rows, std::size_t stride, const std::uint32_t* ids, std::size_t count,
                  const double* start);

}  // namespace coppice
