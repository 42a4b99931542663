#include "algorithms/forest/row_order.h"

#include <numeric>
#include <utility>

namespace coppice {

RowOrder::RowOrder(std::span<const std::uint32_t> leaves, std::size_t leaf_count) : rows_(leaves.size()) {
  std::vector<std::size_t> next(leaf_count + 1, 0);  // the place of the next row of each leaf
  for (const std::uint32_t leaf : leaves) ++next[leaf + 1];
  std::partial_sum(next.begin(), next.end(), next.begin());
  for (std::uint32_t row = 0; row < leaves.size(); ++row) rows_[next[leaves[row]]++] = row;
}

DatasetView RowOrder::of(const DatasetView& rows) const {
  if (rows_.empty()) return rows;
  Rows ordered(rows_.size());
  for (std::size_t place = 0; place < rows_.size(); ++place) ordered[place] = rows[rows_[place]];
  return {rows.shared_dataset(), std::move(ordered)};
}

}  // namespace coppice
