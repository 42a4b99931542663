#include "core/data/layout.h"

#include <cmath>
#include <utility>
#include <vector>

namespace coppice {

namespace {

std::vector<float> spread(std::span<const std::uint32_t> present, std::span<const float> values,
                          std::size_t rows) {
  std::vector<float> dense(rows, 0.0F);
  for (std::size_t i = 0; i < present.size(); ++i) dense[present[i]] = values[i];
  return dense;
}

}  // namespace

bool stored_sparse(std::size_t stored_values, std::size_t rows) {
  return stored_values * 4 < rows;
}

void add_column(Features& features, std::string name, std::span<const std::uint32_t> present,
                std::span<const float> values) {
  if (stored_sparse(present.size(), features.rows())) {
    features.add_sparse(std::move(name), present, values);
    return;
  }
  features.add_dense(std::move(name), spread(present, values, features.rows()));
}

void InputColumns::add(Features& features, std::size_t index, std::span<const std::uint32_t> present,
                       std::span<const float> values) {
  std::string name = names.empty() ? "" : std::move(names[index]);
  const auto found = categories.find(index);
  if (found == categories.end()) {
    add_column(features, std::move(name), present, values);
    return;
  }
  features.add_categorical(std::move(name), spread(present, values, features.rows()),
                           std::move(found->second));
}

void DenseInputs::add_row(std::span<const float> row) {
  constexpr std::size_t block_rows = 64;
  block_.insert(block_.end(), row.begin(), row.end());
  if (++rows_ % block_rows == 0) flush();
}

void DenseInputs::flush() {
  const std::size_t width = columns_.size();
  if (width == 0) return;
  const std::size_t count = block_.size() / width;
  for (std::size_t j = 0; j < width; ++j)
    for (std::size_t i = 0; i < count; ++i) columns_[j].push_back(block_[i * width + j]);
  block_.clear();
}

void DenseInputs::recode(std::size_t column, std::span<const float> replacements) {
  flush();
  for (float& value : columns_[column])
    if (!std::isnan(value)) value = replacements[static_cast<std::size_t>(value)];
}

Features DenseInputs::finish(InputColumns about) {
  flush();
  Features features(rows_);
  std::vector<std::uint32_t> present;
  std::vector<float> values;
  for (std::size_t j = 0; j < columns_.size(); ++j) {
    present.clear();
    values.clear();
    for (std::size_t row = 0; row < rows_; ++row)
      if (columns_[j][row] != 0.0F) {
        present.push_back(static_cast<std::uint32_t>(row));
        values.push_back(columns_[j][row]);
      }
    columns_[j] = {};
    about.add(features, j, present, values);
  }
  *this = DenseInputs(0);
  return features;
}

}  // namespace coppice
