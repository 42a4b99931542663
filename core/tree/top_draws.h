#pragma once

#include <cstddef>
#include <cstdint>

#include "core/base/wide_vectors.h"
#include "core/tree/column_draws.h"
#include "core/tree/partition_scores.h"

namespace coppice {

/// What a very small node draws one by one from a list of columns, and how far it has come.
struct DrawnColumns {
  std::uint64_t* rows;   ///< of the list, which is put into the order of the draws
  std::uint64_t* names;  ///< the same as in WordColumns
  std::size_t size;
  std::size_t wanted;         ///< of columns that vary
  std::size_t place = 0;      ///< of the column that comes next
  std::size_t looked_at = 0;  ///< how many columns varied so far
};

/// Draws until the column at `place` parts the node's rows by a score above `best`, or has several entries
/// there, whose values say what it scores. Returns whether there is one before the list ends or enough have
/// varied.
bool draw_above(DrawnColumns& drawn, ColumnDraws& draws, const PartitionScores& partitions,
                std::uint64_t node, double best, bool widest = has_widest_vectors());

}  // namespace coppice
