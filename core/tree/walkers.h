#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "core/base/wide_vectors.h"
#include "core/tree/gather_walk.h"
#include "core/tree/group_walk.h"
#include "core/tree/tree_nodes.h"

namespace coppice {

/// Rows on their way down a tree: which they are and where. There is room for company of the last ones.
struct Walkers {
  static constexpr std::size_t most_rows = RowGroup::most_rows;

  std::array<std::uint32_t, most_rows + WalkingRows::together> row;
  std::array<std::uint32_t, most_rows + WalkingRows::together> place;

  /// Notes the leaf of those of the first `count` that have arrived, and lets the others close ranks; returns
  /// how many those are. What is noted of rows that have not arrived means nothing.
  std::size_t note(const PackedNodes& nodes, std::size_t count, std::uint32_t* leaves);
  std::size_t note(const WideNodes& nodes, std::size_t count, std::uint32_t* leaves);
  /// The same when all rows from `first` on are still there, in their order: `row` need not have been set.
  /// Places are those of whole bundles.
  std::size_t note_first(const PackedNodes& nodes, std::uint32_t first, std::size_t count,
                         std::uint32_t* leaves, bool widest = has_widest_vectors());
  std::size_t note_first(const WideNodes& nodes, std::uint32_t first, std::size_t count,
                         std::uint32_t* leaves);
};

}  // namespace coppice
