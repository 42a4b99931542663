#include "core/tree/group_walk.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "core/base/wide_vectors.h"

namespace coppice {

namespace {

/// Fewer rows than this go on without the others.
constexpr std::size_t fewest_together = 24;

/// Some rows of a group, a bit for each.
struct RowSet {
  using Words = std::uint64_t __attribute__((vector_size(RowGroup::words * sizeof(std::uint64_t))));
  Words words;

  [[gnu::always_inline]] static void load(const std::uint64_t* from, RowSet& set) {
    std::memcpy(&set.words, from, sizeof set.words);
  }
  [[gnu::always_inline]] bool empty() const {
    std::uint64_t any = 0;
    for (std::size_t w = 0; w < RowGroup::words; ++w) any |= words[w];
    return any == 0;
  }
  [[gnu::always_inline]] std::size_t count() const {
    std::size_t found = 0;
    for (std::size_t w = 0; w < RowGroup::words; ++w)
      found += static_cast<std::size_t>(std::popcount(words[w]));
    return found;
  }
};

template <typename Nodes>
[[gnu::always_inline]] inline void walk(const Nodes nodes, const RowGroup& group, std::uint32_t* rows,
                                        std::uint32_t* places) {
  /// Rows that are in the same node.
  struct Part {
    RowSet set;
    std::uint32_t node;
    std::uint32_t count;
  };
  std::array<Part, RowGroup::most_rows / fewest_together + 1> waiting;  // parts of the rows
  std::size_t waits = 0;
  std::size_t noted = 0;
  const auto note = [&](const RowSet& set, std::uint32_t node) {
    for (std::uint32_t w = 0; w < RowGroup::words; ++w)
      for (std::uint64_t word = set.words[w]; word != 0; word &= word - 1) {
        rows[noted] = 64 * w + static_cast<std::uint32_t>(std::countr_zero(word));
        places[noted++] = node;
      }
  };
  Part part;
  std::array<std::uint64_t, RowGroup::words> all{};
  for (std::size_t w = 0; w < group.rows / 64; ++w) all[w] = ~std::uint64_t{0};
  if (group.rows % 64 != 0) all[group.rows / 64] = (std::uint64_t{1} << (group.rows % 64)) - 1;
  RowSet::load(all.data(), part.set);
  part.node = 0;
  part.count = static_cast<std::uint32_t>(group.rows);
  for (;;) {
    if (part.count < fewest_together || nodes.leaf(part.node)) {
      note(part.set, part.node);
      if (waits == 0) return;
      part = waiting[--waits];
      continue;
    }
    RowSet right;
    RowSet::load(group.columns + nodes.feature(part.node) * RowGroup::words, right);
    right.words &= part.set.words;
    if (right.empty()) {
      ++part.node;  // the left child
      continue;
    }
    const std::uint32_t right_node = nodes.next(part.node);
    const auto count = static_cast<std::uint32_t>(right.count());
    if (count == part.count) {
      part.node = right_node;
      continue;
    }
    if (count < fewest_together)
      note(right, right_node);
    else
      waiting[waits++] = {right, right_node, count};
    part.set.words &= ~right.words;
    part.count -= count;
    ++part.node;
  }
}

}  // namespace

// Not the widest: where these slow everything else down, rows took a ninth more time.
COPPICE_WIDE_VECTORS
void walk_group(const PackedNodes& nodes, const RowGroup& group, std::uint32_t* rows, std::uint32_t* places) {
  walk(nodes, group, rows, places);
}

COPPICE_WIDE_VECTORS
void walk_group(const WideNodes& nodes, const RowGroup& group, std::uint32_t* rows, std::uint32_t* places) {
  walk(nodes, group, rows, places);
}

}  // namespace coppice
