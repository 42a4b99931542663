#include "core/data/row_walk.h"

#include <algorithm>

namespace coppice {

RowWalk::RowWalk(const Features& features, std::size_t rows_per_block)
    : features_(features), rows_per_block_(rows_per_block), cursors_(features.columns(), 0) {}

/// Calls visit(row within the block, value) for the values of a column that lie in the block and are not 0.
template <typename Visit>
void RowWalk::visit_column(std::size_t column, const Visit& visit) const {
  const ColumnView view = features_.column(column);
  if (view.dense) {
    for (std::size_t row = begin_; row < end_; ++row)
      if (view.values[row] != 0.0F) visit(row - begin_, view.values[row]);
    return;
  }
  for (std::size_t i = cursors_[column]; i < view.rows.size() && view.rows[i] < end_; ++i)
    visit(view.rows[i] - begin_, view.values[i]);
}

bool RowWalk::next() {
  if (end_ == features_.rows()) return false;
  for (std::size_t column = 0; column < cursors_.size(); ++column) {
    const ColumnView view = features_.column(column);
    while (!view.dense && cursors_[column] < view.rows.size() && view.rows[cursors_[column]] < end_)
      ++cursors_[column];
  }
  begin_ = end_;
  end_ = std::min(features_.rows(), begin_ + rows_per_block_);
  const std::size_t count = end_ - begin_;
  starts_.assign(count + 1, 0);
  for (std::size_t column = 0; column < cursors_.size(); ++column)
    visit_column(column, [&](std::size_t row, float) { ++starts_[row + 1]; });
  for (std::size_t row = 0; row < count; ++row) starts_[row + 1] += starts_[row];
  columns_.resize(starts_[count]);
  values_.resize(starts_[count]);
  std::vector<std::size_t> ends(starts_.begin(), starts_.end() - 1);
  for (std::size_t column = 0; column < cursors_.size(); ++column)
    visit_column(column, [&](std::size_t row, float value) {
      columns_[ends[row]] = static_cast<std::uint32_t>(column);
      values_[ends[row]++] = value;
    });
  return true;
}

}  // namespace coppice
