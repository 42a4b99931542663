#include "core/metrics/row_ranking.h"

#include <algorithm>
#include <limits>

namespace coppice {

namespace {

/// Counts scores into the intervals of descending levels.
class LevelCounter {
 public:
  /// `levels` ends with a NaN, which equals nothing.
  LevelCounter(std::span<const double> levels, std::span<std::size_t> counts)
      : levels_(levels.data()), level_count_(levels.size() - 1), counts_(counts.data()) {}

  void add(double score, std::size_t times = 1) {
    // A binary search without branches: scores come in no order, so that a branch would be a coin toss.
    std::size_t level = 0;
    for (std::size_t length = level_count_; length > 1;) {
      const std::size_t half = length / 2;
      level += levels_[level + half - 1] > score ? half : 0;
      length -= half;
    }
    level += levels_[level] > score ? 1 : 0;
    counts_[2 * level + (levels_[level] == score ? 1 : 0)] += times;
  }

 private:
  const double* levels_;
  std::size_t level_count_;
  std::size_t* counts_;
};

}  // namespace

std::span<const RankedLabel> RowRanking::rank(std::span<const std::uint32_t> truth, const RowScores& scores) {
  ranked_.resize(truth.size());
  if (truth.empty()) return ranked_;
  sort_truth(truth, scores);
  count_scores(truth, scores);
  std::size_t above = 0;
  std::size_t level_start = 0;
  for (std::size_t level = 0; level + 1 < levels_.size(); ++level) {
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
  levels_.push_back(std::numeric_limits<double>::quiet_NaN());
}

void RowRanking::count_scores(std::span<const std::uint32_t> truth, const RowScores& scores) {
  counts_.assign(2 * levels_.size(), 0);
  ties_before_.resize(truth.size());
  LevelCounter counter(levels_, counts_);
  std::size_t cursor = 0;
  for (std::size_t index = 0; index < truth.size(); ++index) {
    const std::size_t end = scores.listed_below(truth[index], cursor);
    for (; cursor < end; ++cursor) counter.add(scores.values[cursor]);
    // Lower labels that are not listed tie with a score of 0.
    const std::size_t not_listed = levels_[level_of_[index]] == 0.0 ? truth[index] - cursor : 0;
    ties_before_[index] = counts_[2 * level_of_[index] + 1] + not_listed;
  }
  for (; cursor < scores.listed(); ++cursor) counter.add(scores.values[cursor]);
  counter.add(0.0, scores.outputs - scores.listed());
}

}  // namespace coppice
