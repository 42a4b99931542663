#include "core/tree/busy_nodes.h"

#include <array>
#include <cstring>

#include "core/tree/row_bundle.h"
#include "core/tree/tree_nodes.h"

#if COPPICE_WRITES_WIDEST
#include <immintrin.h>
#endif

namespace coppice {

template <typename Nodes>
BusyNodes::BusyNodes(const Nodes& nodes, std::size_t count, bool widest) {
  // A node with fewer leaves below costs more than it saves: about as many rows pass it.
  const std::size_t leaves = (count + 1) / 2;
  const std::size_t fewest = 1 + leaves / (widest ? 12 : 6);
  struct Part {
    std::uint32_t node;
    std::uint32_t end;  ///< of the nodes below it
  };
  std::vector<Part> parts{{0, static_cast<std::uint32_t>(count)}};
  std::size_t passed = 0;
  while (!parts.empty()) {
    const auto [node, end] = parts.back();
    parts.pop_back();
    const std::size_t below = (end - node + 1) / 2;
    if (below < fewest || nodes.leaf(node)) continue;
    passed += below;
    const std::uint32_t next = nodes.next(node);
    nodes_.push_back({node, next, nodes.threshold(node), nodes.feature(node)});
    parts.push_back({next, end});
    parts.push_back({node + 1, next});
  }
  levels_ = static_cast<double>(passed) / static_cast<double>(leaves);
}

template BusyNodes::BusyNodes(const PackedNodes&, std::size_t, bool);
template BusyNodes::BusyNodes(const WideNodes&, std::size_t, bool);

/// Rows of some bundles at the same time. All nodes are asked of all rows, and the answer counts for those
/// that are there: no branch depends on the data.
struct BusyWalk {
  const BusyNodes& busy;

#if COPPICE_WRITES_WIDEST
  template <std::size_t Bundles>
  COPPICE_WRITTEN_FOR_WIDEST void walk_widest(const float* bundles, std::size_t apart,
                                              std::uint32_t* places) const {
    __m512i at[Bundles];
    for (std::size_t b = 0; b < Bundles; ++b) at[b] = _mm512_setzero_si512();
    for (const BusyNodes::Node& node : busy.nodes_) {
      const float* const first = bundles + std::size_t{node.feature} * RowBundle::rows;
      const __m512 threshold = _mm512_set1_ps(node.threshold);
      const __m512i here = _mm512_set1_epi32(static_cast<int>(node.place));
      const __m512i left = _mm512_set1_epi32(static_cast<int>(node.place + 1));
      const __m512i right = _mm512_set1_epi32(static_cast<int>(node.next));
#pragma GCC unroll 4
      for (std::size_t b = 0; b < Bundles; ++b) {
        const __m512 values = _mm512_load_ps(first + b * apart);
        const __m512i child =
            _mm512_mask_mov_epi32(right, _mm512_cmp_ps_mask(values, threshold, _CMP_LE_OQ), left);
        at[b] = _mm512_mask_mov_epi32(at[b], _mm512_cmpeq_epi32_mask(at[b], here), child);
      }
    }
    for (std::size_t b = 0; b < Bundles; ++b) _mm512_storeu_si512(places + b * RowBundle::rows, at[b]);
  }
#endif

  [[gnu::always_inline]] void walk_bundle(const float* bundle, std::uint32_t* places) const {
    constexpr std::size_t lanes = 8;
    constexpr std::size_t vectors = RowBundle::rows / lanes;
    using Values = float __attribute__((vector_size(lanes * sizeof(float))));
    using Places = std::int32_t __attribute__((vector_size(lanes * sizeof(std::int32_t))));
    std::array<Places, vectors> at{};
    for (const BusyNodes::Node& node : busy.nodes_) {
      // As what changes of the place: on the way to the right child, and if it is the left one after all.
      const auto to_right = static_cast<std::int32_t>(node.place ^ node.next);
      const auto to_left = static_cast<std::int32_t>((node.place + 1) ^ node.next);
#pragma GCC unroll 2
      for (std::size_t v = 0; v < vectors; ++v) {
        Values values;
        std::memcpy(&values, bundle + std::size_t{node.feature} * RowBundle::rows + v * lanes, sizeof values);
        const Places is_left = values <= node.threshold;
        const Places is_here = at[v] == static_cast<std::int32_t>(node.place);
        at[v] ^= is_here & (to_right ^ (is_left & to_left));
      }
    }
    std::memcpy(places, at.data(), sizeof at);
  }
};

namespace {

COPPICE_WIDE_VECTORS
void walk_bundles(const BusyWalk& walk, const float* bundles, std::size_t apart, std::size_t count,
                  std::uint32_t* places) {
  for (std::size_t b = 0; b < count; ++b) walk.walk_bundle(bundles + b * apart, places + b * RowBundle::rows);
}

}  // namespace

void BusyNodes::walk(const float* bundles, std::size_t apart, std::size_t count, std::uint32_t* places,
                     [[maybe_unused]] bool widest) const {
  const BusyWalk walk{*this};
#if COPPICE_WRITES_WIDEST
  if (widest) {
    // Several at once: a node waits for the one above it.
    constexpr std::size_t at_once = 4;
    std::size_t b = 0;
    for (; b + at_once <= count; b += at_once)
      walk.walk_widest<at_once>(bundles + b * apart, apart, places + b * RowBundle::rows);
    for (; b < count; ++b) walk.walk_widest<1>(bundles + b * apart, apart, places + b * RowBundle::rows);
    return;
  }
#endif
  walk_bundles(walk, bundles, apart, count, places);
}

}  // namespace coppice
