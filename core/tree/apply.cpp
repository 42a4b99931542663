#include "core/tree/apply.h"

#include "core/tree/row_blocks.h"

namespace coppice {

std::vector<std::uint32_t> apply_trees(const TreeSet& trees, std::size_t first, std::size_t last,
                                       const DatasetView& rows, const Context& context) {
  const std::size_t count = last - first;
  std::vector<std::uint32_t> leaves(rows.size() * count);
  RowBlocks(rows).visit(context, [&](std::size_t /*number*/, const RowBlock& block) {
    for (std::size_t t = 0; t < count; ++t)
      for (std::size_t i = 0; i < block.rows(); ++i)
        leaves[(block.first() + i) * count + t] = trees.leaf(first + t, block[i]);
  });
  return leaves;
}

}  // namespace coppice
