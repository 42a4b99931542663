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

}  // namespace coppice

#endif
