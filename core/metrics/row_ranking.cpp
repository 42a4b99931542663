#include "core/metrics/row_ranking.h"

#include <algorithm>
#include <bit>
#include <limits>

namespace coppice {

namespace {

/// Counts scores into the intervals of descending levels.
class LevelCounter {
 public:
  /// As many levels as a power of two; the last is a NaN, which equals nothing and is above nothing.
  LevelCounter(std::span<const double> levels, double lowest, std::span<std::size_t> counts,
               std::span<double> buffer)
      : levels_(levels.data()),
        first_step_(levels.size() / 2),
        lowest_(lowest),
        counts_(counts.data()),
        buffer_(buffer.data()) {}

  /// Leaves out what is below all levels: of a good prediction, most of it.
  void add_all(std::span<const double> scores) {
    std::size_t kept = 0;
    for (const double score : scores) {
      buffer_[kept] = score;
      kept += score >= lowest_ ? 1 : 0;
    }
    for (std::size_t i = 0; i < kept; ++i) add(buffer_[i]);
  }

  void add(double score, std::size_t times = 1) {
    // A binary search without branches: scores come in no order, so that a branch would be a coin toss. The
    // mask is there because the compiler turns a conditional into a branch or into a slower move.
    std::size_t level = 0;
    for (std::size_t step = first_step_; step > 0; step /= 2)
      level += step & (0 - static_cast<std::size_t>(levels_[level + step - 1] > score));
    counts_[2 * level + (levels_[level] == score ? 1 : 0)] += times;
  }

 private:
  const double* levels_;
  std::size_t first_step_;
  double lowest_;
  std::size_t* counts_;
  double* buffer_;
};

}  // namespace

std::span<const RankedLabel> RowRanking::rank(std::span<const std::uint32_t> truth, const RowScores& scores) {
  ranked_.resize(truth.size());
  if (truth.empty()) return ranked_;
  sort_truth(truth, scores);
  count_scores(truth, scores);
  std::size_t above = 0;
  std::size_t level_start = 0;
  for (std::size_t level = 0; level_start < by_score_.size(); ++level) {
    above += counts_[2 * level];
    const std::size_t not_below = above + counts_[2 * level + 1];
    std::size_t level_end = level_start;
    while (level_end < by_score_.size() && level_of_[by_score_[level_end].index] == level) ++level_end;
    for (std::size_t i = level_start; i < level_end; ++i) {
      const std::uint32_t index = by_score_[i].index;
      ranked_[i] = {truth[index], above + ties_before_[index] + 1, not_below, level_end};
    }
    above = not_below;
    level_start = level_end;
  }
  return ranked_;
}

void RowRanking::sort_truth(std::span<const std::uint32_t> truth, const RowScores& scores) {
  by_score_.clear();
  std::size_t cursor = 0;
  for (std::uint32_t index = 0; index < truth.size(); ++index) {
    cursor = scores.listed_below(truth[index], cursor);
    const bool is_listed = cursor < scores.listed() && scores.label(cursor) == truth[index];
    by_score_.push_back({is_listed ? scores.values[cursor] : 0.0, index});
  }
  std::sort(by_score_.begin(), by_score_.end(), [](const Scored& left, const Scored& right) {
    return left.score != right.score ? left.score > right.score : left.index < right.index;
  });
  levels_.clear();
  level_of_.resize(truth.size());
  for (const Scored& label : by_score_) {
    if (levels_.empty() || levels_.back() != label.score) levels_.push_back(label.score);
    level_of_[label.index] = static_cast<std::uint32_t>(levels_.size() - 1);
  }
  levels_.resize(std::bit_ceil(levels_.size() + 1) - 1, -std::numeric_limits<double>::infinity());
  levels_.push_back(std::numeric_limits<double>::quiet_NaN());
}

void RowRanking::count_scores(std::span<const std::uint32_t> truth, const RowScores& scores) {
  counts_.assign(2 * levels_.size(), 0);
  ties_before_.resize(truth.size());
  buffer_.resize(std::max(buffer_.size(), scores.listed()));
  LevelCounter counter(levels_, by_score_.back().score, counts_, buffer_);
  std::size_t cursor = 0;
  for (std::size_t index = 0; index < truth.size(); ++index) {
    const std::size_t end = scores.listed_below(truth[index], cursor);
    counter.add_all(scores.values.subspan(cursor, end - cursor));
    cursor = end;
    // Lower labels that are not listed tie with a score of 0.
    const std::size_t not_listed = levels_[level_of_[index]] == 0.0 ? truth[index] - cursor : 0;
    ties_before_[index] = counts_[2 * level_of_[index] + 1] + not_listed;
  }
  counter.add_all(scores.values.subspan(cursor));
  counter.add(0.0, scores.outputs - scores.listed());
}

}  // namespace coppice
