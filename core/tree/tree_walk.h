#pragma once

#include <cstdint>

#include "core/tree/row_blocks.h"
#include "core/tree/tree_nodes.h"

namespace coppice {

/// Walks the rows of a block, in either form, down a tree without categories or missing values; notes the
/// number of the leaf that each row comes to.
void walk_rows(const PackedNodes& nodes, const RowBlock& block, std::uint32_t* leaves);
void walk_rows(const WideNodes& nodes, const RowBlock& block, std::uint32_t* leaves);

}  // namespace coppice
