#include "core/tree/row_blocks.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <mutex>

#include "core/base/arena.h"
#include "core/data/dataset_cache.h"

namespace coppice {

namespace {

/// Inputs in a block: so many that they stay in the cache near the processor while all trees pass over them;
/// more if there are so many features that too few rows would be left to be worth reading all trees.
constexpr std::size_t block_values = std::size_t{1} << 17;
constexpr std::size_t enough_rows = 64;
constexpr std::size_t most_values = std::size_t{1} << 20;
/// Rows come as words if there are so many features, and at most one value in so many is stored.
constexpr std::size_t fewest_for_words = 1200;
constexpr std::size_t sparsest = 12;

/// Rows in a block so that every thread has one, unless they would be very small. No more blocks than that:
/// all trees are read again for each.
std::size_t share_of_thread(const DatasetView& view) {
  constexpr std::size_t fewest_rows = 256;
  const auto threads = static_cast<std::size_t>(arena_threads());
  if (threads == 1) return std::max<std::size_t>(1, view.size());
  return std::max(fewest_rows, (view.size() + threads - 1) / threads);
}

/// Whether all inputs are 0 or 1; a dataset is looked through once.
bool zeros_and_ones(const std::shared_ptr<const Dataset>& dataset) {
  static DatasetCache<bool> cache;
  return *cache.get(dataset, [&] {
    const Features& features = dataset->features();
    const auto only_those = [&](std::size_t column) {
      return std::ranges::all_of(features.column(column).values,
                                 [](float value) { return value == 0.0F || value == 1.0F; });
    };
    bool all = true;
    for (std::size_t j = 0; all && j < features.columns(); ++j) all = only_those(j);
    return std::make_shared<const bool>(all);
  });
}

}  // namespace

RowBlocks::RowBlocks(const DatasetView& view, std::vector<CodeTranslation> translations,
                     std::size_t most_rows, RowForms allowed)
    : view_(&view),
      translations_(std::move(translations)),
      features_(view.dataset().feature_count()),
      share_of_thread_(share_of_thread(view)) {
  const Features& columns = view.dataset().features();
  for (std::uint32_t j = 0; j < features_; ++j)
    if (const ColumnView column = columns.column(j); column.dense)
      dense_.emplace_back(j, column.values.data());
  if (!columns.all_dense()) sparse_ = SparseRows::of_sparse_columns(view.shared_dataset());
  form_.words = allowed.words && translations_.empty() && features_ >= fewest_for_words &&
                columns.stored_values() * sparsest < columns.rows() * features_;
  form_.bits = allowed.bits && translations_.empty() && !form_.words && zeros_and_ones(view.shared_dataset());
  const std::size_t features = std::max<std::size_t>(1, form_.bits ? features_ / 32 : features_);
  rows_per_block_ = form_.words
                        ? RowWords::most_rows
                        : std::max(block_values / features, std::min(enough_rows, most_values / features));
  rows_per_block_ = std::clamp<std::size_t>(rows_per_block_, 1, std::min(most_rows, share_of_thread_));
}

void RowBlocks::fill_dense(std::size_t first, std::size_t rows, float* values) const {
  // Some columns at a time, so that each is read on while it is near. They are so many that what is to come
  // of them has to be fetched: rows that far ahead, of which those of a bundle mostly lie in two lines.
  constexpr std::size_t width = 16;
  constexpr std::size_t ahead = 64;
  std::array<std::uint32_t, RowBundle::rows> from_rows;
  for (std::size_t begin = 0; begin < dense_.size(); begin += width) {
    const auto columns = std::span(dense_).subspan(begin, std::min(width, dense_.size() - begin));
    for (std::size_t i = 0; i < rows; i += RowBundle::rows) {
      const std::size_t last = rows - 1 - i;
      for (std::size_t r = 0; r < RowBundle::rows; ++r)
        from_rows[r] = (*view_)[first + i + std::min(r, last)];
      const std::uint32_t later = (*view_)[first + std::min(i + ahead, rows - 1)];
      const std::uint32_t still_later = (*view_)[first + std::min(i + ahead + RowBundle::rows / 2, rows - 1)];
      float* const bundle = values + RowBundle::begin(i, features_);
      for (const auto& [column, from] : columns) {
        __builtin_prefetch(from + later);
        __builtin_prefetch(from + still_later);
        float* const to = bundle + column * RowBundle::rows;
        for (std::size_t r = 0; r < RowBundle::rows; ++r) to[r] = from[from_rows[r]];
      }
    }
  }
}

template <typename Change>
void RowBlocks::change_sparse(std::size_t first, std::size_t rows, float* values,
                              const Change& change) const {
  for (std::size_t i = 0; sparse_ && i < rows; ++i) {
    const SparseRow row = (*sparse_)[(*view_)[first + i]];
    float* const to = values + RowBundle::begin(i, features_);
    for (std::size_t e = 0; e < row.size(); ++e) change(to[row.columns[e] * RowBundle::rows], row.values[e]);
  }
}

void RowBlocks::fill(std::size_t first, std::size_t rows, float* values) const {
  fill_dense(first, rows, values);
  change_sparse(first, rows, values, [](float& to, float value) { to = value; });
  for (const CodeTranslation& translation : translations_) {
    for (std::size_t i = 0; i < rows; ++i) {
      float& code = values[RowBundle::begin(i, features_) + translation.feature * RowBundle::rows];
      if (!std::isnan(code)) code = translation.codes[static_cast<std::size_t>(code)];
    }
  }
}

void RowBlocks::clear(std::size_t first, std::size_t rows, float* values) const {
  change_sparse(first, rows, values, [](float& to, float /*value*/) { to = 0.0F; });
}

template <typename Body>
void RowBlocks::each_value(std::size_t first, std::size_t rows, const Body& body) const {
  for (std::size_t i = 0; i < rows; ++i) {
    const std::uint32_t row = (*view_)[first + i];
    for (const auto& [column, values] : dense_)
      if (values[row] != 0.0F) body(i, column, values[row]);
    if (!sparse_) continue;
    const SparseRow stored = (*sparse_)[row];
    for (std::size_t e = 0; e < stored.size(); ++e) body(i, stored.columns[e], stored.values[e]);
  }
}

void RowBlocks::fill(std::size_t first, std::size_t rows, RowWords& words) const {
  each_value(first, rows,
             [&](std::size_t row, std::uint32_t feature, float value) { words.add(row, feature, value); });
  words.finish(rows);
}

void RowBlocks::fill_bits(std::size_t first, std::size_t rows, Room& room) const {
  const std::size_t words = features_ / 32 + 1;
  const std::size_t group_words = features_ * RowGroup::words;
  room.bits.assign(rows * words, 0);
  room.groups.assign((rows + RowGroup::most_rows - 1) / RowGroup::most_rows * group_words, 0);
  each_value(first, rows, [&](std::size_t row, std::uint32_t feature, float /*value*/) {
    room.bits[row * words + feature / 32] |= 1U << (feature % 32);
    std::uint64_t* const group = room.groups.data() + row / RowGroup::most_rows * group_words;
    group[feature * RowGroup::words + row % RowGroup::most_rows / 64] |= std::uint64_t{1} << (row % 64);
  });
}

void RowBlocks::visit(std::size_t block, Room& room,
                      const std::function<void(std::size_t, const RowBlock&)>& visit) const {
  const std::size_t first = block * rows_per_block_;
  const std::size_t rows = std::min(rows_per_block_, view_->size() - first);
  if (form_.bits) {
    fill_bits(first, rows, room);
    visit(block, RowBlock(first, rows, features_ / 32 + 1, room.bits.data(), features_ * RowGroup::words,
                          room.groups.data()));
    return;
  }
  if (form_.words) {
    if (!room.words) room.words = std::make_unique<RowWords>(features_);
    fill(first, rows, *room.words);
    visit(block, RowBlock(first, *room.words));
    room.words->clear();
    return;
  }
  room.lines.resize(
      RowBundle::lines(std::min(rows_per_block_, view_->size()), std::max<std::size_t>(1, features_)));
  float* const values = room.lines.data()->values.data();
  fill(first, rows, values);
  visit(block, RowBlock(first, rows, features_, values));
  clear(first, rows, values);
}

std::size_t RowBlocks::Run::rows() const {
  return std::min(end_ * blocks_->rows_per_block_, blocks_->view_->size()) - first();
}

void RowBlocks::Run::visit(const std::function<void(const RowBlock&)>& visit) const {
  for (std::size_t b = begin_; b < end_; ++b)
    blocks_->visit(b, *room_, [&](std::size_t /*number*/, const RowBlock& block) { visit(block); });
}

void RowBlocks::visit_parts(const Context& context, std::size_t count, std::size_t rows_each,
                            const std::function<void(std::size_t, Room&)>& visit) const {
  // A thread takes one of these and gives it back cleared: to make one anew costs as much as to fill it.
  std::vector<Room> spare;
  std::mutex mutex;
  constexpr std::size_t rows_at_least = 256;
  const std::size_t grain = std::max<std::size_t>(1, rows_at_least / rows_each);
  parallel_blocks(context, count, grain, [&](std::size_t begin, std::size_t end) {
    Room room;
    {
      const std::scoped_lock lock(mutex);
      if (!spare.empty()) {
        room = std::move(spare.back());
        spare.pop_back();
      }
    }
    for (std::size_t i = begin; i < end; ++i) {
      context.check_stop();
      visit(i, room);
    }
    const std::scoped_lock lock(mutex);
    spare.push_back(std::move(room));
  });
}

void RowBlocks::visit(const Context& context,
                      const std::function<void(std::size_t, const RowBlock&)>& visit) const {
  visit_parts(context, count(), rows_per_block_,
              [&](std::size_t block, Room& room) { this->visit(block, room, visit); });
}

void RowBlocks::visit_rows(const Context& context,
                           const std::function<void(std::size_t, const float*)>& visit) const {
  visit_parts(context, count(), rows_per_block_, [&](std::size_t block, Room& room) {
    room.row.resize(features_, 0.0F);
    const std::size_t end = std::min((block + 1) * rows_per_block_, view_->size());
    for (std::size_t row = block * rows_per_block_; row < end; ++row) {
      each_value(row, 1, [&](std::size_t, std::uint32_t feature, float value) { room.row[feature] = value; });
      visit(row, room.row.data());
      each_value(row, 1, [&](std::size_t, std::uint32_t feature, float) { room.row[feature] = 0.0F; });
    }
  });
}

void RowBlocks::visit_runs(const Context& context, std::size_t most_rows,
                           const std::function<void(std::size_t, const Run&)>& visit) const {
  const std::size_t blocks = blocks_per_run(most_rows);
  visit_parts(context, run_count(most_rows), blocks * rows_per_block_, [&](std::size_t run, Room& room) {
    const std::size_t begin = run * blocks;
    visit(run, Run(*this, begin, std::min(begin + blocks, count()), room));
  });
}

}  // namespace coppice
