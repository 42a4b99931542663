#pragma once

#include "core/base/wide_vectors.h"

#if COPPICE_WRITES_WIDEST

#include <cstddef>

#include <immintrin.h>

namespace coppice {

/// The first so many of eight lanes, all if there are more.
COPPICE_WRITTEN_FOR_WIDEST inline __mmask8 first_lanes(std::size_t count) {
  return static_cast<__mmask8>(count >= 8 ? 0xffU : (1U << count) - 1U);
}

/// The first so many of four lanes. Vectors of 256 bits, with the instructions that came with those of 512,
/// are what trees are grown with: where the wider ones are used, if only now and then, some processors lower
/// their clock for everything, by an eighth (docs/tree-engine.md).
COPPICE_WRITTEN_FOR_WIDEST inline __mmask8 first_of_four(std::size_t count) {
  return static_cast<__mmask8>(count >= 4 ? 0xfU : (1U << count) - 1U);
}

}  // namespace coppice

#endif
