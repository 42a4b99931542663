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
constexpr std::size_t keys_in_vector = 4;

/// How many keys are smaller says where a key goes.
COPPICE_WRITTEN_FOR_WIDEST void rank_widest(ListKey* keys, std::size_t count) {
  std::array<ListKey, most_ranked> given;
  std::array<std::uint64_t, 2 * keys_in_vector> places;
  const __m256i one = _mm256_set1_epi64x(1);
  for (std::size_t i = 0; i < count; i += keys_in_vector)
    _mm256_storeu_epi64(given.data() + i, _mm256_maskz_loadu_epi64(first_of_four(count - i), keys + i));
  for (std::size_t i = 0; i < count; i += places.size()) {
    const __m256i first = _mm256_loadu_epi64(given.data() + i);
    const __m256i second = _mm256_loadu_epi64(given.data() + i + keys_in_vector);
    __m256i below_first = _mm256_setzero_si256();
    __m256i below_second = below_first;
    for (std::size_t j = 0; j < count; ++j) {
      const __m256i other = _mm256_set1_epi64x(static_cast<long long>(given[j]));
      below_first =
          _mm256_mask_add_epi64(below_first, _mm256_cmplt_epu64_mask(other, first), below_first, one);
      below_second =
          _mm256_mask_add_epi64(below_second, _mm256_cmplt_epu64_mask(other, second), below_second, one);
    }
    _mm256_storeu_epi64(places.data(), below_first);
    _mm256_storeu_epi64(places.data() + keys_in_vector, below_second);
    for (std::size_t k = 0; k < std::min(places.size(), count - i); ++k) keys[places[k]] = given[i + k];
  }
}

COPPICE_WRITTEN_FOR_WIDEST std::size_t among_widest(const ListKey* keys, std::size_t count,
                                                    const std::uint64_t* bits, ListKey* found) {
  const __m256i last = _mm256_set1_epi64x(63);
  const __m256i one = _mm256_set1_epi64x(1);
  std::size_t kept = 0;
  for (std::size_t i = 0; i < count; i += keys_in_vector) {
    // Fetched one by one: to gather them takes longer on most processors.
    const auto word = [&](std::size_t k) {
      return static_cast<long long>(bits[key_id(keys[std::min(i + k, count - 1)]) / 64]);
    };
    const __m256i words = _mm256_set_epi64x(word(3), word(2), word(1), word(0));
    const __m256i four = _mm256_maskz_loadu_epi64(first_of_four(count - i), keys + i);
    const __m256i bit = _mm256_sllv_epi64(one, _mm256_and_si256(four, last));
    const __mmask8 has = _mm256_mask_test_epi64_mask(first_of_four(count - i), words, bit);
    _mm256_storeu_epi64(found + kept, _mm256_maskz_compress_epi64(has, four));
    kept += static_cast<std::size_t>(std::popcount(static_cast<unsigned>(has)));
  }
  return kept;
}

COPPICE_WRITTEN_FOR_WIDEST std::size_t among_word_widest(const ListKey* keys, std::size_t count,
                                                         std::uint64_t bits, ListKey* found) {
  const __m256i last = _mm256_set1_epi64x(63);
  const __m256i one = _mm256_set1_epi64x(1);
  const __m256i word = _mm256_set1_epi64x(static_cast<long long>(bits));
  std::size_t kept = 0;
  for (std::size_t i = 0; i < count; i += keys_in_vector) {
    const __mmask8 valid = first_of_four(count - i);
    const __m256i four = _mm256_maskz_loadu_epi64(valid, keys + i);
    const __m256i bit = _mm256_maskz_sllv_epi64(valid, one, _mm256_and_si256(four, last));
    const __mmask8 has = _mm256_test_epi64_mask(word, bit);
    _mm256_storeu_epi64(found + kept, _mm256_maskz_compress_epi64(has, four));
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
