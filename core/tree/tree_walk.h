#pragma once

#include <cstddef>
#include <cstdint>

#include "core/tree/row_blocks.h"
#include "core/tree/tree_nodes.h"

namespace coppice {

/// Walks the rows of a block, in either form, down a tree without categories or missing values; notes the
/// number of the leaf that each row comes to. `mean_depth` is how deep the leaves of the tree lie
/// on average.
void walk_rows(const PackedNodes& nodes, std::size_t mean_depth, const RowBlock& block,
               std::uint32_t* leaves);
void walk_rows(const WideNodes& nodes, std::size_t mean_depth, const RowBlock& block, std::uint32_t* leaves);

}  // namespace coppice
