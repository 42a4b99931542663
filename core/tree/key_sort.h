#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <utility>
#include <vector>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "core/tree/code_keys.h"

namespace coppice {

/// Sorts keys by their upper part, key >> shift, a code between `lowest` and `highest`; the order among equal
/// codes is left open. Keys are distinct. Codes are ranks and so roughly uniform: one scatter into about as
/// many cells as there are keys brings every key near its place, and a pass of insertion puts it there. Few
/// keys are sorted by counting how many are smaller, without a branch, four of 32 bits at a time. Processors
/// with vectors of 512 bits sort keys of 32 bits as code_keys.h says.
template <typename Key, unsigned shift>
class KeySort {
 public:
  void sort(std::vector<Key>& keys, std::uint32_t lowest, std::uint32_t highest,
            [[maybe_unused]] bool widest = has_widest_vectors()) {
    const std::size_t cells = std::min(most_cells, std::bit_ceil(keys.size()));
    unsigned down = 0;
    if (highest - lowest >= cells)
      down = static_cast<unsigned>(std::bit_width((highest - lowest) / static_cast<std::uint32_t>(cells)));
#if COPPICE_WRITES_WIDEST
    // Where many keys share few codes, a scatter does it.
    if constexpr (sizeof(Key) == 4 && shift == code_key_bits)
      if (widest && (down > 0 || keys.size() <= most_code_keys_at_once)) {
        scratch_.resize(keys.size());
        sort_code_keys(keys.data(), keys.size(), {lowest, highest}, scratch_.data());
        return;
      }
#endif
    if (keys.size() <= few) {
      sort_few(keys);
      return;
    }
    const auto upper = [=](Key key) { return (code(key) - lowest) >> down; };
    const std::size_t used = upper_cells(lowest, highest, down);
    if (down > 0 && count(keys, used, upper) > crowded) {
      if (down > most_lower_bits) {
        std::sort(keys.begin(), keys.end());
        return;
      }
      const std::uint32_t mask = (1U << down) - 1;
      const auto lower = [=](Key key) { return (code(key) - lowest) & mask; };
      count(keys, std::size_t{1} << down, lower);
      scatter(keys, lower);
      count(keys, used, upper);
      scatter(keys, upper);
      return;
    }
    if (down == 0) count(keys, used, upper);
    scatter(keys, upper);
    if (down > 0) insert(keys);
  }

 private:
#if defined(__SSE2__)
  static constexpr std::size_t few = sizeof(Key) == 4 ? 40 : 12;
#else
  static constexpr std::size_t few = 12;
#endif
  static constexpr std::size_t most_cells = 4096;
  static constexpr unsigned most_lower_bits = 12;
  static constexpr std::uint32_t crowded = 24;

  static std::uint32_t code(Key key) {
    return static_cast<std::uint32_t>(key >> shift);
  }
  static std::size_t upper_cells(std::uint32_t lowest, std::uint32_t highest, unsigned down) {
    return ((highest - lowest) >> down) + 1;
  }

#if defined(__SSE2__)
  /// How many keys are smaller than each of sixteen.
  static void count_smaller(const std::int32_t* sixteen, const std::int32_t* all, std::size_t count,
                            std::int32_t* smaller) {
    const auto* four = reinterpret_cast<const __m128i*>(sixteen);
    const __m128i keys[4] = {_mm_loadu_si128(four), _mm_loadu_si128(four + 1), _mm_loadu_si128(four + 2),
                             _mm_loadu_si128(four + 3)};
    __m128i counts[4] = {_mm_setzero_si128(), _mm_setzero_si128(), _mm_setzero_si128(), _mm_setzero_si128()};
    for (std::size_t i = 0; i < count; ++i) {
      const __m128i other = _mm_set1_epi32(all[i]);
      for (int k = 0; k < 4; ++k) counts[k] = _mm_sub_epi32(counts[k], _mm_cmpgt_epi32(keys[k], other));
    }
    for (int k = 0; k < 4; ++k) _mm_storeu_si128(reinterpret_cast<__m128i*>(smaller) + k, counts[k]);
  }
  void sort_few(std::vector<Key>& keys) requires(sizeof(Key) == 4) {
    constexpr std::size_t group = 16;
    constexpr std::size_t room = (few + group - 1) / group * group;
    std::array<std::int32_t, room> ordered;  // comparisons are between signed numbers
    std::array<std::int32_t, group> smaller;
    const std::size_t count = keys.size();
    for (std::size_t i = 0; i < count; ++i) ordered[i] = static_cast<std::int32_t>(keys[i] ^ 0x80000000U);
    std::fill(ordered.begin() + static_cast<std::ptrdiff_t>(count), ordered.end(), 0);
    scratch_.resize(count);
    for (std::size_t begin = 0; begin < count; begin += group) {
      count_smaller(ordered.data() + begin, ordered.data(), count, smaller.data());
      for (std::size_t i = begin; i < std::min(count, begin + group); ++i)
        scratch_[static_cast<std::size_t>(smaller[i - begin])] = keys[i];
    }
    keys.swap(scratch_);
  }
#endif
  void sort_few(std::vector<Key>& keys) {
    scratch_.resize(keys.size());
    for (const Key key : keys) {
      std::uint32_t smaller = 0;
      for (const Key other : keys) smaller += other < key ? 1U : 0U;
      scratch_[smaller] = key;
    }
    keys.swap(scratch_);
  }

  /// Counts the keys of each cell; returns the largest count.
  template <typename Cell>
  std::uint32_t count(const std::vector<Key>& keys, std::size_t cells, const Cell& cell) {
    begin_.assign(cells, 0);
    for (const Key key : keys) ++begin_[cell(key)];
    return *std::max_element(begin_.begin(), begin_.end());
  }

  /// Moves every key to its cell; keys of a cell keep their order.
  template <typename Cell>
  void scatter(std::vector<Key>& keys, const Cell& cell) {
    std::uint32_t sum = 0;
    for (std::uint32_t& place : begin_) sum += std::exchange(place, sum);
    scratch_.resize(keys.size());
    for (const Key key : keys) scratch_[begin_[cell(key)]++] = key;
    keys.swap(scratch_);
  }

  static void insert(std::vector<Key>& keys) {
    for (std::size_t i = 1; i < keys.size(); ++i) {
      const Key key = keys[i];
      std::size_t j = i;
      for (; j > 0 && code(keys[j - 1]) > code(key); --j) keys[j] = keys[j - 1];
      keys[j] = key;
    }
  }

  std::vector<Key> scratch_;
  std::vector<std::uint32_t> begin_;
};

/// Rows of a node by their code: the code above, the row's number in the frame below.
template <typename Key, unsigned bits>
struct SortedKeys {
  static std::uint32_t code(Key key) { return static_cast<std::uint32_t>(key >> bits); }
  static std::uint32_t id(Key key) { return static_cast<std::uint32_t>(key & ((Key{1} << bits) - 1)); }
  static Key make(std::uint32_t code, std::uint32_t id) { return (static_cast<Key>(code) << bits) | id; }
  std::vector<Key> keys;
  KeySort<Key, bits> order;
};

}  // namespace coppice
