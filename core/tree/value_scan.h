#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace coppice {

/// The smallest and the largest of some values.
struct ValueRange {
  float lowest = 0.0F;
  float highest = 0.0F;
};

inline ValueRange range_of(const float* values, std::size_t count) {
  ValueRange range{values[0], values[0]};
  std::size_t i = 0;
#if defined(__SSE2__)
  __m128 lowest = _mm_set1_ps(values[0]);
  __m128 highest = lowest;
  for (; i + 4 <= count; i += 4) {
    const __m128 four = _mm_loadu_ps(values + i);
    lowest = _mm_min_ps(lowest, four);
    highest = _mm_max_ps(highest, four);
  }
  lowest = _mm_min_ps(lowest, _mm_movehl_ps(lowest, lowest));
  highest = _mm_max_ps(highest, _mm_movehl_ps(highest, highest));
  lowest = _mm_min_ss(lowest, _mm_shuffle_ps(lowest, lowest, 1));
  highest = _mm_max_ss(highest, _mm_shuffle_ps(highest, highest, 1));
  range = {_mm_cvtss_f32(lowest), _mm_cvtss_f32(highest)};
#endif
  for (; i < count; ++i) {
    range.lowest = std::min(range.lowest, values[i]);
    range.highest = std::max(range.highest, values[i]);
  }
  return range;
}

/// Which of up to 64 values are at most `limit`, as bits.
inline std::uint64_t at_most(const float* values, std::size_t count, float limit) {
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

/// The number of bits that are set; without the processor's own instruction, which not all have.
inline std::size_t bit_count(std::uint64_t bits) {
  bits -= (bits >> 1) & 0x5555555555555555U;
  bits = (bits & 0x3333333333333333U) + ((bits >> 2) & 0x3333333333333333U);
  bits = (bits + (bits >> 4)) & 0x0f0f0f0f0f0f0f0fU;
  return static_cast<std::size_t>((bits * 0x0101010101010101U) >> 56);
}

}  // namespace coppice
