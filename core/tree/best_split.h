#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>

#include "core/base/random.h"
#include "core/tree/coded_inputs.h"
#include "core/tree/score_scan.h"
#include "core/tree/split_candidate.h"
#include "core/tree/split_score.h"

namespace coppice {

/// The best split of a node so far. Columns may come in any order: of equally good splits that of the feature
/// whose place comes first wins.
class BestSplit {
 public:
  BestSplit(const CodedInputs& inputs, const GrowthOptions& options) : inputs_(&inputs), options_(&options) {}

  /// No split yet.
  void begin(const Stream& stream) {
    stream_ = &stream;
    best_ = {};
    bar_ = -std::numeric_limits<double>::infinity();
    place_ = 0;
  }
  /// Says when the column that is tried next comes among the node's features.
  void set_place(std::uint32_t place) { place_ = place; }

  /// Whether a split could be better than the best so far: no division, and no for nearly all that are not.
  bool could_be(const SplitScore& score) const { return !(score.numerator < bar_ * score.denominator); }
  /// The next of some splits, from a place on, of which that could be said; `count` if there is none.
  std::size_t next(const SplitScore* scores, std::size_t from, std::size_t count) const {
#if COPPICE_WRITES_WIDEST
    if (has_widest_vectors()) return next_not_below_widest(scores, from, count, bar_);
#endif
    return next_not_below(scores, from, count, bar_);
  }
  /// Whether a split is better than the best so far; if so, its score is the new best, and one of the take
  /// functions has to say which split it is.
  bool better(const SplitScore& score) {
    return score.numerator >= bar_ * score.denominator && better(score.value());
  }
  bool better(double score) {
    if (best_.found && !(score > best_.score) && (score != best_.score || place_ >= best_place_))
      return false;
    best_.found = true;
    best_.score = score;
    best_place_ = place_;
    changed_ = true;
    constexpr double rounding = 0x1.0p-40;
    bar_ = score - std::abs(score) * rounding;
    return true;
  }
  double score() const {
    return best_.score;
  }
  /// Whether splits that score no more than this cannot be the best.
  bool beats(double most) const {
    return best_.found && most * (1.0 + 0x1.0p-40) < best_.score;
  }

  /// Between two codes of a feature.
  void take(std::uint32_t feature, std::uint32_t lower, std::uint32_t upper) {
    forget_special();
    best_.feature = feature;
    last_left_ = lower;
    first_right_ = upper;
    threshold_known_ = false;
  }
  /// At a value of a feature.
  void take_cut(std::uint32_t feature, float cut) {
    forget_special();
    best_.feature = feature;
    best_.threshold = cut;
    threshold_known_ = true;
  }
  /// A split of another kind, with all that belongs to it.
  void take_special(SplitCandidate split) {
    best_ = std::move(split);
    threshold_known_ = true;
  }

  /// From here on, whether there has been a better split.
  void watch() {
    changed_ = false;
  }
  bool changed() const {
    return changed_;
  }
  /// Which column of the frame the best split asks about.
  void set_frame_column(std::uint32_t column) {
    best_.frame_column = column;
  }

  /// The best split, with its threshold.
  SplitCandidate finish() {
    if (best_.found && !threshold_known_) {
      if (inputs_->listed_two_valued(best_.feature)) {
        const ColumnDefault& known = inputs_->default_of(best_.feature);
        best_.place(std::min(known.value, known.other), std::max(known.value, known.other), *options_,
                    *stream_);
      } else {
        const auto values = inputs_->column(best_.feature).values;
        best_.place(values[last_left_], values[first_right_], *options_, *stream_);
      }
    }
    return best_;
  }

 private:
  void forget_special() {
    best_.special = best_.missing_left = false;
    best_.left_categories.clear();
  }

  const CodedInputs* inputs_;
  const GrowthOptions* options_;
  const Stream* stream_ = nullptr;
  SplitCandidate best_;
  std::uint32_t place_ = 0;
  std::uint32_t best_place_ = 0;
  bool changed_ = false;
  double bar_ = 0.0;             ///< a little less than the best score
  std::uint32_t last_left_ = 0;  ///< the codes below and above the best split
  std::uint32_t first_right_ = 0;
  bool threshold_known_ = false;  ///< whether the best split has its threshold instead
};

}  // namespace coppice
