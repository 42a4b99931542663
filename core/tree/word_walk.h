#pragma once

#include <cstdint>

#include "core/base/wide_vectors.h"
#include "core/tree/row_words.h"
#include "core/tree/tree_nodes.h"

namespace coppice {

/// Walks rows that come as words down a tree, all rows of a node at once, and notes the number of the leaf
/// that each comes to.
void walk_words(const PackedNodes& nodes, const RowWords& words, std::uint32_t* leaves,
                bool widest = has_widest_vectors());
void walk_words(const WideNodes& nodes, const RowWords& words, std::uint32_t* leaves,
                bool widest = has_widest_vectors());

}  // namespace coppice
