#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "core/base/context.h"
#include "core/data/dataset.h"
#include "core/tree/category_codes.h"

namespace coppice {

/// Some consecutive rows of a view with all their inputs side by side, zeros included: what walking down
/// trees needs.
class RowBlock {
 public:
  RowBlock(std::size_t first, std::size_t rows, std::size_t features, const float* values)
      : first_(first), rows_(rows), features_(features), values_(values) {}

  /// The number of the block's first row in the view.
  std::size_t first() const { return first_; }
  std::size_t rows() const { return rows_; }
  const float* operator[](std::size_t row) const { return values_ + row * features_; }

 private:
  std::size_t first_;
  std::size_t rows_;
  std::size_t features_;
  const float* values_;
};

/// Hands out the rows of a view block by block. Only one block per thread is ever spread out; sparse columns
/// are turned into lists by row once.
class RowBlocks {
 public:
  /// Codes of categorical columns are translated on the way. A block has at most `most_rows` rows.
  explicit RowBlocks(const DatasetView& view, std::vector<CodeTranslation> translations = {},
                     std::size_t most_rows = 256);

  std::size_t count() const { return (view_->size() + rows_per_block_ - 1) / rows_per_block_; }
  /// Calls visit(block number, block) for every block, in parallel.
  void visit(const Context& context, const std::function<void(std::size_t, const RowBlock&)>& visit) const;

 private:
  void fill(std::size_t first, std::size_t rows, std::span<float> values) const;
  void clear(std::size_t first, std::size_t rows, std::span<float> values) const;
  void index_sparse_columns();

  const DatasetView* view_;
  std::vector<CodeTranslation> translations_;
  std::size_t features_;
  std::size_t rows_per_block_;
  std::vector<std::pair<std::uint32_t, const float*>> dense_;  ///< the dense columns
  std::vector<std::uint64_t> entry_begin_;  ///< for each row of the view, its entries of sparse columns
  std::vector<std::uint32_t> entry_feature_;
  std::vector<float> entry_value_;
};

}  // namespace coppice
