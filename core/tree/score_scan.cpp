#include "core/tree/score_scan.h"

#if COPPICE_WRITES_WIDEST

#include "core/tree/wide_scores.h"

namespace coppice {

COPPICE_WRITTEN_FOR_WIDEST std::size_t next_not_below_widest(const SplitScore* scores, std::size_t from,
                                                             std::size_t count, double bar) {
  constexpr std::size_t step = 8;
  const __m256d bars = _mm256_set1_pd(bar);
  for (; from + step <= count; from += step) {
    unsigned found = 0;
#pragma GCC unroll 2
    for (std::size_t half = 0; half < step; half += step / 2) {
      const __m256d first = _mm256_loadu_pd(&scores[from + half].numerator);
      const __m256d second = _mm256_loadu_pd(&scores[from + half + 2].numerator);
      // Their order is of no account: which it is is asked of all of them afterwards.
      const __m256d numerators = _mm256_unpacklo_pd(first, second);
      const __m256d limits = _mm256_mul_pd(_mm256_unpackhi_pd(first, second), bars);
      found |= _mm256_cmp_pd_mask(numerators, limits, _CMP_NLT_UQ);
    }
    if (found != 0) break;
  }
  return next_not_below(scores, from, count, bar);
}

COPPICE_WRITTEN_FOR_WIDEST void prefix_scores_widest(const double* weights, const double* squares,
                                                     std::size_t count, double total, SplitScore* scores) {
  constexpr std::size_t step = 4;
  const __m256d totals = _mm256_set1_pd(total);
  __m256d before = _mm256_setzero_pd();
  for (std::size_t i = 0; i < count; i += step) {
    const auto valid = static_cast<__mmask8>(first_lanes(count - i) & 0xfU);
    __m256d left = _mm256_maskz_loadu_pd(valid, weights + i);
    left = _mm256_add_pd(left, _mm256_maskz_permutex_pd(0xe, left, _MM_SHUFFLE(2, 1, 0, 0)));
    left = _mm256_add_pd(left, _mm256_maskz_permutex_pd(0xc, left, _MM_SHUFFLE(1, 0, 0, 0)));
    left = _mm256_add_pd(left, before);
    before = _mm256_permute4x64_pd(left, _MM_SHUFFLE(3, 3, 3, 3));
    const __m256d numerators = _mm256_mul_pd(_mm256_maskz_loadu_pd(valid, squares + i), totals);
    store_scores(numerators, _mm256_mul_pd(left, _mm256_sub_pd(totals, left)), count - i, scores + i);
  }
}

}  // namespace coppice

#endif
