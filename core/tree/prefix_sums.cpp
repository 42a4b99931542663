#include "core/tree/prefix_sums.h"

#include <algorithm>
#include <cstring>
#include <vector>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

// Where the processor has wider vectors they are used. Contraction is off and lanes are added up in a fixed
// order, so the numbers stay the same. Sanitizers do not get along with functions chosen at load time.
#if defined(__x86_64__) && defined(__gnu_linux__) && !defined(__SANITIZE_ADDRESS__) && \
    !defined(__SANITIZE_THREAD__)
#define COPPICE_WIDE_VECTORS __attribute__((target_clones("avx2", "default")))
#else
#define COPPICE_WIDE_VECTORS
#endif

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
  for (std::size_t j = 0; j < stride; j += 4) {
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

void prefix_squares_single(const double* rows, const std::uint32_t* ids, std::size_t count, double start,
                           double* squares) {
  double sum = start;
  for (std::size_t i = 0; i < count; ++i) {
    sum += rows[ids[i]];
    squares[i] = sum * sum;
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

ValueRange range_of(const float* values, std::size_t count) {
  // Four at a time; smallest and largest do not depend on the order.
  float lowest[4] = {values[0], values[0], values[0], values[0]};
  float highest[4] = {values[0], values[0], values[0], values[0]};
  std::size_t i = 0;
  for (; i + 4 <= count; i += 4)
    for (std::size_t lane = 0; lane < 4; ++lane) {
      lowest[lane] = lowest[lane] < values[i + lane] ? lowest[lane] : values[i + lane];
      highest[lane] = highest[lane] > values[i + lane] ? highest[lane] : values[i + lane];
    }
  ValueRange range{lowest[0], highest[0]};
  for (std::size_t lane = 1; lane < 4; ++lane) {
    range.lowest = std::min(range.lowest, lowest[lane]);
    range.highest = std::max(range.highest, highest[lane]);
  }
  for (; i < count; ++i) {
    range.lowest = std::min(range.lowest, values[i]);
    range.highest = std::max(range.highest, values[i]);
  }
  return range;
}

std::uint64_t at_most(const float* values, std::size_t count, float limit) {
  std::uint64_t bits = 0;
  std::size_t i = 0;
#if defined(__SSE2__)
  const __m128 limits = _mm_set1_ps(limit);
  for (; i + 4 <= count; i += 4)
    bits |= static_cast<std::uint64_t>(_mm_movemask_ps(_mm_cmple_ps(_mm_loadu_ps(values + i), limits))) << i;
#endif
  for (; i < count; ++i) bits |= std::uint64_t{values[i] <= limit ? 1U : 0U} << i;
  return bits;
}

#if defined(__SSE2__)

namespace {

/// The rows' 16 numbers in two registers.
struct Packed {
  __m128i low;
  __m128i high;

  explicit Packed(const std::int16_t* row)
      : low(_mm_loadu_si128(reinterpret_cast<const __m128i*>(row))),
        high(_mm_loadu_si128(reinterpret_cast<const __m128i*>(row + 8))) {}
  Packed() : low(_mm_setzero_si128()), high(low) {}

  void add(const Packed& other) {
    low = _mm_add_epi16(low, other.low);
    high = _mm_add_epi16(high, other.high);
  }
  void subtract(const Packed& other) {
    low = _mm_sub_epi16(low, other.low);
    high = _mm_sub_epi16(high, other.high);
  }
  std::int32_t dot(const Packed& other) const {
    __m128i sum = _mm_add_epi32(_mm_madd_epi16(low, other.low), _mm_madd_epi16(high, other.high));
    sum = _mm_add_epi32(sum, _mm_shuffle_epi32(sum, _MM_SHUFFLE(1, 0, 3, 2)));
    sum = _mm_add_epi32(sum, _mm_shuffle_epi32(sum, _MM_SHUFFLE(2, 3, 0, 1)));
    return _mm_cvtsi128_si32(sum);
  }
  void store(std::int16_t* row) const {
    _mm_storeu_si128(reinterpret_cast<__m128i*>(row), low);
    _mm_storeu_si128(reinterpret_cast<__m128i*>(row + 8), high);
  }
};

}  // namespace

#else

namespace {

/// The rows' 16 numbers, for processors without those instructions. Whole numbers: the same results.
struct Packed {
  std::int16_t lanes[packed_lanes] = {};

  explicit Packed(const std::int16_t* row) { std::memcpy(lanes, row, sizeof lanes); }
  Packed() = default;

  void add(const Packed& other) {
    for (std::size_t j = 0; j < packed_lanes; ++j)
      lanes[j] = static_cast<std::int16_t>(lanes[j] + other.lanes[j]);
  }
  void subtract(const Packed& other) {
    for (std::size_t j = 0; j < packed_lanes; ++j)
      lanes[j] = static_cast<std::int16_t>(lanes[j] - other.lanes[j]);
  }
  std::int32_t dot(const Packed& other) const {
    std::int32_t sum = 0;
    for (std::size_t j = 0; j < packed_lanes; ++j)
      sum += std::int32_t{lanes[j]} * std::int32_t{other.lanes[j]};
    return sum;
  }
  void store(std::int16_t* row) const { std::memcpy(row, lanes, sizeof lanes); }
};

}  // namespace

#endif

namespace {

/// The number `index` of an array of structures.
template <typename Value>
const Value* field(const Value* first, std::size_t bytes, std::size_t index) {
  return reinterpret_cast<const Value*>(reinterpret_cast<const char*>(first) + bytes * index);
}

}  // namespace

void prefix_squares_packed(const std::int16_t* rows, const std::int32_t* row_squares, std::size_t bytes,
                           const std::uint32_t* ids, std::size_t count, std::int32_t* squares) {
  Packed sums;
  std::int32_t square = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const Packed row(field(rows, bytes, ids[i]));
    square += 2 * sums.dot(row) + *field(row_squares, bytes, ids[i]);
    sums.add(row);
    squares[i] = square;
  }
}

void sum_packed(const std::int16_t* rows, std::size_t bytes, const std::uint32_t* ids, std::size_t count,
                std::int16_t* sums) {
  Packed sum;
  for (std::size_t i = 0; i < count; ++i) sum.add(Packed(field(rows, bytes, ids[i])));
  sum.store(sums);
}

void add_packed(const std::int16_t* row, std::int16_t* sums) {
  Packed sum(sums);
  sum.add(Packed(row));
  sum.store(sums);
}

void subtract_packed(const std::int16_t* row, std::int16_t* sums) {
  Packed sum(sums);
  sum.subtract(Packed(row));
  sum.store(sums);
}

std::int32_t dot_packed(const std::int16_t* a, const std::int16_t* b) {
  return Packed(a).dot(Packed(b));
}

}  // namespace coppice
