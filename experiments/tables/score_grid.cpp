#include "experiments/tables/score_grid.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>
#include <utility>

namespace coppice {

NameIndex::NameIndex(std::span<const std::string> names) {
  for (std::size_t i = 0; i < names.size(); ++i) places_.emplace(names[i], i);
}

std::optional<std::size_t> NameIndex::find(std::string_view name) const {
  const auto found = places_.find(name);
  if (found == places_.end()) return std::nullopt;
  return found->second;
}

Summary summarise(std::span<const double> values) {
  Summary summary;
  summary.count = values.size();
  if (values.empty()) return summary;
  double sum = 0.0;
  for (const double value : values) sum += value;
  summary.mean = sum / static_cast<double>(values.size());
  // The rounding error of the sum must not show as a deviation (or as a mean that none of the values has)
  // where all values are the same.
  if (std::all_of(values.begin(), values.end(), [&](double value) { return value == values[0]; }))
    summary.mean = values[0];
  if (values.size() < 2 || !std::isfinite(summary.mean)) return summary;
  double squares = 0.0;
  for (const double value : values) squares += (value - summary.mean) * (value - summary.mean);
  summary.deviation = std::sqrt(squares / static_cast<double>(values.size() - 1));
  return summary;
}

ScoreGrid::ScoreGrid(const ResultSet& results, const Metric& metric)
    : metric_(metric),
      algorithms_(results.algorithms.size()),
      cells_(results.datasets.size() * results.algorithms.size()),
      shapes_(results.datasets.size()),
      inapplicable_(results.datasets.size(), false) {
  const auto missing_repeats = collect(results);
  keep_finished_models();
  set_unfinished_aside(missing_repeats);
  find_incomplete();
  for (std::size_t dataset = 0; dataset < datasets(); ++dataset) {
    for (std::size_t algorithm = 0; algorithm < algorithms_; ++algorithm)
      cells_[dataset * algorithms_ + algorithm].summary = summarise(values(dataset, algorithm));
  }
}

std::vector<std::set<int>> ScoreGrid::collect(const ResultSet& results) {
  std::vector<std::set<int>> missing_repeats(cells_.size());
  const NameIndex dataset_index(results.datasets);
  const NameIndex algorithm_index(results.algorithms);
  std::vector<std::set<int>> repeats(datasets());
  std::vector<std::set<int>> folds(datasets());
  std::vector<bool> has_trials(datasets(), false);
  std::vector<bool> has_scores(datasets(), false);
  // Finds the cell of a row or hole, if it has one, and takes note of its repeat and fold.
  const auto locate = [&](const auto& entry) -> std::pair<std::size_t, GridCell*> {
    const auto dataset = dataset_index.find(entry.dataset);
    const auto algorithm = algorithm_index.find(entry.algorithm);
    if (!dataset || !algorithm) return {0, nullptr};
    repeats[*dataset].insert(entry.repeat);
    folds[*dataset].insert(entry.fold);
    return {*dataset, &cells_[*dataset * algorithms_ + *algorithm]};
  };
  // The rows of a trial mostly follow each other: its place is looked up once.
  const ResultRow* last = nullptr;
  std::pair<std::size_t, GridCell*> place{0, nullptr};
  for (const ResultRow& row : results.rows) {
    const bool same_trial = last != nullptr && row.repeat == last->repeat && row.fold == last->fold &&
                            row.algorithm == last->algorithm && row.dataset == last->dataset;
    if (!same_trial) place = locate(row);
    last = &row;
    const auto [dataset, cell] = place;
    if (cell == nullptr) continue;
    has_trials[dataset] = true;
    if (row.metric != metric_.name) continue;
    has_scores[dataset] = true;
    cell->trials.push_back({row.repeat, row.fold, row.value});
  }
  for (std::size_t dataset = 0; dataset < datasets(); ++dataset)
    inapplicable_[dataset] = has_trials[dataset] && !has_scores[dataset];
  for (const Hole& hole : results.holes) {
    GridCell* const found = locate(hole).second;
    if (found == nullptr) continue;
    GridCell& cell = *found;
    if (hole.reason == "missing") {
      ++cell.missing;
      missing_repeats[static_cast<std::size_t>(found - cells_.data())].insert(hole.repeat);
    } else {
      if (cell.failed++ == 0) cell.failure = hole.reason;
    }
  }
  for (std::size_t dataset = 0; dataset < datasets(); ++dataset)
    shapes_[dataset] = {repeats[dataset].size(), folds[dataset].size()};
  return missing_repeats;
}

void ScoreGrid::keep_finished_models() {
  const auto trial = [](const TrialScore& score) { return std::tuple(score.repeat, score.fold); };
  for (GridCell& cell : cells_) {
    auto& trials = cell.trials;
    std::stable_sort(trials.begin(), trials.end(),
                     [&](const TrialScore& a, const TrialScore& b) { return trial(a) < trial(b); });
    std::vector<TrialScore> finished;
    for (std::size_t i = 0; i < trials.size(); ++i) {
      if (i + 1 < trials.size() && trial(trials[i]) == trial(trials[i + 1])) continue;
      if (std::isnan(trials[i].value)) {
        ++cell.undefined;
      } else {
        finished.push_back(trials[i]);
      }
    }
    trials = std::move(finished);
  }
}

void ScoreGrid::set_unfinished_aside(const std::vector<std::set<int>>& missing_repeats) {
  for (std::size_t dataset = 0; dataset < datasets(); ++dataset) {
    const auto cells = std::span(cells_).subspan(dataset * algorithms_, algorithms_);
    std::set<int> scored;
    std::set<int> unfinished;
    for (std::size_t algorithm = 0; algorithm < algorithms_; ++algorithm) {
      const auto& trials = cells[algorithm].trials;
      if (trials.empty()) continue;
      for (const TrialScore& score : trials) scored.insert(score.repeat);
      const std::set<int>& missing = missing_repeats[dataset * algorithms_ + algorithm];
      unfinished.insert(missing.begin(), missing.end());
    }
    if (std::ranges::includes(unfinished, scored)) continue;
    for (GridCell& cell : cells)
      cell.aside = std::erase_if(cell.trials,
                                 [&](const TrialScore& score) { return unfinished.contains(score.repeat); });
  }
}

void ScoreGrid::find_incomplete() {
  for (std::size_t dataset = 0; dataset < datasets(); ++dataset) {
    std::set<std::pair<int, int>> scored;
    for (std::size_t algorithm = 0; algorithm < algorithms_; ++algorithm) {
      for (const TrialScore& score : cell(dataset, algorithm).trials)
        scored.emplace(score.repeat, score.fold);
    }
    for (std::size_t algorithm = 0; algorithm < algorithms_; ++algorithm) {
      GridCell& cell = cells_[dataset * algorithms_ + algorithm];
      cell.complete = !cell.trials.empty() && cell.trials.size() == scored.size();
    }
  }
}

std::vector<double> ScoreGrid::values(std::size_t dataset, std::size_t algorithm) const {
  const std::vector<TrialScore>& trials = cell(dataset, algorithm).trials;
  std::vector<double> values;
  if (shapes_[dataset].repeats < 2) {
    for (const TrialScore& score : trials) values.push_back(score.value);
    return values;
  }
  for (std::size_t begin = 0; begin < trials.size();) {
    std::size_t end = begin;
    std::vector<double> folds;
    for (; end < trials.size() && trials[end].repeat == trials[begin].repeat; ++end)
      folds.push_back(trials[end].value);
    values.push_back(summarise(folds).mean);
    begin = end;
  }
  return values;
}

}  // namespace coppice
