#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/data/task.h"
#include "core/metrics/metric.h"
#include "core/metrics/row_ranking.h"
#include "core/metrics/row_scores.h"

namespace coppice {

/// What the metrics that were asked for have to know; everything else is not computed.
struct Needs {
  bool ranking = false;       ///< where the true labels of a row stand
  bool decisions = false;     ///< which labels are predicted
  bool propensities = false;  ///< how much a true label weighs in psp@K
  bool label_counts = false;  ///< hits and misses of each label over all rows
  bool score_pairs = false;   ///< all scores with their truth, for areas under the curve
  bool target_sums = false;   ///< errors of each real output over all rows
  bool target_means = false;  ///< the mean of each real output over the training rows

  void include(const Needs& other);
};

/// One row of a label task with everything that several metrics share, computed once.
struct LabelRow {
  std::span<const std::uint32_t> truth;  ///< ascending
  RowScores scores;
  std::span<const RankedLabel> ranked;     ///< the true labels, the highest score first
  std::span<const std::uint32_t> decided;  ///< the predicted labels, ascending
  std::size_t hits = 0;                    ///< labels that are both true and predicted
  std::span<const double> ranked_weights;  ///< 1 / propensity of the labels of `ranked`, in their order
  std::span<const double> best_weights;    ///< the same numbers, the largest first

  /// Labels that are either true or predicted but not both.
  std::size_t differences() const { return truth.size() + decided.size() - 2 * hits; }
};

/// Makes label rows; owns the buffers that they refer to, so a row is good until the next one is read.
class LabelRowReader {
 public:
  LabelRowReader(Needs needs, const ScoringContext& context);

  /// `given` is the label set the algorithm decided on by itself, or null.
  const LabelRow& read(std::span<const std::uint32_t> truth, const RowScores& scores,
                       const std::span<const std::uint32_t>* given);

 private:
  void decide(const std::span<const std::uint32_t>* given);
  void weigh();

  Needs needs_;
  Task task_;
  RowRanking ranking_;
  std::vector<double> inverse_propensity_;  ///< by label
  std::vector<std::uint32_t> decided_;
  std::vector<double> ranked_weights_;
  std::vector<double> best_weights_;
  LabelRow row_;
};

}  // namespace coppice
