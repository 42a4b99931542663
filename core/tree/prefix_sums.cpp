#include "core/tree/prefix_sums.h"

#include <cstring>
#include <vector>

#include "core/base/wide_vectors.h"

namespace coppice {

namespace {

using Four = double __attribute__((vector_size(4 * sizeof(double))));

[[gnu::always_inline]] inline void load(const double* values, Four& four) {
  std::memcpy(&four, values, sizeof four);
}
[[gnu::always_inline]] inline void add(const double* values, Four& four) {
  Four loaded;
  std::memcpy(&loaded, values, sizeof loaded);
  four += loaded;
}
[[gnu::always_inline]] inline double total(const Four& sums) {
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

/// Sums of `groups` times four numbers, in registers.
template <int groups>
[[gnu::always_inline]] inline void follow(const double* rows, const std::uint32_t* ids, std::size_t count,
                                          const double* start, double* squares) {
  Four sums[groups];
  for (int g = 0; g < groups; ++g) load(start + 4 * g, sums[g]);
  for (std::size_t i = 0; i < count; ++i) {
    const double* row = rows + std::size_t{ids[i]} * (4 * groups);
    Four square{};
    for (int g = 0; g < groups; ++g) {
      add(row + 4 * g, sums[g]);
      square += sums[g] * sums[g];
    }
    squares[i] = total(square);
  }
}

/// Any number of groups, in memory.
[[gnu::always_inline]] inline void follow_many(const double* rows, std::size_t stride,
                                               const std::uint32_t* ids, std::size_t count, double* sums,
                                               double* squares) {
  for (std::size_t i = 0; i < count; ++i) {
    const double* row = rows + ids[i] * stride;
    Four square{};
    for (std::size_t j = 0; j < stride; j += 4) {
      Four sum;
      load(sums + j, sum);
      add(row + j, sum);
      std::memcpy(sums + j, &sum, sizeof sum);
      square += sum * sum;
    }
    squares[i] = total(square);
  }
}

template <int groups>
[[gnu::always_inline]] inline double add_up(const double* rows, const std::uint32_t* ids, std::size_t count,
                                            const double* start) {
  Four sums[groups];
  for (int g = 0; g < groups; ++g) load(start + 4 * g, sums[g]);
  for (std::size_t i = 0; i < count; ++i)
    for (int g = 0; g < groups; ++g) add(rows + std::size_t{ids[i]} * (4 * groups) + 4 * g, sums[g]);
  Four square{};
  for (int g = 0; g < groups; ++g) square += sums[g] * sums[g];
  return total(square);
}

[[gnu::always_inline]] inline double add_up_many(const double* rows, std::size_t stride,
                                                 const std::uint32_t* ids, std::size_t count,
                                                 const double* start) {
  Four square{};
  std::size_t j = 0;
  for (; j + 16 <= stride; j += 16) {
    Four sums[4];
    for (int g = 0; g < 4; ++g) load(start + j + 4 * g, sums[g]);
    for (std::size_t i = 0; i < count; ++i)
      for (int g = 0; g < 4; ++g) add(rows + ids[i] * stride + j + 4 * g, sums[g]);
    for (int g = 0; g < 4; ++g) square += sums[g] * sums[g];
  }
  for (; j < stride; j += 4) {
    Four sum;
    load(start + j, sum);
    for (std::size_t i = 0; i < count; ++i) add(rows + ids[i] * stride + j, sum);
    square += sum * sum;
  }
  return total(square);
}

}  // namespace

COPPICE_WIDE_VECTORS
void prefix_squares(const double* rows, std::size_t stride, const std::uint32_t* ids, std::size_t count,
                    const double* start, double* squares) {
  switch (stride) {
    case 4:
      return follow<1>(rows, ids, count, start, squares);
    case 8:
      return follow<2>(rows, ids, count, start, squares);
    case 12:
      return follow<3>(rows, ids, count, start, squares);
    case 16:
      return follow<4>(rows, ids, count, start, squares);
    default:
      std::vector<double> sums(start, start + stride);
      follow_many(rows, stride, ids, count, sums.data(), squares);
  }
}

COPPICE_WIDE_VECTORS
double sum_square(const double* rows, std::size_t stride, const std::uint32_t* ids, std::size_t count,
                  const double* start) {
  switch (stride) {
    case 4:
      return add_up<1>(rows, ids, count, start);
    case 8:
      return add_up<2>(rows, ids, count, start);
    case 12:
      return add_up<3>(rows, ids, count, start);
    case 16:
      return add_up<4>(rows, ids, count, start);
    default:
      return add_up_many(rows, stride, ids, count, start);
  }
}

}  // namespace coppice
