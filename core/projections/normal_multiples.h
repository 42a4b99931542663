#pragma once

#include <cstdint>
#include <span>

#include "core/base/wide_vectors.h"

namespace coppice {

/// Normal numbers with a deviation of `scale`, at most 4096, rounded to whole ones: each is made from 32
/// random bits, of which all that matters is how far they are from the nearer end (Wichura 1988, algorithm AS
/// 241, PPND7, in single precision). The same on every platform; below 2^15. Bits and their complement give
/// opposite numbers.
void normal_multiples(std::span<const std::uint32_t> bits, float scale, std::span<std::int32_t> multiples,
                      bool widest = has_widest_vectors());

}  // namespace coppice
