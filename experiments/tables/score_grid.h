#pragma once

#include <cstddef>
#include <limits>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "experiments/results/result_set.h"

namespace coppice {

/// Which place each name has in a list.
class NameIndex {
 public:
  /// The names must outlive the index.
  explicit NameIndex(std::span<const std::string> names);
  std::optional<std::size_t> find(std::string_view name) const;

 private:
  std::unordered_map<std::string_view, std::size_t> places_;
};

/// What a trial scored.
struct TrialScore {
  int repeat = 0;
  int fold = 0;
  double value = 0;
};

/// Mean and deviation of a list of scores.
struct Summary {
  double mean = std::numeric_limits<double>::quiet_NaN();  ///< NaN where nothing was scored
  /// The sample standard deviation (n - 1); none for fewer than two values.
  std::optional<double> deviation;
  std::size_t count = 0;  ///< how many values mean and deviation are over
};

Summary summarise(std::span<const double> values);

/// How many repeats and folds a dataset was to be tested with.
struct TrialShape {
  std::size_t repeats = 0;
  std::size_t folds = 0;

  bool operator==(const TrialShape&) const = default;
};

/// The scores of one algorithm on one dataset.
struct GridCell {
  std::vector<TrialScore> trials;  ///< with a defined value, by repeat and fold
  std::size_t undefined = 0;       ///< finished trials whose value is NaN
  std::size_t missing = 0;         ///< planned trials without result that did not fail
  std::size_t aside = 0;           ///< trials of repeats that others have not finished yet: not counted
  std::size_t failed = 0;
  std::string failure;   ///< the message of the first failed trial
  bool complete = true;  ///< has every trial that any algorithm has on this dataset: fit to be ranked
  Summary summary;

  bool has_value() const { return summary.count > 0; }
  bool has_holes() const { return undefined + missing + aside + failed > 0; }
};

/// One metric over all datasets and algorithms.
///
/// How folds and repeats combine: the scores of the folds of a repeat are averaged first; mean and deviation
/// are over these averages, one for each repeat. Where a dataset has only one repeat, they are over its
/// folds. `count` is the number of values that were averaged last.
///
/// While a run is under way, or after it was stopped, some algorithms are a repeat ahead of others on a
/// dataset. What they scored there is set aside, if there is a repeat that all have finished: all are then
/// compared on the same trials.
class ScoreGrid {
 public:
  ScoreGrid(const ResultSet& results, const Metric& metric);

  const Metric& metric() const { return metric_; }
  std::size_t datasets() const { return shapes_.size(); }
  std::size_t algorithms() const { return algorithms_; }
  const GridCell& cell(std::size_t dataset, std::size_t algorithm) const {
    return cells_[dataset * algorithms_ + algorithm];
  }
  const TrialShape& shape(std::size_t dataset) const { return shapes_[dataset]; }
  /// Whether the dataset has finished trials, yet none of them was scored with this metric.
  bool inapplicable(std::size_t dataset) const { return inapplicable_[dataset]; }
  /// What mean and deviation of the dataset are over: the averages of its repeats, or the folds of its only
  /// repeat.
  std::vector<double> values(std::size_t dataset, std::size_t algorithm) const;

 private:
  /// Takes in all rows and holes; returns of which repeats trials of each cell are missing.
  std::vector<std::set<int>> collect(const ResultSet& results);
  void keep_finished_models();
  void set_unfinished_aside(const std::vector<std::set<int>>& missing_repeats);
  void find_incomplete();

  Metric metric_;
  std::size_t algorithms_;
  std::vector<GridCell> cells_;
  std::vector<TrialShape> shapes_;
  std::vector<bool> inapplicable_;
};

}  // namespace coppice
