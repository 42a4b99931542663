#include "core/tree/walkers.h"

#if COPPICE_WRITES_WIDEST
#include <immintrin.h>
#endif

namespace coppice {

namespace {

#if COPPICE_WRITES_WIDEST
/// What of sixteen nodes says whether they are leaves, and which. One by one: the processor gathers no
/// faster.
[[gnu::noinline]] void read_halves(const PackedNodes nodes, const std::uint32_t* places,
                                   std::uint32_t* halves) {
#pragma GCC unroll 16
  for (std::size_t i = 0; i < 16; ++i) halves[i] = static_cast<std::uint32_t>(nodes.nodes[places[i]]);
}

COPPICE_WRITTEN_FOR_WIDEST std::size_t note_first_widest(const PackedNodes nodes, Walkers& walkers,
                                                         std::uint32_t first, std::size_t count,
                                                         std::uint32_t* leaves) {
  std::array<std::uint32_t, 16> read;
  __m512i who = _mm512_add_epi32(_mm512_set1_epi32(static_cast<int>(first)),
                                 _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15));
  std::size_t left_over = 0;
  for (std::size_t i = 0; i < count; i += 16) {
    const auto here = static_cast<__mmask16>(count - i < 16 ? (1U << (count - i)) - 1 : 0xffffU);
    read_halves(nodes, walkers.place.data() + i, read.data());
    const __m512i at = _mm512_loadu_si512(walkers.place.data() + i);
    const __m512i halves = _mm512_loadu_si512(read.data());
    _mm512_mask_storeu_epi32(leaves + first + i, here, _mm512_and_si512(halves, _mm512_set1_epi32(0xffff)));
    // A leaf has what is not a number. Lanes beyond those that go on fall on rows that have been read.
    const __mmask16 on =
        _mm512_mask_cmp_ps_mask(here, _mm512_castsi512_ps(halves), _mm512_castsi512_ps(halves), _CMP_ORD_Q);
    _mm512_storeu_si512(walkers.place.data() + left_over, _mm512_maskz_compress_epi32(on, at));
    _mm512_storeu_si512(walkers.row.data() + left_over, _mm512_maskz_compress_epi32(on, who));
    left_over += static_cast<std::size_t>(_mm_popcnt_u32(on));
    who = _mm512_add_epi32(who, _mm512_set1_epi32(16));
  }
  return left_over;
}
#endif

/// Notes the leaves of rows that `row_of` tells.
template <typename Nodes, typename RowOf>
std::size_t note_one_by_one(const Nodes nodes, Walkers& walkers, const RowOf& row_of, std::size_t count,
                            std::uint32_t* leaves) {
  auto& [row, place] = walkers;
  std::size_t left_over = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t at = place[i];
    const std::uint32_t who = row_of(i);
    leaves[who] = nodes.number(at);
    place[left_over] = at;
    row[left_over] = who;
    left_over += nodes.leaf(at) ? 0U : 1U;
  }
  return left_over;
}

template <typename Nodes>
std::size_t note_first_one_by_one(const Nodes& nodes, Walkers& walkers, std::uint32_t first,
                                  std::size_t count, std::uint32_t* leaves) {
  const auto row_of = [first](std::size_t i) { return first + static_cast<std::uint32_t>(i); };
  return note_one_by_one(nodes, walkers, row_of, count, leaves);
}

template <typename Nodes>
std::size_t note_more(const Nodes& nodes, Walkers& walkers, std::size_t count, std::uint32_t* leaves) {
  return note_one_by_one(
      nodes, walkers, [&](std::size_t i) { return walkers.row[i]; }, count, leaves);
}

}  // namespace

std::size_t Walkers::note_first(const PackedNodes& nodes, std::uint32_t first, std::size_t count,
                                std::uint32_t* leaves, [[maybe_unused]] bool widest) {
#if COPPICE_WRITES_WIDEST
  if (widest) return note_first_widest(nodes, *this, first, count, leaves);
#endif
  return note_first_one_by_one(nodes, *this, first, count, leaves);
}

std::size_t Walkers::note_first(const WideNodes& nodes, std::uint32_t first, std::size_t count,
                                std::uint32_t* leaves) {
  return note_first_one_by_one(nodes, *this, first, count, leaves);
}

std::size_t Walkers::note(const PackedNodes& nodes, std::size_t count, std::uint32_t* leaves) {
  return note_more(nodes, *this, count, leaves);
}

std::size_t Walkers::note(const WideNodes& nodes, std::size_t count, std::uint32_t* leaves) {
  return note_more(nodes, *this, count, leaves);
}

}  // namespace coppice
