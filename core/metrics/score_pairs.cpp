#include "core/metrics/score_pairs.h"

#include <algorithm>
#include <limits>

namespace coppice {

namespace {

/// Adds up the area under one curve while scores descend: for every negative the positives above it, and half
/// of those it ties with (Mann and Whitney's statistic).
class AreaSweep {
 public:
  void add(double score, bool positive) { add_tied(score, positive ? 1 : 0, positive ? 0 : 1); }
  void add_tied(double score, std::uint64_t positives, std::uint64_t negatives) {
    if (score != score_) finish_score();
    score_ = score;
    tied_positives_ += positives;
    tied_negatives_ += negatives;
  }
  /// Positives above a negative, over all such pairs.
  double area() {
    finish_score();
    if (positives_ == 0 || negatives_ == 0) return std::numeric_limits<double>::quiet_NaN();
    return won_ / (static_cast<double>(positives_) * static_cast<double>(negatives_));
  }

 private:
  void finish_score() {
    const double won = static_cast<double>(positives_) + 0.5 * static_cast<double>(tied_positives_);
    won_ += won * static_cast<double>(tied_negatives_);
    positives_ += tied_positives_;
    negatives_ += tied_negatives_;
    tied_positives_ = 0;
    tied_negatives_ = 0;
  }

  double score_ = std::numeric_limits<double>::infinity();
  double won_ = 0.0;
  std::uint64_t positives_ = 0;
  std::uint64_t negatives_ = 0;
  std::uint64_t tied_positives_ = 0;
  std::uint64_t tied_negatives_ = 0;
};

}  // namespace

void ScorePairs::add(const LabelRow& row) {
  ++rows_;
  for (const std::uint32_t label : row.truth) ++positives_[label];
  std::size_t next_true = 0;
  for (std::size_t i = 0; i < row.scores.listed(); ++i) {
    const std::uint32_t label = row.scores.label(i);
    while (next_true < row.truth.size() && row.truth[next_true] < label) ++next_true;
    const bool positive = next_true < row.truth.size() && row.truth[next_true] == label;
    if (row.scores.values[i] != 0.0) pairs_.push_back({row.scores.values[i], label, positive ? 1U : 0U});
  }
}

Areas ScorePairs::areas() const {
  // What is left for the score 0 once the listed pairs are taken away.
  std::vector<std::uint64_t> zero_positives = positives_;
  std::vector<std::uint64_t> zero_negatives(positives_.size());
  for (std::size_t label = 0; label < positives_.size(); ++label)
    zero_negatives[label] = rows_ - positives_[label];
  for (const Pair& pair : pairs_) --(pair.positive != 0 ? zero_positives : zero_negatives)[pair.label];

  AreaSweep all;
  std::vector<AreaSweep> by_label(positives_.size());
  const std::vector<Pair> pairs = sorted_pairs();
  const auto sweep = [&](auto begin, auto end) {
    for (auto pair = begin; pair != end; ++pair) {
      all.add(pair->score, pair->positive != 0);
      by_label[pair->label].add(pair->score, pair->positive != 0);
    }
  };
  const auto below_zero =
      std::find_if(pairs.begin(), pairs.end(), [](const Pair& pair) { return pair.score < 0.0; });
  sweep(pairs.begin(), below_zero);
  for (std::size_t label = 0; label < by_label.size(); ++label) {
    all.add_tied(0.0, zero_positives[label], zero_negatives[label]);
    by_label[label].add_tied(0.0, zero_positives[label], zero_negatives[label]);
  }
  sweep(below_zero, pairs.end());

  double sum = 0.0;
  std::size_t defined = 0;
  for (std::size_t label = 0; label < by_label.size(); ++label) {
    if (positives_[label] == 0 || positives_[label] == rows_) continue;
    sum += by_label[label].area();
    ++defined;
  }
  return {all.area(),
          defined == 0 ? std::numeric_limits<double>::quiet_NaN() : sum / static_cast<double>(defined)};
}

std::vector<ScorePairs::Pair> ScorePairs::sorted_pairs() const {
  std::vector<Pair> pairs = pairs_;
  std::sort(pairs.begin(), pairs.end(),
            [](const Pair& left, const Pair& right) { return left.score > right.score; });
  return pairs;
}

}  // namespace coppice
