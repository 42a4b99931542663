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
  const auto found = categories.find(index);
  if (found == categories.end())
    add_column(features, take_name(index), present, values);
  else
    features.add_categorical(take_name(index), spread(present, values, features.rows()),
                             std::move(found->second));
}

std::string InputColumns::take_name(std::size_t index) {
  return names.empty() ? "" : std::move(names[index]);
}

void InputColumns::add_full(Features& features, std::size_t index, std::span<const float> values) {
  std::size_t stored = 0;
  for (const float value : values) stored += value != 0.0F ? 1 : 0;
  if (stored_sparse(stored, values.size()) && !categories.contains(index)) {
    std::vector<std::uint32_t> present;
    std::vector<float> kept;
    for (std::size_t row = 0; row < values.size(); ++row)
      if (values[row] != 0.0F) {
        present.push_back(static_cast<std::uint32_t>(row));
        kept.push_back(values[row]);
      }
    features.add_sparse(take_name(index), present, kept);
  } else if (const auto found = categories.find(index); found != categories.end()) {
    features.add_categorical(take_name(index), values, std::move(found->second));
  } else {
    features.add_dense(take_name(index), values);
  }
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
  for (std::size_t j = 0; j < width; ++j) {
    std::vector<float>& column = columns_[j];
    const std::size_t before = column.size();
    column.resize(before + count);
    for (std::size_t i = 0; i < count; ++i) column[before + i] = block_[i * width + j];
  }
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
  features.reserve_dense(columns_.size());
  for (std::size_t j = 0; j < columns_.size(); ++j) {
    about.add_full(features, j, columns_[j]);
    columns_[j] = {};
  }
  *this = DenseInputs(0);
  return features;
}

}  // namespace coppice
