#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/tree/busy_nodes.h"
#include "core/tree/row_blocks.h"
#include "core/tree/tree_nodes.h"

namespace coppice {

/// How rows as values go down a tree.
struct Descent {
  /// What they pass together first.
  BusyNodes busy;
  /// How far it is from there to the leaves, on average: so many steps the rows of a bundle take together.
  int steps = 0;
};

/// Walks the rows of a block, in either form, down a tree without categories or missing values; notes the
/// number of the leaf that each row comes to. Meanwhile the nodes of the tree that comes next are fetched.
void walk_rows(const PackedNodes& nodes, const Descent& descent, const RowBlock& block,
               std::span<const std::uint64_t> next_tree, std::uint32_t* leaves);
void walk_rows(const WideNodes& nodes, const Descent& descent, const RowBlock& block, std::uint32_t* leaves);

}  // namespace coppice
