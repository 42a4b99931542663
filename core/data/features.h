#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace coppice {

/// What the numbers of a column mean.
enum class FeatureKind : std::uint8_t {
  numeric,      ///< ordered values
  categorical,  ///< codes 0 … categories-1 without an order
};

/// One input column. Sparse columns leave out zeros: `rows` ascend, and every row not listed holds 0. Dense
/// columns have `rows` empty and one value per row. A missing value is NaN in both.
struct ColumnView {
  FeatureKind kind = FeatureKind::numeric;
  bool dense = true;
  std::size_t row_count = 0;
  std::span<const std::uint32_t> rows;
  std::span<const float> values;

  /// The value in one row: direct for dense columns, a binary search for sparse ones.
  float at(std::size_t row) const;
};

/// The numbers of all columns, one after the other, in memory that somebody else owns: a mapped file.
struct MappedValues {
  std::span<const float> dense;
  std::span<const std::uint32_t> sparse_rows;
  std::span<const float> sparse_values;
  std::shared_ptr<const void> owner;  ///< keeps the memory
};

/// What is known of the columns of mapped inputs.
struct MappedColumns {
  std::vector<std::uint32_t> lengths;  ///< stored values of each column
  std::vector<bool> dense;
  std::vector<std::string> names;  ///< may be shorter than there are columns
  std::map<std::size_t, std::vector<std::string>> categories;
  std::size_t missing = 0;
};

/// The inputs of a dataset, column by column; each column has the layout that suits it.
class Features {
 public:
  explicit Features(std::size_t rows = 0) : rows_(rows) {}
  /// Inputs whose values stay where they are. Throws Error(data) if the parts do not fit together.
  Features(std::size_t rows, MappedColumns columns, MappedValues values);

  std::size_t rows() const { return rows_; }
  std::size_t columns() const { return columns_.size(); }
  ColumnView column(std::size_t index) const;

  /// The column's own name, or `x<index>` where it has none.
  std::string name(std::size_t index) const;
  /// The column's own name, or nothing.
  const std::string& own_name(std::size_t index) const;
  /// The names of the categories of a categorical column; empty for numeric ones.
  const std::vector<std::string>& categories(std::size_t index) const;

  /// The number of stored values: all of a dense column, the non-zero ones of a sparse column.
  std::size_t stored_values() const { return dense().size() + sparse_values().size(); }
  bool all_dense() const { return sparse_columns_ == 0; }
  bool has_missing() const { return missing_ > 0; }
  std::size_t missing() const { return missing_; }
  std::size_t categorical_columns() const { return categorical_columns_; }
  std::size_t sparse_columns() const { return sparse_columns_; }

  /// Appends a column with one value per row. Infinite values are an Error(data).
  void add_dense(std::string name, std::span<const float> values);
  /// Appends a column that is 0 wherever `rows` (ascending) has no entry.
  void add_sparse(std::string name, std::span<const std::uint32_t> rows, std::span<const float> values);
  /// Appends a categorical column; codes are whole numbers below categories.size(), or NaN for missing.
  void add_categorical(std::string name, std::span<const float> codes, std::vector<std::string> categories);

  /// Appends a column of other inputs with as many rows, as it is but for its name.
  void add_copy(std::string name, const Features& other, std::size_t index);

  void reserve_dense(std::size_t columns) { dense_values_.reserve(columns * rows_); }
  void reserve_sparse(std::size_t values);

 private:
  /// Small, since there may be millions of columns; names and categories are kept apart.
  struct Column {
    std::size_t offset = 0;
    std::uint32_t length = 0;
    FeatureKind kind = FeatureKind::numeric;
    bool dense = true;
  };
  std::span<const float> dense() const { return mapped_.owner ? mapped_.dense : dense_values_; }
  std::span<const std::uint32_t> sparse_rows() const {
    return mapped_.owner ? mapped_.sparse_rows : sparse_rows_;
  }
  std::span<const float> sparse_values() const {
    return mapped_.owner ? mapped_.sparse_values : sparse_values_;
  }
  void add_name(std::string name);
  void require_own_memory() const;
  void check_values(const std::string& name, std::span<const float> values,
                    std::span<const std::uint32_t> rows);

  std::size_t rows_;
  std::vector<Column> columns_;
  std::vector<std::string> names_;  ///< shorter than columns_ where the last columns have no name
  std::map<std::size_t, std::vector<std::string>> categories_;
  std::vector<float> dense_values_;
  std::vector<std::uint32_t> sparse_rows_;
  std::vector<float> sparse_values_;
  MappedValues mapped_;  ///< instead of the three above
  std::size_t missing_ = 0;
  std::size_t sparse_columns_ = 0;
  std::size_t categorical_columns_ = 0;
};

}  // namespace coppice
