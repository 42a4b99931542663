#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/base/context.h"
#include "core/data/dataset.h"
#include "core/losses/loss.h"

namespace coppice {

/// The outputs of some rows, and the scores that a model under construction gives them, output by output.
///
/// Rows are those of a view in ascending order; a row that the view has several times is there as often.
/// Scores are kept as the loss likes them (Loss::start), n × d numbers: the one thing of that size.
class TrainingScores {
 public:
  /// `huber_delta` is in units of the standard deviation of each output.
  TrainingScores(const DatasetView& view, const Loss& loss, double huber_delta);
  TrainingScores(const TrainingScores&) = delete;
  TrainingScores& operator=(const TrainingScores&) = delete;

  std::size_t rows() const { return rows_.size(); }
  std::size_t outputs() const { return outputs_; }
  /// The dataset's rows.
  std::span<const std::uint32_t> dataset_rows() const { return rows_; }
  const Loss& loss() const { return *loss_; }
  const LossTargets& targets(std::size_t output) const { return targets_[output]; }
  std::span<std::byte> state(std::size_t output) {
    const std::size_t bytes = rows() * loss_->state_bytes();
    return std::span(state_).subspan(output * bytes, bytes);
  }
  std::span<const std::byte> state(std::size_t output) const {
    const std::size_t bytes = rows() * loss_->state_bytes();
    return std::span(state_).subspan(output * bytes, bytes);
  }

  /// The constant score that is best for each output.
  std::vector<double> constants() const;
  /// Gives every row these scores.
  void start(std::span<const double> constants, const Context& context);
  /// The negative gradients of an output for the rows that begin at `first`.
  void gradients(std::size_t output, std::size_t first, std::span<double> gradients) const {
    loss_->gradients(targets_[output], state(output), first, gradients);
  }
  /// Adds `factor` times the negative gradients of an output for all rows.
  void add_gradients(std::size_t output, double factor, std::span<double> sums) const {
    loss_->add_gradients(targets_[output], state(output), factor, sums);
  }
  /// The loss of all rows and outputs.
  double total(const Context& context) const;

 private:
  const Loss* loss_;
  std::size_t outputs_;
  std::vector<std::uint32_t> rows_;
  std::vector<double> values_;             ///< regression: the outputs, one after another
  std::vector<std::uint32_t> label_rows_;  ///< labels: the rows of each
  std::vector<LossTargets> targets_;
  std::vector<std::byte> state_;
};

}  // namespace coppice
