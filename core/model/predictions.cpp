#include "core/model/predictions.h"

#include <algorithm>

namespace coppice {

Predictions Predictions::make_dense(std::size_t rows, std::size_t outputs) {
  Predictions predictions;
  predictions.rows_ = rows;
  predictions.outputs_ = outputs;
  predictions.scores_.assign(rows * outputs, 0.0);
  return predictions;
}

Predictions Predictions::make_sparse(std::size_t outputs) {
  Predictions predictions;
  predictions.dense_ = false;
  predictions.outputs_ = outputs;
  return predictions;
}

Predictions Predictions::make_sparse(std::size_t outputs, std::span<const std::size_t> counts) {
  Predictions made = make_sparse(outputs);
  for (const std::size_t count : counts) made.offsets_.push_back(made.offsets_.back() + count);
  made.labels_.resize(made.offsets_.back());
  made.scores_.resize(made.offsets_.back());
  return made;
}

void Predictions::add_row(std::span<const std::uint32_t> labels, std::span<const double> scores) {
  labels_.insert(labels_.end(), labels.begin(), labels.end());
  scores_.insert(scores_.end(), scores.begin(), scores.end());
  offsets_.push_back(labels_.size());
}

void Predictions::reserve(std::size_t rows, std::size_t scores) {
  offsets_.reserve(offsets_.size() + rows);
  labels_.reserve(labels_.size() + scores);
  scores_.reserve(scores_.size() + scores);
}

double Predictions::score(std::size_t row, std::size_t output) const {
  if (dense_) return dense_row(row)[output];
  const auto row_labels = labels(row);
  const auto found = std::lower_bound(row_labels.begin(), row_labels.end(), output);
  if (found == row_labels.end() || *found != output) return 0.0;
  return scores(row)[static_cast<std::size_t>(found - row_labels.begin())];
}

}  // namespace coppice
