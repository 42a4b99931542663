#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/base/context.h"
#include "core/data/dataset.h"
#include "core/projections/projection.h"

namespace coppice {

/// The outputs of the rows of a view, output by output: for label sets the rows that have the label, so that
/// a coefficient of a projection is computed once and used for all of them. Made once, projected often.
class OutputColumns {
 public:
  explicit OutputColumns(const DatasetView& view);

  std::size_t outputs() const { return outputs_; }
  /// The rows of the dataset, which rows are numbered in; not only those of the view.
  std::size_t dataset_rows() const { return dataset_->rows(); }
  /// The rows of the view, ascending, each once.
  std::span<const std::uint32_t> rows() const { return rows_; }
  bool has_labels() const { return labels_; }
  /// Label tasks: the rows that have a label, ascending.
  std::span<const std::uint32_t> rows_of(std::uint32_t label) const {
    return std::span(label_rows_).subspan(begin_[label], begin_[label + 1] - begin_[label]);
  }
  /// Label tasks: the label sets of the dataset.
  const LabelSets& labels() const { return dataset_->labels(); }
  /// Regression: the outputs of every row of the dataset, row by row.
  std::span<const double> values() const { return dataset_->targets().values(); }

 private:
  const Dataset* dataset_;
  bool labels_;
  std::size_t outputs_;
  std::vector<std::uint32_t> rows_;
  std::vector<std::uint64_t> begin_;
  std::vector<std::uint32_t> label_rows_;
};

/// Φy for some rows of the view: `size` numbers and then 0 up to `stride`, at their places among `stride`
/// numbers for every row of the dataset. What is at other places afterwards means nothing.
void project(const Projection& projection, const OutputColumns& outputs, std::span<const std::uint32_t> rows,
             std::size_t stride, std::span<double> projected);
/// Φy for each row of the view: `size` numbers for every row of the dataset, 0 for rows that are not in the
/// view.
std::vector<double> project(const Projection& projection, const OutputColumns& outputs);

/// Φy for rows of real outputs that lie one after another; the same number of rows of `size` numbers.
std::vector<double> project(const Projection& projection, std::span<const double> values);

}  // namespace coppice
