#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/tree/value_scan.h"

namespace coppice {

/// Up to 64 rows of sparse inputs by column: for each feature the rows that have a value other than 0, as the
/// bits of a word, and those values. What a node asks is then asked of all its rows at once, and nearly
/// always none of them has the feature.
class RowWords {
 public:
  static constexpr std::size_t most_rows = 64;

  explicit RowWords(std::size_t features) : words_(features, 0), columns_(features) {}

  /// Adds a value other than 0, after all values of smaller rows.
  void add(std::size_t row, std::uint32_t feature, float value) {
    Column& column = columns_[feature];
    if (words_[feature] == 0) {
      met_.push_back(feature);
      column.only = value;
      column.one_value = true;
    } else if (!(value == column.only)) {
      column.one_value = false;
    }
    words_[feature] |= std::uint64_t{1} << row;
    entries_.push_back({feature, value});
  }
  /// Says that all values of so many rows have been added.
  void finish(std::size_t rows);
  /// No rows.
  void clear();

  std::size_t rows() const { return rows_; }
  /// All rows.
  std::uint64_t all() const {
    return rows_ == most_rows ? ~std::uint64_t{0} : (std::uint64_t{1} << rows_) - 1;
  }
  /// The rows that have a value other than 0 in a feature.
  std::uint64_t with(std::uint32_t feature) const { return words_[feature]; }
  /// Which of some rows, all of which have a value other than 0, have one above a threshold, or none at all.
  std::uint64_t above(std::uint32_t feature, float threshold, std::uint64_t rows) const {
    const Column& column = columns_[feature];
    if (column.one_value) return column.only <= threshold ? 0 : rows;
    std::uint64_t found = 0;
    for (; rows != 0; rows &= rows - 1) {
      const auto row = static_cast<unsigned>(std::countr_zero(rows));
      const std::uint64_t bit = std::uint64_t{1} << row;
      if (!(values_[column.begin + bit_count(words_[feature] & (bit - 1))] <= threshold)) found |= bit;
    }
    return found;
  }

 private:
  struct Column {
    std::uint32_t begin = 0;  ///< of its values
    float only = 0.0F;
    bool one_value = false;  ///< whether all its values are `only`
  };
  struct Entry {
    std::uint32_t feature;
    float value;
  };

  std::size_t rows_ = 0;
  std::vector<std::uint64_t> words_;
  std::vector<Column> columns_;
  std::vector<float> values_;       ///< by column and row, of columns with several values
  std::vector<Entry> entries_;      ///< by row
  std::vector<std::uint32_t> met_;  ///< features that some row has
};

}  // namespace coppice
