#include "core/projections/output_columns.h"

#include <algorithm>

namespace coppice {

namespace {

/// projected += value · column.
void add(const ProjectionColumn& column, double value, double* projected) {
  if (column.dense) {
    for (std::size_t c = 0; c < column.values.size(); ++c) projected[c] += value * column.values[c];
    return;
  }
  for (std::size_t i = 0; i < column.components.size(); ++i)
    projected[column.components[i]] += value * column.values[i];
}

std::vector<std::uint32_t> distinct_rows(const DatasetView& view) {
  std::vector<std::uint32_t> rows(view.rows().begin(), view.rows().end());
  std::sort(rows.begin(), rows.end());
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  return rows;
}

/// Projects rows of real values; `row_of` says where row i lies among the values and among the results, which
/// are 0 before.
template <typename RowOf>
void project_values(const Projection& projection, std::span<const double> values, std::size_t count,
                    const RowOf& row_of, std::size_t stride, std::span<double> projected) {
  const std::size_t d = projection.outputs();
  const auto result = [&](std::size_t i) { return projected.subspan(row_of(i) * stride, projection.size()); };
  std::size_t done = 0;
  while (done < count && projection.project_row(values.subspan(row_of(done) * d, d), result(done))) ++done;
  if (done == count) return;
  ProjectionColumn column;
  for (std::uint32_t output = 0; output < d; ++output) {
    projection.column(output, column);
    for (std::size_t i = 0; i < count; ++i) add(column, values[row_of(i) * d + output], result(i).data());
  }
}

}  // namespace

OutputColumns::OutputColumns(const DatasetView& view)
    : dataset_(&view.dataset()),
      labels_(coppice::has_labels(view.dataset().task())),
      outputs_(view.dataset().output_count()),
      rows_(distinct_rows(view)) {
  if (!labels_) return;
  const LabelSets& sets = dataset_->labels();
  begin_.assign(outputs_ + 1, 0);
  for (const std::uint32_t row : rows_)
    for (const std::uint32_t label : sets[row]) ++begin_[label + 1];
  for (std::size_t label = 0; label < outputs_; ++label) begin_[label + 1] += begin_[label];
  label_rows_.resize(begin_[outputs_]);
  std::vector<std::uint64_t> next(begin_.begin(), begin_.end() - 1);
  for (const std::uint32_t row : rows_)
    for (const std::uint32_t label : sets[row]) label_rows_[next[label]++] = row;
}

void project(const Projection& projection, const OutputColumns& outputs, std::span<const std::uint32_t> rows,
             std::size_t stride, std::span<double> projected) {
  for (const std::uint32_t row : rows) std::fill_n(projected.data() + row * stride, stride, 0.0);
  if (!outputs.has_labels()) {
    const auto row_of = [&](std::size_t i) { return static_cast<std::size_t>(rows[i]); };
    project_values(projection, outputs.values(), rows.size(), row_of, stride, projected);
    return;
  }
  ProjectionColumn column;
  for (std::uint32_t label = 0; label < outputs.outputs(); ++label) {
    const auto having = outputs.rows_of(label);
    if (having.empty()) continue;
    projection.column(label, column);
    for (const std::uint32_t row : having) add(column, 1.0, projected.data() + row * stride);
  }
}

std::vector<double> project(const Projection& projection, const OutputColumns& outputs) {
  std::vector<double> projected(outputs.dataset_rows() * projection.size(), 0.0);
  project(projection, outputs, outputs.rows(), projection.size(), projected);
  return projected;
}

std::vector<double> project(const Projection& projection, std::span<const double> values) {
  const std::size_t rows = values.size() / projection.outputs();
  std::vector<double> projected(rows * projection.size(), 0.0);
  project_values(
      projection, values, rows, [](std::size_t i) { return i; }, projection.size(), projected);
  return projected;
}

}  // namespace coppice
