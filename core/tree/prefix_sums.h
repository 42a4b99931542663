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

}  // namespace coppice
