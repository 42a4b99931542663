#pragma once

#include <cstddef>
#include <cstdint>

#include "core/tree/row_blocks.h"
#include "core/tree/tree_nodes.h"

namespace coppice {

/// Walks the rows of a block, in either form, down a tree without categories or missing values; notes the
/// number of the leaf that each row comes to. `leaf_count` is how many leaves the tree has.
void walk_rows(const PackedNodes& nodes, std::size_t leaf_count, const RowBlock& block,
               std::uint32_t* leaves);
void walk_rows(const WideNodes& nodes, std::size_t leaf_count, const RowBlock& block, std::uint32_t* leaves);

}  // namespace coppice
