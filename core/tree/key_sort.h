#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <utility>
#include <vector>

namespace coppice {

/// Sorts keys by their upper part, key >> shift, a code between `lowest` and `highest`; the order among equal
/// codes is left open. Keys are distinct. Codes are ranks and so roughly uniform: one scatter into about as
/// many cells as there are keys brings every key near its place, and a pass of insertion puts it there. Few
/// keys are sorted by counting how many are smaller, without a branch.
template <typename Key, unsigned shift>
class KeySort {
 public:
  void sort(std::vector<Key>& keys, std::uint32_t lowest, std::uint32_t highest) {
    if (keys.size() <= few) {
      sort_few(keys);
      return;
    }
    const std::size_t cells = std::min(most_cells, std::bit_ceil(keys.size()));
    unsigned down = 0;
    while (((highest - lowest) >> down) >= cells) ++down;
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
  static constexpr std::size_t few = 12;
  static constexpr std::size_t most_cells = 4096;
  static constexpr unsigned most_lower_bits = 12;
  static constexpr std::uint32_t crowded = 24;

  static std::uint32_t code(Key key) { return static_cast<std::uint32_t>(key >> shift); }
  static std::size_t upper_cells(std::uint32_t lowest, std::uint32_t highest, unsigned down) {
    return ((highest - lowest) >> down) + 1;
  }

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

}  // namespace coppice
