#include "algorithms/boosting/training_scores.h"

#include <algorithm>
#include <cmath>

namespace coppice {

namespace {

double standard_deviation(std::span<const double> values) {
  const auto count = static_cast<double>(values.size());
  double mean = 0.0;
  for (const double value : values) mean += value / count;
  double variance = 0.0;
  for (const double value : values) variance += (value - mean) * (value - mean) / count;
  return std::sqrt(variance);
}

}  // namespace

TrainingScores::TrainingScores(const DatasetView& view, const Loss& loss, double huber_delta)
    : loss_(&loss), outputs_(view.dataset().output_count()), rows_(view.rows().begin(), view.rows().end()) {
  std::sort(rows_.begin(), rows_.end());
  state_.resize(rows() * outputs_ * loss.state_bytes());
  targets_.reserve(outputs_);
  const Dataset& dataset = view.dataset();
  if (has_labels(dataset.task())) {
    std::vector<std::size_t> begin(outputs_ + 1, 0);
    for (const std::uint32_t row : rows_)
      for (const std::uint32_t label : dataset.labels()[row]) ++begin[label + 1];
    for (std::size_t j = 0; j < outputs_; ++j) begin[j + 1] += begin[j];
    label_rows_.resize(begin.back());
    std::vector<std::size_t> next(begin.begin(), begin.end() - 1);
    for (std::uint32_t i = 0; i < rows(); ++i)
      for (const std::uint32_t label : dataset.labels()[rows_[i]]) label_rows_[next[label]++] = i;
    for (std::size_t j = 0; j < outputs_; ++j)
      targets_.push_back(
          LossTargets::label(std::span(label_rows_).subspan(begin[j], begin[j + 1] - begin[j]), rows()));
    return;
  }
  values_.resize(rows() * outputs_);
  for (std::size_t i = 0; i < rows(); ++i)
    for (std::size_t j = 0; j < outputs_; ++j) values_[j * rows() + i] = dataset.targets()[rows_[i]][j];
  for (std::size_t j = 0; j < outputs_; ++j) {
    const auto column = std::span(values_).subspan(j * rows(), rows());
    // An output of one value has no deviation; any bend will do.
    const double deviation = standard_deviation(column);
    targets_.push_back(LossTargets::real(column, deviation > 0.0 ? huber_delta * deviation : 1.0));
  }
}

std::vector<double> TrainingScores::constants() const {
  std::vector<double> best(outputs_);
  for (std::size_t j = 0; j < outputs_; ++j) best[j] = loss_->constant(targets_[j]);
  return best;
}

void TrainingScores::start(std::span<const double> constants, const Context& context) {
  parallel_for(context, outputs_, [&](std::size_t j) { loss_->start(targets_[j], constants[j], state(j)); });
}

double TrainingScores::total(const Context& context) const {
  std::vector<double> totals(outputs_);
  parallel_for(context, outputs_, [&](std::size_t j) { totals[j] = loss_->total(targets_[j], state(j)); });
  double sum = 0.0;
  for (const double total : totals) sum += total;
  return sum;
}

}  // namespace coppice
