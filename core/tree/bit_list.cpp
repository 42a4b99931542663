#include "core/tree/bit_list.h"

#include <array>

#include "core/base/eight_lanes.h"

namespace coppice {

namespace {

std::size_t list_anywhere(const std::uint64_t* first, const std::uint64_t* second, std::size_t words,
                          std::uint32_t* list) {
  std::size_t count = 0;
  for (std::size_t w = 0; w < words; ++w) count = add_bits(w, first[w] & second[w], list, count);
  return count;
}

#if COPPICE_WRITES_WIDEST

/// The numbers of sixteen bits of a word, of which `bytes` has the places.
COPPICE_WRITTEN_FOR_BITS inline void write_sixteen(__m128i bytes, __m512i word, std::uint32_t* list) {
  _mm512_storeu_si512(list, _mm512_add_epi32(_mm512_maskz_cvtepu8_epi32(0xffff, bytes), word));
}

/// Words without a bit are passed over eight at a time; of the others the places of all bits close ranks at
/// once, and mostly there are no more than sixteen.
COPPICE_WRITTEN_FOR_BITS std::size_t list_widest(const std::uint64_t* first, const std::uint64_t* second,
                                                 std::size_t words, std::uint32_t* list) {
  alignas(64) static constexpr auto place_of_bit = [] {
    std::array<std::uint8_t, 64> places{};
    for (std::size_t i = 0; i < places.size(); ++i) places[i] = static_cast<std::uint8_t>(i);
    return places;
  }();
  const __m512i places = _mm512_load_si512(place_of_bit.data());
  std::size_t count = 0;
  for (std::size_t begin = 0; begin < words; begin += 8) {
    const __mmask8 valid = first_lanes(words - begin);
    unsigned left = _mm512_test_epi64_mask(_mm512_maskz_loadu_epi64(valid, first + begin),
                                           _mm512_maskz_loadu_epi64(valid, second + begin));
    for (; left != 0; left &= left - 1) {
      const std::size_t word = begin + static_cast<std::size_t>(std::countr_zero(left));
      const std::uint64_t set = first[word] & second[word];
      const __m512i ranks = _mm512_maskz_compress_epi8(set, places);
      const __m512i start = _mm512_set1_epi32(static_cast<int>(word * 64));
      const auto bits = static_cast<std::size_t>(std::popcount(set));
      write_sixteen(_mm512_maskz_extracti32x4_epi32(0xf, ranks, 0), start, list + count);
      if (bits > 16) {
        write_sixteen(_mm512_maskz_extracti32x4_epi32(0xf, ranks, 1), start, list + count + 16);
        write_sixteen(_mm512_maskz_extracti32x4_epi32(0xf, ranks, 2), start, list + count + 32);
        write_sixteen(_mm512_maskz_extracti32x4_epi32(0xf, ranks, 3), start, list + count + 48);
      }
      count += bits;
    }
  }
  return count;
}

#endif

}  // namespace

std::size_t list_common_bits(const std::uint64_t* first, const std::uint64_t* second, std::size_t words,
                             std::uint32_t* list, [[maybe_unused]] bool widest) {
#if COPPICE_WRITES_WIDEST
  if (widest) return list_widest(first, second, words, list);
#endif
  return list_anywhere(first, second, words, list);
}

}  // namespace coppice
