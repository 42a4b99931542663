#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/data/features.h"
#include "core/data/layout.h"
#include "core/data/memory_pages.h"

namespace coppice {

/// Collects the non-zero inputs of millions of rows, row after row, and turns them into columns.
///
/// Values go to buckets of neighbouring columns that hold about equally many of them. At the end bucket after
/// bucket is sorted into columns and its memory given back, so that the peak stays near 10 bytes a value
/// where the finished columns need 8.
class SparseInputs {
 public:
  /// Rows never decrease from call to call; a cell is given once.
  void add(std::uint32_t row, std::uint32_t column, float value) {
    if (buckets_.empty()) {
      add_first(row, column, value);
      return;
    }
    const std::size_t group = column >> group_bits;
    if (group >= bucket_of_group_.size()) [[unlikely]]
      add_groups(group);
    Bucket& bucket = buckets_[bucket_of_group_[group]];
    if (bucket.used == bucket.capacity) [[unlikely]]
      grow(bucket);
    bucket.rows[bucket.used] = row;
    bucket.values[bucket.used] = value;
    bucket.columns[bucket.used] = static_cast<std::uint16_t>(column - bucket.first_column);
    ++bucket.used;
  }

  /// Columns first_column … first_column + columns - 1. Empties this collection.
  Features finish(std::size_t rows, std::size_t columns, InputColumns about = {},
                  std::uint32_t first_column = 0);

 private:
  static constexpr unsigned group_bits = 3;  ///< buckets begin at multiples of 8 columns

  /// A piece of a bucket's values.
  struct Chunk {
    MemoryPages memory;
    std::size_t size = 0;
    std::size_t capacity = 0;
    std::span<const std::uint32_t> rows() const;
    std::span<const float> values() const;
    std::span<const std::uint16_t> columns() const;
  };

  /// Columns from first_column on, up to 65536 of them. The pointers are those into its last chunk.
  struct Bucket {
    std::uint32_t first_column = 0;
    std::size_t used = 0;
    std::size_t capacity = 0;
    std::uint32_t* rows = nullptr;
    float* values = nullptr;
    std::uint16_t* columns = nullptr;
    std::vector<Chunk> chunks;
  };

  /// What a bucket's values are sorted into, kept from bucket to bucket.
  struct Scratch {
    std::vector<std::size_t> ends;
    std::vector<std::uint32_t> rows;
    std::vector<float> values;
  };

  void add_first(std::uint32_t row, std::uint32_t column, float value);
  void make_buckets();
  void add_groups(std::size_t group);
  static void grow(Bucket& bucket);
  void seal();
  std::vector<std::uint32_t> count_columns(std::size_t columns, std::uint32_t first_column) const;
  static void sort_bucket(const Bucket& bucket, Scratch& scratch);

  std::vector<std::uint32_t> first_rows_;  ///< the first values, before buckets are chosen by them
  std::vector<std::uint32_t> first_columns_;
  std::vector<float> first_values_;
  std::vector<Bucket> buckets_;
  std::vector<std::uint16_t> bucket_of_group_;
};

}  // namespace coppice
