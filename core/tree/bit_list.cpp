#include "core/tree/bit_list.h"

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

/// Words without a bit are passed over eight at a time; of the others no branch asks how many bits they have.
COPPICE_WRITTEN_FOR_WIDEST std::size_t list_widest(const std::uint64_t* first, const std::uint64_t* second,
                                                   std::size_t words, std::uint32_t* list) {
  const __m512i sixteen = _mm512_set_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
  std::size_t count = 0;
  for (std::size_t begin = 0; begin < words; begin += 8) {
    const __mmask8 valid = first_lanes(words - begin);
    unsigned left = _mm512_test_epi64_mask(_mm512_maskz_loadu_epi64(valid, first + begin),
                                           _mm512_maskz_loadu_epi64(valid, second + begin));
    for (; left != 0; left &= left - 1) {
      const std::size_t word = begin + static_cast<std::size_t>(std::countr_zero(left));
      std::uint64_t set = first[word] & second[word];
      __m512i numbers = _mm512_add_epi32(sixteen, _mm512_set1_epi32(static_cast<int>(word * 64)));
      for (int part = 0; part < 4; ++part, set >>= 16) {
        const auto bits = static_cast<__mmask16>(set);
        _mm512_storeu_si512(list + count, _mm512_maskz_compress_epi32(bits, numbers));
        count += static_cast<std::size_t>(std::popcount(static_cast<unsigned>(bits)));
        numbers = _mm512_add_epi32(numbers, _mm512_set1_epi32(16));
      }
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
