#include "core/tree/row_blocks.h"

#include <algorithm>
#include <cmath>
#include <mutex>

namespace coppice {

namespace {

/// Inputs in a block: so many that they stay in the cache near the processor while all trees pass over them;
/// more if there are so many features that too few rows would be left to be worth reading all trees.
constexpr std::size_t block_values = std::size_t{1} << 16;
constexpr std::size_t enough_rows = 64;
constexpr std::size_t most_values = std::size_t{1} << 20;

}  // namespace

RowBlocks::RowBlocks(const DatasetView& view, std::vector<CodeTranslation> translations,
                     std::size_t most_rows)
    : view_(&view), translations_(std::move(translations)), features_(view.dataset().feature_count()) {
  const std::size_t features = std::max<std::size_t>(1, features_);
  rows_per_block_ = std::max(block_values / features, std::min(enough_rows, most_values / features));
  rows_per_block_ = std::clamp<std::size_t>(rows_per_block_, 1, most_rows);
  const Features& columns = view.dataset().features();
  for (std::uint32_t j = 0; j < features_; ++j)
    if (const ColumnView column = columns.column(j); column.dense)
      dense_.emplace_back(j, column.values.data());
  index_sparse_columns();
}

void RowBlocks::index_sparse_columns() {
  const Features& features = view_->dataset().features();
  entry_begin_.assign(view_->size() + 1, 0);
  if (features.all_dense()) return;
  // The view's rows by dataset row: a row may occur several times in a view.
  std::vector<std::uint32_t> first(features.rows() + 1, 0);
  for (const std::uint32_t row : view_->rows()) ++first[row + 1];
  for (std::size_t row = 0; row < features.rows(); ++row) first[row + 1] += first[row];
  std::vector<std::uint32_t> places(view_->size());
  std::vector<std::uint32_t> next(first.begin(), first.end() - 1);
  for (std::uint32_t i = 0; i < view_->size(); ++i) places[next[(*view_)[i]]++] = i;

  const auto for_each_entry = [&](const auto& body) {
    for (std::size_t j = 0; j < features_; ++j) {
      const ColumnView column = features.column(j);
      if (column.dense) continue;
      for (std::size_t e = 0; e < column.rows.size(); ++e)
        for (std::uint32_t k = first[column.rows[e]]; k < first[column.rows[e] + 1]; ++k)
          body(places[k], static_cast<std::uint32_t>(j), column.values[e]);
    }
  };
  for_each_entry([&](std::uint32_t i, std::uint32_t, float) { ++entry_begin_[i + 1]; });
  for (std::size_t i = 0; i < view_->size(); ++i) entry_begin_[i + 1] += entry_begin_[i];
  entry_feature_.resize(entry_begin_.back());
  entry_value_.resize(entry_begin_.back());
  std::vector<std::uint64_t> end(entry_begin_.begin(), entry_begin_.end() - 1);
  for_each_entry([&](std::uint32_t i, std::uint32_t feature, float value) {
    entry_feature_[end[i]] = feature;
    entry_value_[end[i]++] = value;
  });
}

void RowBlocks::fill(std::size_t first, std::size_t rows, std::span<float> values) const {
  // Several columns at a time, so that a cache line of the block is written at once.
  constexpr std::size_t width = 16;
  for (std::size_t begin = 0; begin < dense_.size(); begin += width) {
    const auto columns = std::span(dense_).subspan(begin, std::min(width, dense_.size() - begin));
    for (std::size_t i = 0; i < rows; ++i) {
      const std::uint32_t row = (*view_)[first + i];
      float* to = values.data() + i * features_;
      for (const auto& [column, from] : columns) to[column] = from[row];
    }
  }
  for (std::size_t i = 0; i < rows; ++i)
    for (std::uint64_t e = entry_begin_[first + i]; e < entry_begin_[first + i + 1]; ++e)
      values[i * features_ + entry_feature_[e]] = entry_value_[e];
  for (const CodeTranslation& translation : translations_) {
    for (std::size_t i = 0; i < rows; ++i) {
      float& code = values[i * features_ + translation.feature];
      if (!std::isnan(code)) code = translation.codes[static_cast<std::size_t>(code)];
    }
  }
}

void RowBlocks::clear(std::size_t first, std::size_t rows, std::span<float> values) const {
  for (std::size_t i = 0; i < rows; ++i)
    for (std::uint64_t e = entry_begin_[first + i]; e < entry_begin_[first + i + 1]; ++e)
      values[i * features_ + entry_feature_[e]] = 0.0F;
}

void RowBlocks::visit(const Context& context,
                      const std::function<void(std::size_t, const RowBlock&)>& visit) const {
  // A thread takes one of these and gives it back cleared: to make one anew costs as much as to fill it.
  std::vector<std::vector<float>> spare;
  std::mutex mutex;
  const std::size_t most_rows = std::min(rows_per_block_, view_->size());
  parallel_blocks(context, count(), 4, [&](std::size_t begin, std::size_t end) {
    std::vector<float> values;
    {
      const std::scoped_lock lock(mutex);
      if (!spare.empty()) {
        values = std::move(spare.back());
        spare.pop_back();
      }
    }
    values.resize(most_rows * std::max<std::size_t>(1, features_), 0.0F);
    for (std::size_t b = begin; b < end; ++b) {
      context.check_stop();
      const std::size_t first = b * rows_per_block_;
      const std::size_t rows = std::min(rows_per_block_, view_->size() - first);
      fill(first, rows, values);
      visit(b, RowBlock(first, rows, features_, values.data()));
      clear(first, rows, values);
    }
    const std::scoped_lock lock(mutex);
    spare.push_back(std::move(values));
  });
}

}  // namespace coppice
