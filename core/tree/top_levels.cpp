#include "core/tree/top_levels.h"

#include <algorithm>

#include "core/base/wide_vectors.h"

#if COPPICE_WRITES_WIDEST
#include <immintrin.h>
#endif

namespace coppice {

TopLevels::TopLevels(const PackedNodes& nodes) {
  std::array<std::uint32_t, 2 * below - 1> at;
  at[0] = 0;
  for (std::size_t i = 0; i + 1 < below; ++i) {
    const std::uint32_t node = at[i];
    offsets_[i] = nodes.feature(node) * static_cast<std::uint32_t>(RowBundle::rows);
    thresholds_[i] = nodes.threshold(node);
    at[2 * i + 1] = nodes.leaf(node) ? node : node + 1;
    at[2 * i + 2] = nodes.next(node);
  }
  std::copy(at.end() - below, at.end(), places_.begin());
}

#if COPPICE_WRITES_WIDEST

namespace {

/// Parts the rows that reach a node of so many levels, and notes those that reach the last.
template <int Levels>
COPPICE_WRITTEN_FOR_WIDEST inline void part(const float* bundle, const std::uint32_t* offsets,
                                            const float* thresholds, const std::uint32_t* places,
                                            std::size_t node, __mmask16 rows, __m512i& found) {
  if constexpr (Levels == 0) {
    constexpr std::size_t first = (std::size_t{1} << TopLevels::levels) - 1;
    found = _mm512_mask_set1_epi32(found, rows, static_cast<int>(places[node - first]));
  } else {
    const __mmask16 left = _mm512_mask_cmp_ps_mask(rows, _mm512_load_ps(bundle + offsets[node]),
                                                   _mm512_set1_ps(thresholds[node]), _CMP_LE_OQ);
    part<Levels - 1>(bundle, offsets, thresholds, places, 2 * node + 1, left, found);
    part<Levels - 1>(bundle, offsets, thresholds, places, 2 * node + 2, _kandn_mask16(left, rows), found);
  }
}

}  // namespace

COPPICE_WRITTEN_FOR_WIDEST void TopLevels::walk(const float* bundle, std::uint32_t* places) const {
  __m512i found = _mm512_setzero_si512();
  part<levels>(bundle, offsets_.data(), thresholds_.data(), places_.data(), 0, 0xffff, found);
  _mm512_storeu_si512(places, found);
}

#else

void TopLevels::walk(const float* /*bundle*/, std::uint32_t* /*places*/) const {}

#endif

}  // namespace coppice
