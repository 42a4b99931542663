#include "core/model/predictions.h"

#include <algorithm>
#include <utility>

namespace coppice {

Predictions Predictions::make_dense(std::size_t rows, std::size_t outputs) {
  Predictions predictions;
  predictions.rows_ = rows;
  predictions.outputs_ = outputs;
  predictions.scores_.assign(rows * outputs, 0.0);
  return predictions;
}

Predictions Predictions::make_sparse(std::size_t outputs) {
  return make_sparse(outputs, std::vector<ListedScores>(1), {});
}

Predictions Predictions::make_sparse(std::size_t outputs, std::span<const std::size_t> counts) {
  std::vector<Place> rows(counts.size());
  std::size_t end = 0;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    rows[row] = {0, end, end + counts[row]};
    end += counts[row];
  }
  std::vector<ListedScores> parts(1);
  parts[0].labels.resize(end);
  parts[0].scores.resize(end);
  return make_sparse(outputs, std::move(parts), std::move(rows));
}

Predictions Predictions::make_sparse(std::size_t outputs, std::vector<ListedScores> parts,
                                     std::vector<Place> rows) {
  Predictions predictions;
  predictions.dense_ = false;
  predictions.outputs_ = outputs;
  predictions.parts_ = std::move(parts);
  predictions.places_ = std::move(rows);
  return predictions;
}

void Predictions::add_row(std::span<const std::uint32_t> labels, std::span<const double> scores) {
  ListedScores& part = parts_.back();
  const std::size_t begin = part.labels.size();
  part.labels.insert(part.labels.end(), labels.begin(), labels.end());
  part.scores.insert(part.scores.end(), scores.begin(), scores.end());
  places_.push_back({parts_.size() - 1, begin, part.labels.size()});
}

double Predictions::score(std::size_t row, std::size_t output) const {
  if (dense_) return dense_row(row)[output];
  const auto row_labels = labels(row);
  const auto found = std::lower_bound(row_labels.begin(), row_labels.end(), output);
  if (found == row_labels.end() || *found != output) return 0.0;
  return scores(row)[static_cast<std::size_t>(found - row_labels.begin())];
}

}  // namespace coppice
