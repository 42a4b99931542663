#include "core/tree/top_draws.h"

#include <utility>

#include "core/base/eight_lanes.h"
#include "core/tree/word_columns.h"

namespace coppice {

namespace {

// Whether a column varies could not be foreseen: no branch asks for it.

bool is_over(const DrawnColumns& drawn) {
  return drawn.place == drawn.size || drawn.looked_at == drawn.wanted;
}
/// Draws the next column; returns which rows of the node have an entry.
[[gnu::always_inline]] inline std::uint64_t draw(const DrawnColumns& drawn, ColumnDraws& draws,
                                                 std::uint64_t node) {
  const std::size_t next = drawn.place + draws.below(drawn.size - drawn.place);
  std::swap(drawn.rows[drawn.place], drawn.rows[next]);
  std::swap(drawn.names[drawn.place], drawn.names[next]);
  return drawn.rows[drawn.place] & node;
}
/// 1 where the column scores more than the best, or has several entries.
unsigned is_above(const DrawnColumns& drawn, std::uint64_t here, double score, double best) {
  const unsigned has_entries = drawn.names[drawn.place] < WordColumns::first_without_entries ? 1 : 0;
  return (score > best ? 1U : 0U) | (has_entries & ((here & (here - 1)) != 0 ? 1U : 0U));
}
void pass(DrawnColumns& drawn, std::uint64_t here, std::uint64_t node) {
  drawn.looked_at += (here != 0 ? 1U : 0U) & (here != node ? 1U : 0U);
  ++drawn.place;
}

#if COPPICE_WRITES_WIDEST
COPPICE_WRITTEN_FOR_WIDEST bool draw_widest(DrawnColumns& drawn, ColumnDraws& draws,
                                            const PartitionScores& partitions, std::uint64_t node,
                                            double best) {
  const double* const scores = partitions.scores();
  while (!is_over(drawn)) {
    const std::uint64_t here = draw(drawn, draws, node);
    if (is_above(drawn, here, scores[_pext_u64(here, node)], best) != 0) return true;
    pass(drawn, here, node);
  }
  return false;
}
#endif

}  // namespace

bool draw_above(DrawnColumns& drawn, ColumnDraws& draws, const PartitionScores& partitions,
                std::uint64_t node, double best, [[maybe_unused]] bool widest) {
#if COPPICE_WRITES_WIDEST
  if (widest) return draw_widest(drawn, draws, partitions, node, best);
#endif
  while (!is_over(drawn)) {
    const std::uint64_t here = draw(drawn, draws, node);
    if (is_above(drawn, here, partitions.of(here), best) != 0) return true;
    pass(drawn, here, node);
  }
  return false;
}

}  // namespace coppice
