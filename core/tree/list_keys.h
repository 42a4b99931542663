#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include "core/base/wide_vectors.h"

namespace coppice {

/// A listed row of a column: its code in the high half, or the bits of its value where cuts are random; the
/// row's number in the frame in the low half.
using ListKey = std::uint64_t;
inline ListKey list_key(std::uint32_t code, std::uint32_t id) {
  return (ListKey{code} << 32) | id;
}
inline std::uint32_t key_code(ListKey key) {
  return static_cast<std::uint32_t>(key >> 32);
}
inline float key_value(ListKey key) {
  return std::bit_cast<float>(key_code(key));
}
inline std::uint32_t key_id(ListKey key) {
  return static_cast<std::uint32_t>(key);
}

/// What functions below may write beyond their results.
constexpr std::size_t keys_beyond = 8;

/// Sorts the keys of a column, which are all different and mostly few.
void sort_keys(ListKey* keys, std::size_t count, bool widest = has_widest_vectors());

/// Of the keys of a column those whose rows are in a bitmap, in the same order, and how many.
std::size_t keys_among(const ListKey* keys, std::size_t count, const std::uint64_t* bits, ListKey* found,
                       bool widest = has_widest_vectors());
/// The same with rows that are the bits of one word.
std::size_t keys_among(const ListKey* keys, std::size_t count, std::uint64_t bits, ListKey* found,
                       bool widest = has_widest_vectors());

}  // namespace coppice
