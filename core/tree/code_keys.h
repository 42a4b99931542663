#pragma once

#include <cstddef>
#include <cstdint>

#include "core/base/wide_vectors.h"

namespace coppice {

/// The smallest and the largest code of some rows.
struct CodeRange {
  std::uint32_t lowest = 0;
  std::uint32_t highest = 0;
};

/// Keys of rows of a node of at most 65536 rows, and codes of 16 bits: the code in the high half, the row's
/// number in the frame in the low half.
constexpr unsigned code_key_bits = 16;

/// Makes the keys of some rows, at least one: row i has the code codes[places[i]] and the number ids[i].
CodeRange make_code_keys(const std::uint16_t* codes, const std::uint32_t* places, const std::uint32_t* ids,
                         std::size_t count, std::uint32_t* keys, bool widest = has_widest_vectors());

#if COPPICE_WRITES_WIDEST
/// So many keys are sorted in registers.
constexpr std::size_t most_code_keys_at_once = 128;
/// Sorts keys by their codes, which are between two; `scratch` has room for as many keys. Few keys are sorted
/// by exchanges that are the same for any keys; more are parted by the middle of the range of their codes
/// first, and both sides again. Only where has_widest_vectors().
void sort_code_keys(std::uint32_t* keys, std::size_t count, const CodeRange& range, std::uint32_t* scratch);
#endif

}  // namespace coppice
