#include "core/metrics/label_row.h"

#include <algorithm>
#include <functional>

#include "core/base/portable_math.h"

namespace coppice {

namespace {

/// A label is predicted from this score on (thesis eq. 2.41).
constexpr double threshold = 0.5;

/// 1 / p of the propensity model of Jain et al. 2016 for every label.
std::vector<double> inverse_propensities(const ScoringContext& context) {
  const auto [a, b] = context.propensity;
  // The model is made for many rows; below e of them its C would be negative and weights could be, too.
  const double log_rows = portable_log(static_cast<double>(context.train_rows));
  const double c = std::max(0.0, log_rows - 1.0) * portable_pow(b + 1.0, a);
  std::vector<double> weights;
  weights.reserve(context.train_label_counts.size());
  for (const std::uint32_t count : context.train_label_counts)
    weights.push_back(1.0 + c * portable_exp(-a * portable_log(static_cast<double>(count) + b)));
  return weights;
}

std::size_t count_common(std::span<const std::uint32_t> left, std::span<const std::uint32_t> right) {
  std::size_t common = 0;
  for (std::size_t i = 0, j = 0; i < left.size() && j < right.size();) {
    common += left[i] == right[j] ? 1 : 0;
    const bool advance_left = left[i] <= right[j];
    const bool advance_right = right[j] <= left[i];
    i += advance_left ? 1 : 0;
    j += advance_right ? 1 : 0;
  }
  return common;
}

}  // namespace

void Needs::include(const Needs& other) {
  ranking |= other.ranking;
  decisions |= other.decisions;
  propensities |= other.propensities;
  label_counts |= other.label_counts;
  score_pairs |= other.score_pairs;
  target_sums |= other.target_sums;
  target_means |= other.target_means;
}

LabelRowReader::LabelRowReader(Needs needs, const ScoringContext& context)
    : needs_(needs), task_(context.task) {
  if (needs_.propensities) inverse_propensity_ = inverse_propensities(context);
}

const LabelRow& LabelRowReader::read(std::span<const std::uint32_t> truth, const RowScores& scores,
                                     const std::span<const std::uint32_t>* given) {
  row_ = {};
  row_.truth = truth;
  row_.scores = scores;
  if (needs_.ranking) row_.ranked = ranking_.rank(truth, scores);
  if (needs_.propensities) weigh();
  if (needs_.decisions) decide(given);
  return row_;
}

void LabelRowReader::decide(const std::span<const std::uint32_t>* given) {
  decided_.clear();
  if (given == nullptr) {
    if (task_ == Task::multiclass) {
      decided_.push_back(row_.scores.best());
    } else {
      for (std::size_t i = 0; i < row_.scores.listed(); ++i)
        if (row_.scores.values[i] >= threshold) decided_.push_back(row_.scores.label(i));
    }
  }
  row_.decided = given == nullptr ? std::span<const std::uint32_t>(decided_) : *given;
  row_.hits = count_common(row_.truth, row_.decided);
}

void LabelRowReader::weigh() {
  ranked_weights_.clear();
  for (const RankedLabel& ranked : row_.ranked) ranked_weights_.push_back(inverse_propensity_[ranked.label]);
  best_weights_ = ranked_weights_;
  std::sort(best_weights_.begin(), best_weights_.end(), std::greater<>());
  row_.ranked_weights = ranked_weights_;
  row_.best_weights = best_weights_;
}

}  // namespace coppice
