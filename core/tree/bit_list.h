#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include "core/base/wide_vectors.h"

namespace coppice {

/// Adds the numbers of the bits of one word of a bitmap to a list; returns how long it is then.
inline std::size_t add_bits(std::size_t word, std::uint64_t set, std::uint32_t* list, std::size_t count) {
  for (; set != 0; set &= set - 1)
    list[count++] = static_cast<std::uint32_t>(word * 64) + static_cast<std::uint32_t>(std::countr_zero(set));
  return count;
}

/// Lists the bits that two bitmaps have both, in ascending order, and returns how many. The list has room for
/// 64 more.
std::size_t list_common_bits(const std::uint64_t* first, const std::uint64_t* second, std::size_t words,
                             std::uint32_t* list, bool widest = has_bit_vectors());

}  // namespace coppice
