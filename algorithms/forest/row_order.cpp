#include "algorithms/forest/row_order.h"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <utility>

namespace coppice {

RowOrder::RowOrder(std::span<const std::uint32_t> leaves, std::size_t leaf_count, std::size_t parts) {
  std::vector<std::size_t> next(leaf_count + 1, 0);  // the place of the next row of each leaf
  for (const std::uint32_t leaf : leaves) ++next[leaf + 1];
  std::partial_sum(next.begin(), next.end(), next.begin());
  std::vector<std::uint32_t> sorted(leaves.size());
  for (std::uint32_t row = 0; row < leaves.size(); ++row) sorted[next[leaves[row]]++] = row;
  rows_.reserve(sorted.size());
  for (std::size_t part = 0; part < parts; ++part)
    for (std::size_t begin = part * together; begin < sorted.size(); begin += parts * together)
      std::ranges::copy(std::span(sorted).subspan(begin, std::min(together, sorted.size() - begin)),
                        std::back_inserter(rows_));
}

DatasetView RowOrder::of(const DatasetView& rows) const {
  if (rows_.empty()) return rows;
  Rows ordered(rows_.size());
  for (std::size_t place = 0; place < rows_.size(); ++place) ordered[place] = rows[rows_[place]];
  return {rows.shared_dataset(), std::move(ordered)};
}

}  // namespace coppice
