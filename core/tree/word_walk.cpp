#include "core/tree/word_walk.h"

#include <array>
#include <bit>

#include "core/tree/value_scan.h"

#if COPPICE_WRITES_WIDEST
#include <immintrin.h>
#endif

namespace coppice {

namespace {

/// Which of some rows that have a value in a column have one above a threshold, or none at all.
struct RowsAbove {
  [[gnu::always_inline]] std::uint64_t operator()(const RowWords::Column& column, const float* values,
                                                  std::uint64_t rows, float threshold) const {
    std::uint64_t found = 0;
    for (; rows != 0; rows &= rows - 1) {
      const std::uint64_t bit = rows & (0 - rows);
      const bool above = !(values[bit_count(column.rows & (bit - 1))] <= threshold);
      found |= bit & (0 - std::uint64_t{above ? 1U : 0U});
    }
    return found;
  }
};

#if COPPICE_WRITES_WIDEST
/// The same: sixteen values are compared at once, and the results dealt out to the rows that have them.
struct RowsAboveWidest {
  COPPICE_WRITTEN_FOR_WIDEST std::uint64_t operator()(const RowWords::Column& column, const float* values,
                                                      std::uint64_t rows, float threshold) const {
    const __m512 limits = _mm512_set1_ps(threshold);
    const auto sixteen = [&](std::size_t first) __attribute__((always_inline, target("arch=x86-64-v4"))) {
      return std::uint64_t{_mm512_cmp_ps_mask(_mm512_loadu_ps(values + first), limits, _CMP_NLE_UQ)} << first;
    };
    std::uint64_t above = sixteen(0);
    const auto count = static_cast<std::size_t>(_mm_popcnt_u64(column.rows));
    for (std::size_t first = 16; first < count; first += 16) above |= sixteen(first);
    return _pdep_u64(above, column.rows) & rows;
  }
};
#endif

/// The rows of a node, all of them at once. Rows that have nothing of what a node asks about go on together,
/// mostly to the left child, which is the next node in memory; rows that part wait for their turn.
template <typename Nodes, typename Above>
[[gnu::always_inline]] inline void walk(const Nodes nodes, const RowWords& words, const Above& above,
                                        std::uint32_t* leaves) {
  struct Waiting {
    std::uint32_t node;
    std::uint64_t rows;
  };
  std::array<Waiting, RowWords::most_rows> waiting;  // parts of the rows: no more than there are rows
  std::size_t count = 0;
  std::uint32_t node = 0;
  std::uint64_t rows = words.all();
  for (;;) {
    if (nodes.leaf(node)) {
      for (; rows != 0; rows &= rows - 1) leaves[std::countr_zero(rows)] = nodes.number(node);
      if (count == 0) return;
      --count;
      node = waiting[count].node;
      rows = waiting[count].rows;
      continue;
    }
    const RowWords::Column& column = words[nodes.feature(node)];
    const float threshold = nodes.threshold(node);
    const std::uint64_t listed = rows & column.rows;
    const bool others_left = threshold >= 0.0F;
    if (listed == 0 && others_left) {
      ++node;
      continue;
    }
    const std::uint64_t right = above(column, words.values(column), listed, threshold) |
                                (others_left ? std::uint64_t{0} : rows & ~listed);
    if (right == rows) {
      node = nodes.next(node);
      continue;
    }
    if (right != 0) {
      waiting[count++] = {nodes.next(node), right};
      rows &= ~right;
    }
    ++node;
  }
}

#if COPPICE_WRITES_WIDEST
template <typename Nodes>
COPPICE_WRITTEN_FOR_WIDEST void walk_widest(const Nodes nodes, const RowWords& words, std::uint32_t* leaves) {
  walk(nodes, words, RowsAboveWidest{}, leaves);
}
#endif

template <typename Nodes>
void walk_either(const Nodes nodes, const RowWords& words, std::uint32_t* leaves,
                 [[maybe_unused]] bool widest) {
#if COPPICE_WRITES_WIDEST
  if (widest) {
    walk_widest(nodes, words, leaves);
    return;
  }
#endif
  walk(nodes, words, RowsAbove{}, leaves);
}

}  // namespace

void walk_words(const PackedNodes& nodes, const RowWords& words, std::uint32_t* leaves, bool widest) {
  walk_either(nodes, words, leaves, widest);
}

void walk_words(const WideNodes& nodes, const RowWords& words, std::uint32_t* leaves, bool widest) {
  walk_either(nodes, words, leaves, widest);
}

}  // namespace coppice
