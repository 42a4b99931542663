#pragma once

#include <optional>
#include <string>

#include "experiments/results/result_set.h"
#include "experiments/statistics/pairwise.h"
#include "experiments/tables/score_grid.h"

namespace coppice {

/// Two algorithms on one dataset, over the trials that both have.
struct DatasetTest {
  PairedTTest student;  ///< takes the trials as independent
  /// Nadeau and Bengio's, where the trials draw their splits from the same rows.
  std::optional<PairedTTest> corrected;
  /// Whether it is unknown if the trials are independent.
  bool unsure = false;

  /// The one to go by.
  const PairedTTest& best() const { return corrected ? *corrected : student; }
};

/// None where fewer than two trials are shared. Folds of repeated cross-validation all count as trials
/// (Bouckaert and Frank 2004).
std::optional<DatasetTest> test_on_dataset(const ScoreGrid& grid, const ResultSet& results,
                                           std::size_t dataset, std::size_t first, std::size_t second);

}  // namespace coppice
