#include "core/data/features.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

#include "core/base/error.h"

namespace coppice {

float ColumnView::at(std::size_t row) const {
  if (dense) return values[row];
  const auto found = std::lower_bound(rows.begin(), rows.end(), row);
  return found != rows.end() && *found == row ? values[static_cast<std::size_t>(found - rows.begin())] : 0.0F;
}

Features::Features(std::size_t rows, MappedColumns columns, MappedValues values)
    : rows_(rows),
      names_(std::move(columns.names)),
      categories_(std::move(columns.categories)),
      mapped_(std::move(values)),
      missing_(columns.missing) {
  std::size_t dense_end = 0;
  std::size_t sparse_end = 0;
  columns_.reserve(columns.lengths.size());
  for (std::size_t j = 0; j < columns.lengths.size(); ++j) {
    const bool is_dense = columns.dense[j];
    std::size_t& end = is_dense ? dense_end : sparse_end;
    const bool categorical = categories_.contains(j);
    columns_.push_back(
        {end, columns.lengths[j], categorical ? FeatureKind::categorical : FeatureKind::numeric, is_dense});
    end += columns.lengths[j];
    sparse_columns_ += is_dense ? 0 : 1;
    categorical_columns_ += categorical ? 1 : 0;
  }
  if (!mapped_.owner || dense_end != mapped_.dense.size() || sparse_end != mapped_.sparse_values.size() ||
      sparse_end != mapped_.sparse_rows.size() || columns.dense.size() != columns.lengths.size())
    throw Error(ErrorKind::data, "stored inputs whose columns and values do not fit together");
}

void Features::require_own_memory() const {
  if (mapped_.owner) throw std::logic_error("columns cannot be appended to mapped inputs");
}

ColumnView Features::column(std::size_t index) const {
  const Column& column = columns_[index];
  ColumnView view;
  view.kind = column.kind;
  view.dense = column.dense;
  view.row_count = rows_;
  if (column.dense) {
    view.values = dense().subspan(column.offset, column.length);
  } else {
    view.rows = sparse_rows().subspan(column.offset, column.length);
    view.values = sparse_values().subspan(column.offset, column.length);
  }
  return view;
}

std::string Features::name(std::size_t index) const {
  const std::string& own = own_name(index);
  return own.empty() ? fmt::format("x{}", index) : own;
}

const std::string& Features::own_name(std::size_t index) const {
  static const std::string none;
  return index < names_.size() ? names_[index] : none;
}

const std::vector<std::string>& Features::categories(std::size_t index) const {
  static const std::vector<std::string> none;
  const auto found = categories_.find(index);
  return found == categories_.end() ? none : found->second;
}

/// Names the column appended last.
void Features::add_name(std::string name) {
  if (name.empty()) return;
  names_.resize(columns_.size() - 1);
  names_.push_back(std::move(name));
}

void Features::check_values(const std::string& name, std::span<const float> values,
                            std::span<const std::uint32_t> rows) {
  require_own_memory();
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (std::isinf(values[i]))
      throw Error(
          ErrorKind::data,
          fmt::format("feature '{}', row {}: infinite value; inputs must be finite 32-bit numbers or missing",
                      name, rows.empty() ? i : rows[i]));
    if (std::isnan(values[i])) ++missing_;
  }
}

void Features::add_dense(std::string name, std::span<const float> values) {
  if (values.size() != rows_)
    throw Error(ErrorKind::data,
                fmt::format("feature '{}' has {} values for {} rows", name, values.size(), rows_));
  check_values(name, values, {});
  columns_.push_back(
      {dense_values_.size(), static_cast<std::uint32_t>(values.size()), FeatureKind::numeric, true});
  add_name(std::move(name));
  dense_values_.insert(dense_values_.end(), values.begin(), values.end());
}

void Features::add_sparse(std::string name, std::span<const std::uint32_t> rows,
                          std::span<const float> values) {
  if (rows.size() != values.size())
    throw Error(ErrorKind::data,
                fmt::format("feature '{}' has {} values for {} rows", name, values.size(), rows.size()));
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (rows[i] >= rows_ || (i > 0 && rows[i] <= rows[i - 1]))
      throw Error(ErrorKind::data,
                  fmt::format("feature '{}': row {} is out of range or not increasing ({} rows)", name,
                              rows[i], rows_));
  check_values(name, values, rows);
  columns_.push_back(
      {sparse_rows_.size(), static_cast<std::uint32_t>(rows.size()), FeatureKind::numeric, false});
  add_name(std::move(name));
  sparse_rows_.insert(sparse_rows_.end(), rows.begin(), rows.end());
  sparse_values_.insert(sparse_values_.end(), values.begin(), values.end());
  ++sparse_columns_;
}

void Features::add_categorical(std::string name, std::span<const float> codes,
                               std::vector<std::string> categories) {
  for (std::size_t row = 0; row < codes.size(); ++row) {
    const float code = codes[row];
    const bool known =
        code >= 0.0F && code < static_cast<float>(categories.size()) && code == std::floor(code);
    if (!std::isnan(code) && !known)
      throw Error(ErrorKind::data,
                  fmt::format("feature '{}', row {}: {} is not the code of one of its {} categories", name,
                              row, code, categories.size()));
  }
  add_dense(std::move(name), codes);
  columns_.back().kind = FeatureKind::categorical;
  categories_[columns_.size() - 1] = std::move(categories);
  ++categorical_columns_;
}

void Features::add_copy(std::string name, const Features& other, std::size_t index) {
  const ColumnView view = other.column(index);
  if (view.kind == FeatureKind::categorical)
    add_categorical(std::move(name), view.values, other.categories(index));
  else if (view.dense)
    add_dense(std::move(name), view.values);
  else
    add_sparse(std::move(name), view.rows, view.values);
}

void Features::reserve_sparse(std::size_t values) {
  sparse_rows_.reserve(values);
  sparse_values_.reserve(values);
}

}  // namespace coppice
