#include "core/tree/packed_sums.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstring>

#include "core/tree/wide_scores.h"

namespace coppice {

namespace {

using LabelVector = std::int16_t __attribute__((vector_size(packed_lanes * sizeof(std::int16_t))));

[[gnu::always_inline]] inline void load(const std::int16_t* from, LabelVector& lanes) {
  std::memcpy(&lanes, from, sizeof lanes);
}

/// Of up to 64 rows by fours: the sums of any of four.
struct SumsOfFours {
  LabelVector sums[16][16];

  [[gnu::always_inline]] inline void make(const PackedRows& rows, std::span<const std::uint32_t> ids) {
    for (std::size_t i = 0; i < ids.size(); ++i) {
      LabelVector* const four = sums[i / 4];
      const std::size_t bit = std::size_t{1} << (i % 4);
      LabelVector row;
      load(rows.numbers + ids[i] * rows.distance, row);
      if (bit == 1) four[0] = LabelVector{};
      for (std::size_t some = 0; some < bit; ++some) four[bit + some] = four[some] + row;
    }
  }
  /// Adds those of so many rows whose bit is set; how often that loops does not depend on the bits.
  [[gnu::always_inline]] inline void add(std::uint64_t bits, std::size_t rows, LabelVector& sum) const {
    for (std::size_t four = 0; 4 * four < rows; ++four) sum += sums[four][(bits >> (4 * four)) & 15U];
  }
};

#if COPPICE_WRITES_WIDEST

/// Of two vectors the sums of neighbouring numbers, by turns. Shifts and blends: to shuffle takes longer.
COPPICE_WRITTEN_FOR_WIDEST inline __m256i add_neighbours(__m256i first, __m256i second) {
  return _mm256_add_epi32(_mm256_blend_epi32(first, _mm256_slli_epi64(second, 32), 0xaa),
                          _mm256_blend_epi32(_mm256_srli_epi64(first, 32), second, 0xaa));
}
/// The sums of the eight numbers of each of eight vectors.
COPPICE_WRITTEN_FOR_WIDEST inline __m256i add_up_eight(const __m256i* eight) {
  __m256i four[4];
#pragma GCC unroll 4
  for (std::size_t i = 0; i < 4; ++i) four[i] = add_neighbours(eight[2 * i], eight[2 * i + 1]);
  __m256i two[2];
#pragma GCC unroll 2
  for (std::size_t i = 0; i < 2; ++i)
    two[i] = _mm256_add_epi32(_mm256_unpacklo_epi64(four[2 * i], four[2 * i + 1]),
                              _mm256_unpackhi_epi64(four[2 * i], four[2 * i + 1]));
  return _mm256_add_epi32(_mm256_permute2x128_si256(two[0], two[1], 0x20),
                          _mm256_permute2x128_si256(two[0], two[1], 0x31));
}

/// What eight rows have beside their labels.
struct FourOfEight {
  __m256i squares;
  __m256i weights;
  __m256i crosses;
};
COPPICE_WRITTEN_FOR_WIDEST inline FourOfEight four_of_eight(const PackedRow* const* rows) {
  static_assert(offsetof(PackedRow, square) == 32 && offsetof(PackedRow, cross) == 44);
  __m256i two[4];
#pragma GCC unroll 4
  for (std::size_t r = 0; r < 4; ++r)
    two[r] = _mm256_inserti128_si256(
        _mm256_castsi128_si256(_mm_loadu_si128(reinterpret_cast<const __m128i*>(&rows[r]->square))),
        _mm_loadu_si128(reinterpret_cast<const __m128i*>(&rows[r + 4]->square)), 1);
  const __m256i first = _mm256_unpacklo_epi32(two[0], two[1]);  // squares and weights of two rows
  const __m256i second = _mm256_unpacklo_epi32(two[2], two[3]);
  const __m256i third = _mm256_unpackhi_epi32(two[0], two[1]);  // sets and crosses
  const __m256i fourth = _mm256_unpackhi_epi32(two[2], two[3]);
  return {_mm256_unpacklo_epi64(first, second), _mm256_unpackhi_epi64(first, second),
          _mm256_unpackhi_epi64(third, fourth)};
}

/// Adds to each of eight numbers those before it and `before`.
COPPICE_WRITTEN_FOR_WIDEST inline __m256i add_those_before(__m256i numbers, __m256i before) {
  numbers = _mm256_add_epi32(numbers, _mm256_slli_si256(numbers, 4));
  numbers = _mm256_add_epi32(numbers, _mm256_slli_si256(numbers, 8));
  const __m256i last_of_half = _mm256_set1_epi32(3);
  numbers = _mm256_add_epi32(numbers, _mm256_maskz_permutexvar_epi32(0xf0, last_of_half, numbers));
  return _mm256_add_epi32(numbers, before);
}
COPPICE_WRITTEN_FOR_WIDEST inline __m256i last_of(__m256i numbers) {
  return _mm256_permutexvar_epi32(_mm256_set1_epi32(7), numbers);
}

/// packed_score of four splits, or as many as there are.
COPPICE_WRITTEN_FOR_WIDEST inline void four_scores(__m128i left_weight, __m128i right_weight, __m128i left,
                                                   __m128i right, std::size_t count, SplitScore* scores) {
  const __m256d left_weights = _mm256_cvtepi32_pd(left_weight);
  const __m256d right_weights = _mm256_cvtepi32_pd(right_weight);
  store_scores(_mm256_add_pd(_mm256_mul_pd(_mm256_cvtepi32_pd(left), right_weights),
                             _mm256_mul_pd(_mm256_cvtepi32_pd(right), left_weights)),
               _mm256_mul_pd(left_weights, right_weights), count, scores);
}

#endif

}  // namespace

#if COPPICE_WRITES_WIDEST
COPPICE_WRITTEN_FOR_WIDEST void packed_prefixes(const PackedRow* rows, std::span<const std::uint32_t> ids,
                                                std::int32_t squares, std::int32_t weight,
                                                SplitScore* scores) {
  constexpr std::size_t step = 8;
  const __m256i total = _mm256_set1_epi32(weight);
  __m256i sums = _mm256_setzero_si256();
  __m256i left_weight = _mm256_setzero_si256();
  __m256i left = _mm256_setzero_si256();
  __m256i right = _mm256_set1_epi32(squares);
  for (std::size_t i = 0; i < ids.size(); i += step) {
    const std::size_t count = std::min(step, ids.size() - i);
    // Beyond the last row comes the last again, and its scores are not stored.
    const PackedRow* row[step];
    for (std::size_t r = 0; r < step; ++r) row[r] = rows + ids[i + std::min(r, count - 1)];
    __m256i products[step];
#pragma GCC unroll 8
    for (std::size_t r = 0; r < step; ++r) {
      const __m256i labels = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(row[r]->labels.data()));
      products[r] = _mm256_madd_epi16(sums, labels);
      sums = _mm256_add_epi16(sums, labels);
    }
    const FourOfEight own = four_of_eight(row);
    const __m256i grown = _mm256_add_epi32(_mm256_slli_epi32(add_up_eight(products), 1), own.squares);
    left_weight = add_those_before(own.weights, last_of(left_weight));
    left = add_those_before(grown, last_of(left));
    right = add_those_before(_mm256_sub_epi32(grown, _mm256_slli_epi32(own.crosses, 1)), last_of(right));
    const __m256i right_weight = _mm256_sub_epi32(total, left_weight);
    four_scores(_mm256_castsi256_si128(left_weight), _mm256_castsi256_si128(right_weight),
                _mm256_castsi256_si128(left), _mm256_castsi256_si128(right), count, scores + i);
    if (count > step / 2)
      four_scores(_mm256_extracti128_si256(left_weight, 1), _mm256_extracti128_si256(right_weight, 1),
                  _mm256_extracti128_si256(left, 1), _mm256_extracti128_si256(right, 1), count - step / 2,
                  scores + i + step / 2);
  }
}
#endif

COPPICE_WIDE_VECTORS
void packed_parts(const PackedRows& rows, std::span<const std::uint32_t> ids, const std::int16_t* totals,
                  const std::uint64_t* bits, std::size_t words, std::span<PackedPart> parts,
                  std::int16_t* sums) {
  SumsOfFours fours;
  for (std::size_t w = 0; w < words; ++w) {
    const auto some = ids.subspan(64 * w, std::min<std::size_t>(64, ids.size() - 64 * w));
    fours.make(rows, some);
    for (std::size_t i = 0; i < parts.size(); ++i) {
      LabelVector sum{};
      if (w > 0) load(sums + i * packed_lanes, sum);
      fours.add(bits[i * words + w], some.size(), sum);
      std::memcpy(sums + i * packed_lanes, &sum, sizeof sum);
      parts[i].rows = (w > 0 ? parts[i].rows : 0) + std::popcount(bits[i * words + w]);
    }
  }
  const PackedVector of_all(totals);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const PackedVector sum(sums + i * packed_lanes);
    parts[i].square = sum.dot(sum);
    parts[i].cross = sum.dot(of_all);
  }
}

}  // namespace coppice
