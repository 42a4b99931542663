#include "core/tree/apply.h"

#include "core/tree/row_blocks.h"

namespace coppice {

std::vector<std::uint32_t> apply_trees(const TreeSet& trees, std::size_t first, std::size_t last,
                                       const DatasetView& rows, const Context& context,
                                       const CategoryCodes& categories) {
  const std::size_t count = last - first;
  std::vector<std::uint32_t> leaves(rows.size() * count);
  std::vector<CodeTranslation> translations;
  if (!categories.empty()) translations = categories.translations(rows.dataset().features());
  const RowBlocks blocks(rows, std::move(translations), 256, trees.forms());
  blocks.visit(context, [&](std::size_t /*number*/, const RowBlock& block) {
    std::vector<std::uint32_t> found(block.rows() * count);
    trees.leaves_of(first, last, block, found.data());
    for (std::size_t t = 0; t < count; ++t)
      for (std::size_t i = 0; i < block.rows(); ++i)
        leaves[(block.first() + i) * count + t] = found[t * block.rows() + i];
  });
  return leaves;
}

}  // namespace coppice
