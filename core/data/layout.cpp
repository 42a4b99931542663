#include "core/data/layout.h"

#include <utility>

namespace coppice {

bool stored_sparse(std::size_t stored_values, std::size_t rows) {
  return stored_values * 4 < rows;
}

void add_column(Features& features, std::string name, std::span<const std::uint32_t> present,
                std::span<const float> values) {
  if (stored_sparse(present.size(), features.rows())) {
    features.add_sparse(std::move(name), present, values);
    return;
  }
  std::vector<float> dense(features.rows(), 0.0F);
  for (std::size_t i = 0; i < present.size(); ++i) dense[present[i]] = values[i];
  features.add_dense(std::move(name), dense);
}

void SparseInputs::add(std::uint32_t row, std::uint32_t column, float value) {
  rows_.push_back(row);
  columns_.push_back(column);
  values_.push_back(value);
}

Features SparseInputs::finish(std::size_t rows, std::size_t columns, std::vector<std::string> names) {
  std::vector<std::size_t> starts(columns + 1, 0);
  for (const std::uint32_t column : columns_) ++starts[column + 1];
  for (std::size_t j = 0; j < columns; ++j) starts[j + 1] += starts[j];
  std::vector<std::size_t> ends(starts.begin(), starts.end() - 1);
  std::vector<std::uint32_t> sorted_rows(size());
  std::vector<float> sorted_values(size());
  for (std::size_t i = 0; i < size(); ++i) {
    const std::size_t place = ends[columns_[i]]++;
    sorted_rows[place] = rows_[i];
    sorted_values[place] = values_[i];
  }
  *this = {};
  Features features(rows);
  for (std::size_t j = 0; j < columns; ++j) {
    const std::size_t count = starts[j + 1] - starts[j];
    add_column(features, names.empty() ? "" : std::move(names[j]),
               std::span(sorted_rows).subspan(starts[j], count),
               std::span(sorted_values).subspan(starts[j], count));
  }
  return features;
}

}  // namespace coppice
