#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace coppice {

/// Up to 64 rows of sparse inputs by column: for each feature the rows that have a value other than 0, as the
/// bits of a word, and those values. What a node asks is then asked of all its rows at once, and nearly
/// always none of them has the feature.
class RowWords {
 public:
  static constexpr std::size_t most_rows = 64;
  /// So many values may be read from where those of a column begin, at least; they may be of other columns.
  static constexpr std::size_t values_beyond = 64;

  explicit RowWords(std::size_t features) : columns_(features), met_(features + 1) {}

  /// Adds a value other than 0, after all values of smaller rows.
  void add(std::size_t row, std::uint32_t feature, float value) {
    Column& column = columns_[feature];
    // Without a branch, since a feature is met for the first time by chance.
    met_[met_count_] = feature;
    met_count_ += column.rows == 0 ? 1 : 0;
    column.rows |= std::uint64_t{1} << row;
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
  /// What the rows have in a feature. One look-up for both: they are needed one after the other.
  struct Column {
    std::uint64_t rows = 0;   ///< which have a value other than 0
    std::uint32_t begin = 0;  ///< of these values, in the order of rows
  };
  const Column& operator[](std::uint32_t feature) const { return columns_[feature]; }
  const float* values(const Column& column) const { return values_.data() + column.begin; }

 private:
  struct Entry {
    std::uint32_t feature;
    float value;
  };

  std::size_t rows_ = 0;
  std::vector<Column> columns_;
  std::vector<float> values_;       ///< by column and row
  std::vector<Entry> entries_;      ///< by row
  std::vector<std::uint32_t> met_;  ///< features that some row has, with room for all and one more
  std::size_t met_count_ = 0;
};

}  // namespace coppice
