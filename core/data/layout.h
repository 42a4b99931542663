#pragma once

#include <cstddef>
#include <cstdint>
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

/// Collects non-zero inputs in any order of columns, row after row, and turns them into columns.
class SparseInputs {
 public:
  /// Rows never decrease from call to call; a cell is given once.
  void add(std::uint32_t row, std::uint32_t column, float value);
  std::size_t size() const { return rows_.size(); }

  /// All columns; `names` is empty or has one name for each. Empties this collection.
  Features finish(std::size_t rows, std::size_t columns, std::vector<std::string> names);

 private:
  std::vector<std::uint32_t> rows_;
  std::vector<std::uint32_t> columns_;
  std::vector<float> values_;
};

}  // namespace coppice
