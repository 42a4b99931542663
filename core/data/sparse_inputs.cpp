#include "core/data/sparse_inputs.h"

#include <algorithm>

namespace coppice {

namespace {

constexpr std::size_t first_values_kept = std::size_t{1} << 18;
constexpr std::size_t wanted_buckets = 64;
constexpr std::size_t widest_bucket = 65536;
constexpr std::size_t smallest_chunk = std::size_t{1} << 14;
constexpr std::size_t largest_chunk = std::size_t{1} << 22;

}  // namespace

std::span<const std::uint32_t> SparseInputs::Chunk::rows() const {
  return {reinterpret_cast<const std::uint32_t*>(memory.data()), size};
}
std::span<const float> SparseInputs::Chunk::values() const {
  return {reinterpret_cast<const float*>(memory.data() + 4 * capacity), size};
}
std::span<const std::uint16_t> SparseInputs::Chunk::columns() const {
  return {reinterpret_cast<const std::uint16_t*>(memory.data() + 8 * capacity), size};
}

void SparseInputs::grow(Bucket& bucket) {
  if (!bucket.chunks.empty()) bucket.chunks.back().size = bucket.used;
  Chunk chunk;
  chunk.capacity = bucket.chunks.empty() ? smallest_chunk : std::min(2 * bucket.capacity, largest_chunk);
  chunk.memory = MemoryPages(10 * chunk.capacity);
  std::byte* start = chunk.memory.data();
  bucket.rows = reinterpret_cast<std::uint32_t*>(start);
  bucket.values = reinterpret_cast<float*>(start + 4 * chunk.capacity);
  bucket.columns = reinterpret_cast<std::uint16_t*>(start + 8 * chunk.capacity);
  bucket.capacity = chunk.capacity;
  bucket.used = 0;
  bucket.chunks.push_back(std::move(chunk));
}

void SparseInputs::add_first(std::uint32_t row, std::uint32_t column, float value) {
  first_rows_.push_back(row);
  first_columns_.push_back(column);
  first_values_.push_back(value);
  if (first_values_.size() == first_values_kept) make_buckets();
}

/// Chooses buckets that share the values so far about equally, and moves those values there.
void SparseInputs::make_buckets() {
  if (first_values_.empty()) return;
  const std::uint32_t last = *std::max_element(first_columns_.begin(), first_columns_.end());
  std::vector<std::uint32_t> counts((last >> group_bits) + 1, 0);
  for (const std::uint32_t column : first_columns_) ++counts[column >> group_bits];
  const std::size_t share = first_values_.size() / wanted_buckets + 1;
  std::size_t held = share;
  for (std::size_t group = 0; group < counts.size(); ++group) {
    if (held >= share || (group << group_bits) - buckets_.back().first_column >= widest_bucket) {
      buckets_.emplace_back().first_column = static_cast<std::uint32_t>(group << group_bits);
      held = 0;
    }
    held += counts[group];
    bucket_of_group_.push_back(static_cast<std::uint16_t>(buckets_.size() - 1));
  }
  for (std::size_t i = 0; i < first_values_.size(); ++i)
    add(first_rows_[i], first_columns_[i], first_values_[i]);
  first_rows_ = {};
  first_columns_ = {};
  first_values_ = {};
}

/// Buckets for columns beyond those seen so far.
void SparseInputs::add_groups(std::size_t group) {
  while (bucket_of_group_.size() <= group) {
    const std::size_t column = bucket_of_group_.size() << group_bits;
    if (column - buckets_.back().first_column >= widest_bucket)
      buckets_.emplace_back().first_column = static_cast<std::uint32_t>(column);
    bucket_of_group_.push_back(static_cast<std::uint16_t>(buckets_.size() - 1));
  }
}

void SparseInputs::seal() {
  if (buckets_.empty()) make_buckets();
  for (Bucket& bucket : buckets_)
    if (!bucket.chunks.empty()) bucket.chunks.back().size = bucket.used;
}

std::vector<std::uint32_t> SparseInputs::count_columns(std::size_t columns,
                                                       std::uint32_t first_column) const {
  std::vector<std::uint32_t> counts(columns, 0);
  for (const Bucket& bucket : buckets_)
    for (const Chunk& chunk : bucket.chunks)
      for (const std::uint16_t column : chunk.columns())
        ++counts[bucket.first_column + column - first_column];
  return counts;
}

/// Puts a bucket's values in the order of columns; `ends` holds where each column starts, and where it ends
/// then.
void SparseInputs::sort_bucket(const Bucket& bucket, Scratch& scratch) {
  for (const Chunk& chunk : bucket.chunks) {
    const auto rows = chunk.rows();
    const auto values = chunk.values();
    const auto columns = chunk.columns();
    for (std::size_t i = 0; i < chunk.size; ++i) {
      const std::size_t place = scratch.ends[columns[i]]++;
      scratch.rows[place] = rows[i];
      scratch.values[place] = values[i];
    }
  }
}

Features SparseInputs::finish(std::size_t rows, std::size_t columns, InputColumns about,
                              std::uint32_t first_column) {
  seal();
  const std::vector<std::uint32_t> counts = count_columns(columns, first_column);
  Features features(rows);
  std::size_t dense_columns = 0;
  std::size_t sparse_values = 0;
  for (const std::uint32_t count : counts) {
    if (stored_sparse(count, rows))
      sparse_values += count;
    else
      ++dense_columns;
  }
  features.reserve_dense(dense_columns);
  features.reserve_sparse(sparse_values);

  std::size_t next = 0;
  Scratch scratch;
  for (std::size_t b = 0; b < buckets_.size(); ++b) {
    const std::size_t begin = std::max(buckets_[b].first_column, first_column) - first_column;
    const std::size_t end = b + 1 < buckets_.size()
                                ? std::min<std::size_t>(buckets_[b + 1].first_column - first_column, columns)
                                : columns;
    // Columns of the bucket that lie before first_column have no values.
    const std::size_t skipped = begin + first_column - buckets_[b].first_column;
    scratch.ends.assign(skipped, 0);
    std::size_t total = 0;
    for (std::size_t column = begin; column < end; ++column) {
      scratch.ends.push_back(total);
      total += counts[column];
    }
    scratch.rows.resize(total);
    scratch.values.resize(total);
    sort_bucket(buckets_[b], scratch);
    buckets_[b] = {};
    for (next = begin; next < end; ++next) {
      const std::size_t start = scratch.ends[next - begin + skipped] - counts[next];
      about.add(features, next, std::span(scratch.rows).subspan(start, counts[next]),
                std::span(scratch.values).subspan(start, counts[next]));
    }
  }
  for (; next < columns; ++next) about.add(features, next, {}, {});
  *this = {};
  return features;
}

}  // namespace coppice
