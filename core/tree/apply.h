#pragma once

#include <cstdint>
#include <vector>

#include "core/base/context.h"
#include "core/data/dataset.h"
#include "core/tree/tree_set.h"

namespace coppice {

/// The leaf that each row of a view comes to in each of the trees [first, last): row after row, a number for
/// each tree. Columns may be dense or sparse.
std::vector<std::uint32_t> apply_trees(const TreeSet& trees, std::size_t first, std::size_t last,
                                       const DatasetView& rows, const Context& context);

}  // namespace coppice
