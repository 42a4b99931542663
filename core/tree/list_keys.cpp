#include "core/tree/list_keys.h"

#include <algorithm>
#include <array>

#include "core/base/eight_lanes.h"

namespace coppice {

namespace {

/// So few keys are sooner looked at one by one than in a vector.
constexpr std::size_t few_keys = 4;

/// By exchanges that are the same for any keys: no branch depends on them.
void sort_few(ListKey* keys, std::size_t count) {
  const auto exchange = [&](std::size_t i, std::size_t j) {
    const ListKey lower = std::min(keys[i], keys[j]);
    keys[j] = std::max(keys[i], keys[j]);
    keys[i] = lower;
  };
  if (count < 2) return;
  exchange(0, 1);
  if (count == 2) return;
  if (count == 4) {
    exchange(2, 3);
    exchange(0, 2);
    exchange(1, 3);
  } else {
    exchange(0, 2);
  }
  exchange(1, 2);
}

#if COPPICE_WRITES_WIDEST

constexpr std::size_t most_ranked = 64;

/// How many keys are smaller says where a key goes.
COPPICE_WRITTEN_FOR_WIDEST void rank_widest(ListKey* keys, std::size_t count) {
  std::array<ListKey, most_ranked> given;
  const __m512i one = _mm512_set1_epi64(1);
  for (std::size_t i = 0; i < count; i += 8)
    _mm512_storeu_si512(given.data() + i, _mm512_maskz_loadu_epi64(first_lanes(count - i), keys + i));
  for (std::size_t i = 0; i < count; i += 8) {
    const __m512i eight = _mm512_loadu_si512(given.data() + i);
    __m512i smaller = _mm512_setzero_si512();
    for (std::size_t j = 0; j < count; ++j) {
      const __m512i other = _mm512_set1_epi64(static_cast<long long>(given[j]));
      smaller = _mm512_mask_add_epi64(smaller, _mm512_cmplt_epu64_mask(other, eight), smaller, one);
    }
    _mm512_mask_i64scatter_epi64(keys, first_lanes(count - i), smaller, eight, 8);
  }
}

COPPICE_WRITTEN_FOR_WIDEST std::size_t among_widest(const ListKey* keys, std::size_t count,
                                                    const std::uint64_t* bits, ListKey* found) {
  const __m512i low = _mm512_set1_epi64(0xffffffff);
  const __m512i last = _mm512_set1_epi64(63);
  const __m512i one = _mm512_set1_epi64(1);
  std::size_t kept = 0;
  for (std::size_t i = 0; i < count; i += 8) {
    const __mmask8 valid = first_lanes(count - i);
    const __m512i eight = _mm512_maskz_loadu_epi64(valid, keys + i);
    const __m512i ids = _mm512_and_si512(eight, low);
    const __m512i words = _mm512_mask_i64gather_epi64(_mm512_setzero_si512(), valid,
                                                      _mm512_maskz_srli_epi64(valid, ids, 6), bits, 8);
    const __m512i bit = _mm512_maskz_sllv_epi64(valid, one, _mm512_and_si512(ids, last));
    const __mmask8 has = _mm512_test_epi64_mask(words, bit);
    _mm512_storeu_si512(found + kept, _mm512_maskz_compress_epi64(has, eight));
    kept += static_cast<std::size_t>(std::popcount(static_cast<unsigned>(has)));
  }
  return kept;
}

COPPICE_WRITTEN_FOR_WIDEST std::size_t among_word_widest(const ListKey* keys, std::size_t count,
                                                         std::uint64_t bits, ListKey* found) {
  const __m512i low = _mm512_set1_epi64(0xffffffff);
  const __m512i one = _mm512_set1_epi64(1);
  const __m512i word = _mm512_set1_epi64(static_cast<long long>(bits));
  std::size_t kept = 0;
  for (std::size_t i = 0; i < count; i += 8) {
    const __mmask8 valid = first_lanes(count - i);
    const __m512i eight = _mm512_maskz_loadu_epi64(valid, keys + i);
    const __m512i bit = _mm512_maskz_sllv_epi64(valid, one, _mm512_and_si512(eight, low));
    const __mmask8 has = _mm512_test_epi64_mask(word, bit);
    _mm512_storeu_si512(found + kept, _mm512_maskz_compress_epi64(has, eight));
    kept += static_cast<std::size_t>(std::popcount(static_cast<unsigned>(has)));
  }
  return kept;
}

#endif

}  // namespace

void sort_keys(ListKey* keys, std::size_t count, [[maybe_unused]] bool widest) {
  if (count <= few_keys) {
    sort_few(keys, count);
    return;
  }
#if COPPICE_WRITES_WIDEST
  if (widest && count <= most_ranked) {
    rank_widest(keys, count);
    return;
  }
#endif
  std::sort(keys, keys + count);
}

std::size_t keys_among(const ListKey* keys, std::size_t count, const std::uint64_t* bits, ListKey* found,
                       [[maybe_unused]] bool widest) {
#if COPPICE_WRITES_WIDEST
  if (widest && count > few_keys) return among_widest(keys, count, bits, found);
#endif
  std::size_t kept = 0;
  for (std::size_t i = 0; i < count; ++i) {
    found[kept] = keys[i];
    kept += (bits[key_id(keys[i]) / 64] >> (key_id(keys[i]) % 64)) & 1U;
  }
  return kept;
}

std::size_t keys_among(const ListKey* keys, std::size_t count, std::uint64_t bits, ListKey* found,
                       [[maybe_unused]] bool widest) {
#if COPPICE_WRITES_WIDEST
  if (widest && count > few_keys) return among_word_widest(keys, count, bits, found);
#endif
  return keys_among(keys, count, &bits, found, false);
}

}  // namespace coppice
