#include "core/tree/code_keys.h"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>

#include "core/base/eight_lanes.h"

namespace coppice {

namespace {

CodeRange make_anywhere(const std::uint16_t* codes, const std::uint32_t* places, const std::uint32_t* ids,
                        std::size_t count, std::uint32_t* keys) {
  CodeRange range{std::numeric_limits<std::uint32_t>::max(), 0};
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t code = codes[places[i]];
    range.lowest = std::min(range.lowest, code);
    range.highest = std::max(range.highest, code);
    keys[i] = code << code_key_bits | ids[i];
  }
  return range;
}

#if COPPICE_WRITES_WIDEST

// Vectors of 256 bits, with the instructions that came with those of 512: where these are used, some
// processors lower their clock for everything, by a tenth.
constexpr std::size_t lanes = 8;

/// Which of the eight from a place on are among so many in all.
COPPICE_WRITTEN_FOR_WIDEST inline __mmask8 eight_from(std::size_t begin, std::size_t count) {
  return count > begin ? first_lanes(count - begin) : __mmask8{0};
}

/// Codes are fetched one by one: to gather them takes longer on most processors.
COPPICE_WRITTEN_FOR_WIDEST CodeRange make_widest(const std::uint16_t* codes, const std::uint32_t* places,
                                                 const std::uint32_t* ids, std::size_t count,
                                                 std::uint32_t* keys) {
  for (std::size_t i = 0; i < count; ++i) keys[i] = codes[places[i]];
  __m256i lowest = _mm256_set1_epi32(-1);
  __m256i highest = _mm256_setzero_si256();
  for (std::size_t i = 0; i < count; i += lanes) {
    const __mmask8 valid = first_lanes(count - i);
    const __m256i code = _mm256_maskz_loadu_epi32(valid, keys + i);
    lowest = _mm256_mask_min_epu32(lowest, valid, lowest, code);
    highest = _mm256_max_epu32(highest, code);
    const __m256i id = _mm256_maskz_loadu_epi32(valid, ids + i);
    _mm256_mask_storeu_epi32(keys + i, valid, _mm256_or_si256(_mm256_slli_epi32(code, code_key_bits), id));
  }
  std::array<std::uint32_t, lanes> least;
  std::array<std::uint32_t, lanes> most;
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(least.data()), lowest);
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(most.data()), highest);
  return {*std::min_element(least.begin(), least.end()), *std::max_element(most.begin(), most.end())};
}

/// Eight keys compared with their partners: those of `greater` become the greater ones.
template <unsigned greater>
COPPICE_WRITTEN_FOR_WIDEST inline void exchange(__m256i& keys, __m256i partners) {
  keys = _mm256_mask_max_epu32(_mm256_min_epu32(keys, partners), greater, keys, partners);
}
COPPICE_WRITTEN_FOR_WIDEST inline void exchange_neighbours(__m256i& keys) {
  exchange<0xaa>(keys, _mm256_shuffle_epi32(keys, _MM_SHUFFLE(2, 3, 0, 1)));
}
COPPICE_WRITTEN_FOR_WIDEST inline void exchange_next_but_one(__m256i& keys) {
  exchange<0xcc>(keys, _mm256_shuffle_epi32(keys, _MM_SHUFFLE(1, 0, 3, 2)));
}
COPPICE_WRITTEN_FOR_WIDEST inline __m256i reversed(__m256i keys) {
  return _mm256_permutevar8x32_epi32(keys, _mm256_set_epi32(0, 1, 2, 3, 4, 5, 6, 7));
}

/// Sorts runs of so many registers that ascend and then descend, or the other way round.
template <std::size_t registers>
[[gnu::always_inline]] COPPICE_WRITTEN_FOR_WIDEST inline void sort_bitonic(__m256i* keys) {
  if constexpr (registers > 1) {
    constexpr std::size_t half = registers / 2;
    for (std::size_t i = 0; i < half; ++i) {
      const __m256i lower = _mm256_min_epu32(keys[i], keys[i + half]);
      keys[i + half] = _mm256_max_epu32(keys[i], keys[i + half]);
      keys[i] = lower;
    }
    sort_bitonic<half>(keys);
    sort_bitonic<half>(keys + half);
  } else {
    exchange<0xf0>(*keys, _mm256_permute4x64_epi64(*keys, _MM_SHUFFLE(1, 0, 3, 2)));
    exchange_next_but_one(*keys);
    exchange_neighbours(*keys);
  }
}

/// Batcher's bitonic sort: halves are sorted, one is turned round, and both together are bitonic.
template <std::size_t registers>
[[gnu::always_inline]] COPPICE_WRITTEN_FOR_WIDEST inline void sort_registers(__m256i* keys) {
  if constexpr (registers > 1) {
    constexpr std::size_t half = registers / 2;
    sort_registers<half>(keys);
    sort_registers<half>(keys + half);
    for (std::size_t i = 0; i < half; ++i) {
      const __m256i partners = reversed(keys[registers - 1 - i]);
      keys[registers - 1 - i] = _mm256_max_epu32(keys[i], partners);
      keys[i] = _mm256_min_epu32(keys[i], partners);
    }
    sort_bitonic<half>(keys);
    sort_bitonic<half>(keys + half);
  } else {
    exchange_neighbours(*keys);
    exchange<0xcc>(*keys, _mm256_shuffle_epi32(*keys, _MM_SHUFFLE(0, 1, 2, 3)));
    exchange_neighbours(*keys);
    exchange<0xf0>(*keys, reversed(*keys));
    exchange_next_but_one(*keys);
    exchange_neighbours(*keys);
  }
}

template <std::size_t registers>
COPPICE_WRITTEN_FOR_WIDEST void sort_up_to(const std::uint32_t* from, std::size_t count, std::uint32_t* to) {
  __m256i keys[registers];
  for (std::size_t i = 0; i < registers; ++i)
    keys[i] = _mm256_mask_loadu_epi32(_mm256_set1_epi32(-1), eight_from(lanes * i, count), from + lanes * i);
  sort_registers<registers>(keys);
  for (std::size_t i = 0; i < registers; ++i)
    _mm256_mask_storeu_epi32(to + lanes * i, eight_from(lanes * i, count), keys[i]);
}

static_assert(most_code_keys_at_once == 16 * lanes);

COPPICE_WRITTEN_FOR_WIDEST void sort_few(const std::uint32_t* from, std::size_t count, std::uint32_t* to) {
  if (count <= lanes)
    sort_up_to<1>(from, count, to);
  else if (count <= 2 * lanes)
    sort_up_to<2>(from, count, to);
  else if (count <= 4 * lanes)
    sort_up_to<4>(from, count, to);
  else if (count <= 8 * lanes)
    sort_up_to<8>(from, count, to);
  else
    sort_up_to<16>(from, count, to);
}

/// Sorts `from` to `to`, which may be the same; `from` and `other` are overwritten.
COPPICE_WRITTEN_FOR_WIDEST void sort_parts(std::uint32_t* from, std::size_t count, const CodeRange& range,
                                           std::uint32_t* other, std::uint32_t* to) {
  if (count <= most_code_keys_at_once) {
    sort_few(from, count, to);
    return;
  }
  if (range.lowest == range.highest) {
    if (from != to) std::copy_n(from, count, to);
    return;
  }
  const std::uint32_t middle = range.lowest + (range.highest - range.lowest) / 2;
  const __m256i limit = _mm256_set1_epi32(static_cast<int>((middle + 1) << code_key_bits));
  std::size_t left = 0;
  std::size_t right = count;
  for (std::size_t i = 0; i < count; i += lanes) {
    const __mmask8 valid = first_lanes(count - i);
    const __m256i keys = _mm256_maskz_loadu_epi32(valid, from + i);
    const __mmask8 below = _mm256_mask_cmplt_epu32_mask(valid, keys, limit);
    const auto above = static_cast<__mmask8>(below ^ valid);
    const auto lower = static_cast<std::size_t>(std::popcount(static_cast<unsigned>(below)));
    const auto upper = static_cast<std::size_t>(std::popcount(static_cast<unsigned>(above)));
    _mm256_mask_storeu_epi32(other + left, first_lanes(lower), _mm256_maskz_compress_epi32(below, keys));
    left += lower;
    right -= upper;
    _mm256_mask_storeu_epi32(other + right, first_lanes(upper), _mm256_maskz_compress_epi32(above, keys));
  }
  sort_parts(other, left, {range.lowest, middle}, from, to);
  sort_parts(other + left, count - left, {middle + 1, range.highest}, from + left, to + left);
}

#endif

}  // namespace

CodeRange make_code_keys(const std::uint16_t* codes, const std::uint32_t* places, const std::uint32_t* ids,
                         std::size_t count, std::uint32_t* keys, [[maybe_unused]] bool widest) {
#if COPPICE_WRITES_WIDEST
  if (widest) return make_widest(codes, places, ids, count, keys);
#endif
  return make_anywhere(codes, places, ids, count, keys);
}

#if COPPICE_WRITES_WIDEST
void sort_code_keys(std::uint32_t* keys, std::size_t count, const CodeRange& range, std::uint32_t* scratch) {
  sort_parts(keys, count, range, scratch, keys);
}
#endif

}  // namespace coppice
