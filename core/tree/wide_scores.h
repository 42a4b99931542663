#pragma once

#include "core/base/eight_lanes.h"

#if COPPICE_WRITES_WIDEST

#include <cstddef>

#include "core/tree/split_score.h"

namespace coppice {

/// Stores four scores, or as many as there are. Vectors of 256 bits: some processors slow down for a while
/// where products are wider.
COPPICE_WRITTEN_FOR_WIDEST inline void store_scores(__m256d numerators, __m256d denominators,
                                                    std::size_t count, SplitScore* scores) {
  static_assert(sizeof(SplitScore) == 2 * sizeof(double));
  constexpr std::size_t lanes = 4;
  const __m256d even = _mm256_unpacklo_pd(numerators, denominators);
  const __m256d odd = _mm256_unpackhi_pd(numerators, denominators);
  const __m256d first = _mm256_permute2f128_pd(even, odd, 0x20);
  const __m256d last = _mm256_permute2f128_pd(even, odd, 0x31);
  double* const to = &scores->numerator;
  if (count >= lanes) {
    _mm256_storeu_pd(to, first);
    _mm256_storeu_pd(to + lanes, last);
  } else {
    const auto valid = static_cast<unsigned>(first_lanes(2 * count));
    _mm256_mask_storeu_pd(to, static_cast<__mmask8>(valid & 0xfU), first);
    _mm256_mask_storeu_pd(to + lanes, static_cast<__mmask8>(valid >> 4U), last);
  }
}

}  // namespace coppice

#endif
