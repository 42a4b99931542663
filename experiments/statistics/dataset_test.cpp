#include "experiments/statistics/dataset_test.h"

#include <tuple>
#include <vector>

namespace coppice {

namespace {

/// The size of a test part over that of a training part.
std::optional<double> test_to_train(const DatasetDetail* detail, const TrialShape& shape) {
  if (detail != nullptr && !detail->resampled) return std::nullopt;
  if (detail != nullptr && detail->train > 0 && detail->test > 0)
    return static_cast<double>(detail->test) / static_cast<double>(detail->train);
  // Cross-validation: every fold is tested by a model of all others.
  if (shape.folds > 1) return 1.0 / static_cast<double>(shape.folds - 1);
  return std::nullopt;
}

}  // namespace

std::optional<DatasetTest> test_on_dataset(const ScoreGrid& grid, const ResultSet& results,
                                           std::size_t dataset, std::size_t first, std::size_t second) {
  const auto& first_trials = grid.cell(dataset, first).trials;
  const auto& second_trials = grid.cell(dataset, second).trials;
  std::vector<double> first_scores;
  std::vector<double> second_scores;
  // Both are sorted by repeat and fold: walk them together.
  for (std::size_t i = 0, j = 0; i < first_trials.size() && j < second_trials.size();) {
    const auto place = std::tuple(first_trials[i].repeat, first_trials[i].fold);
    const auto other = std::tuple(second_trials[j].repeat, second_trials[j].fold);
    if (place == other) {
      first_scores.push_back(first_trials[i].value);
      second_scores.push_back(second_trials[j].value);
    }
    if (place <= other) ++i;
    if (other <= place) ++j;
  }
  if (first_scores.size() < 2) return std::nullopt;
  DatasetTest test;
  test.student = paired_t_test(first_scores, second_scores);
  const DatasetDetail* detail = results.dataset_detail(results.datasets[dataset]);
  if (const auto ratio = test_to_train(detail, grid.shape(dataset)))
    test.corrected = paired_t_test(first_scores, second_scores, *ratio);
  test.unsure = detail == nullptr && !test.corrected;
  return test;
}

}  // namespace coppice
