#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "core/data/features.h"

namespace coppice {

/// The rule that chooses a numeric column's layout: sparse where fewer than one value in four is stored. A
/// sparse value costs twice the memory of a dense one, and the scattered access to it more time still, so the
/// layouts break even between a quarter and a half. Results never depend on the layout.
bool stored_sparse(std::size_t stored_values, std::size_t rows);

/// Appends a numeric column that is 0 but in `present` (ascending), in the layout the rule chooses.
void add_column(Features& features, std::string name, std::span<const std::uint32_t> present,
                std::span<const float> values);

/// What is known of input columns besides their values.
class InputColumns {
 public:
  std::vector<std::string> names;                              ///< one for each column, or empty
  std::map<std::size_t, std::vector<std::string>> categories;  ///< of those columns that are categorical

  /// Appends column `index`, which is 0 but in `present`. Each column's name is given away once.
  void add(Features& features, std::size_t index, std::span<const std::uint32_t> present,
           std::span<const float> values);
  /// Appends column `index`, which has a value for every row.
  void add_full(Features& features, std::size_t index, std::span<const float> values);

 private:
  std::string take_name(std::size_t index);
};

/// Collects rows that have a value in every column, and turns them into columns.
class DenseInputs {
 public:
  explicit DenseInputs(std::size_t columns) : columns_(columns) {}

  /// One value for each column.
  void add_row(std::span<const float> row);

  /// Replaces the whole numbers of a column by what stands there in `replacements`.
  void recode(std::size_t column, std::span<const float> replacements);

  /// Empties this collection.
  Features finish(InputColumns about);

 private:
  void flush();

  std::size_t rows_ = 0;
  std::vector<float> block_;  ///< the last rows, not yet turned
  std::vector<std::vector<float>> columns_;
};

}  // namespace coppice
