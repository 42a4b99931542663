#pragma once

#include <optional>
#include <string>
#include <vector>

#include "experiments/results/result_set.h"
#include "experiments/tables/number_format.h"
#include "experiments/tables/score_grid.h"
#include "experiments/tables/table.h"

namespace coppice {

/// A cell without a score.
inline const std::string no_value = "—";
/// Behind a mean that lacks some of its trials.
inline const std::string incomplete_mark = " †";

/// What `--rows` takes.
enum class TableRows { datasets, algorithms };

/// Throws Error(usage) with the known names.
TableRows parse_table_rows(const std::string& name);

/// How a comparison table is to look.
struct ComparisonOptions {
  TableRows rows = TableRows::datasets;
  bool ranks = true;  ///< behind each mean, and their average below
  /// Mark what is better or worse than this algorithm on the same dataset, by the paired t-test over trials
  /// that test_on_dataset goes by.
  std::optional<std::string> baseline = std::nullopt;
  double alpha = 0.05;
};

/// The ranks of the algorithms on every dataset, and their averages.
///
/// Ranks are by the unrounded means, ties averaged. An algorithm that lacks a trial which another algorithm
/// has on that dataset is not ranked there. The average rank is over the datasets where every algorithm is
/// ranked, leaving out algorithms that are ranked nowhere: only then are the averages of two algorithms
/// comparable.
struct RankTable {
  std::vector<std::vector<std::optional<double>>> ranks;  ///< [dataset][algorithm]
  std::vector<std::optional<double>> averages;            ///< [algorithm]
  std::vector<bool> averaged;                             ///< [dataset]: whether it counts in the averages
  std::size_t datasets_averaged = 0;
};

RankTable rank_algorithms(const ScoreGrid& grid);

/// One format for all algorithms on a dataset.
NumberFormat dataset_format(const ScoreGrid& grid, std::size_t dataset);

/// `0.612 ± 0.011`, or the mean alone where there is no deviation.
std::string summary_text(const NumberFormat& format, const Summary& summary);

/// Datasets × algorithms for one metric: mean ± deviation (rank), the best in bold, the second underlined,
/// holes marked and explained. Datasets that the metric does not apply to are left out.
Table comparison_table(const ResultSet& results, const Metric& metric, const ComparisonOptions& options = {});

}  // namespace coppice
