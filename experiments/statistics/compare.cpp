#include "experiments/statistics/compare.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/base/error.h"
#include "core/base/nearest_name.h"
#include "experiments/statistics/guards.h"
#include "experiments/tables/comparison_table.h"

namespace coppice {

namespace {

constexpr double usual_rope = 0.01;

/// Which algorithms and datasets of the results are compared.
struct ComparedCells {
  std::vector<std::size_t> algorithms;
  std::vector<std::size_t> datasets;
};

ComparedCells select(const RankTable& ranks) {
  ComparedCells selection;
  for (std::size_t algorithm = 0; algorithm < ranks.averages.size(); ++algorithm)
    if (ranks.averages[algorithm]) selection.algorithms.push_back(algorithm);
  for (std::size_t dataset = 0; dataset < ranks.averaged.size(); ++dataset)
    if (ranks.averaged[dataset]) selection.datasets.push_back(dataset);
  return selection;
}

double default_rope(const Matrix& scores) {
  std::vector<double> sizes;
  for (const auto& line : scores)
    for (const double score : line) sizes.push_back(std::abs(score));
  std::sort(sizes.begin(), sizes.end());
  if (sizes.empty() || sizes.back() <= 1.0) return usual_rope;
  return usual_rope * sizes[sizes.size() / 2];
}

std::vector<double> column(const Matrix& scores, std::size_t algorithm) {
  std::vector<double> values;
  for (const auto& line : scores) values.push_back(line[algorithm]);
  return values;
}

/// The pairs to compare: all, or the baseline with every other.
std::vector<std::pair<std::size_t, std::size_t>> pairs_of(const Comparison& comparison) {
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  const auto& names = comparison.algorithms;
  for (std::size_t first = 0; first < names.size(); ++first) {
    if (comparison.options.baseline) {
      const auto base = std::find(names.begin(), names.end(), *comparison.options.baseline) - names.begin();
      if (first != static_cast<std::size_t>(base)) pairs.emplace_back(first, static_cast<std::size_t>(base));
      continue;
    }
    for (std::size_t second = first + 1; second < names.size(); ++second) pairs.emplace_back(first, second);
  }
  return pairs;
}

PairComparison compare_pair(const Comparison& comparison, std::size_t first, std::size_t second) {
  const std::vector<double> first_scores = column(comparison.scores, first);
  const std::vector<double> second_scores = column(comparison.scores, second);
  PairComparison pair;
  pair.first = first;
  pair.second = second;
  for (std::size_t i = 0; i < first_scores.size(); ++i) {
    if (first_scores[i] == second_scores[i]) {
      ++pair.ties;
    } else {
      const bool first_higher = first_scores[i] > second_scores[i];
      ++(first_higher == comparison.higher_is_better ? pair.first_wins : pair.second_wins);
    }
  }
  pair.wilcoxon = wilcoxon_test(first_scores, second_scores, comparison.options.zeros);
  if (first_scores.size() > 1) pair.student = paired_t_test(first_scores, second_scores);
  if (comparison.nemenyi) pair.nemenyi_p = comparison.nemenyi->p[first][second];
  if (!comparison.options.bayesian) return pair;
  // The address is the names, so that a pair's figures do not depend on which others are compared.
  const Stream stream = Stream(0)
                            .at("bayesian signed-rank", comparison.metric)
                            .at("first", comparison.algorithms[first])
                            .at("second", comparison.algorithms[second]);
  pair.bayesian =
      bayesian_signed_rank(first_scores, second_scores, comparison.rope, comparison.higher_is_better, stream);
  return pair;
}

void require_comparable(const Comparison& comparison, const ResultSet& results) {
  if (comparison.options.baseline) {
    const std::string& baseline = *comparison.options.baseline;
    const auto& all = results.algorithms;
    if (std::find(all.begin(), all.end(), baseline) == all.end())
      throw Error(ErrorKind::usage, fmt::format("there is no algorithm '{}' to compare with{}", baseline,
                                                did_you_mean(baseline, all)));
    const auto& ranked = comparison.algorithms;
    if (!ranked.empty() && std::find(ranked.begin(), ranked.end(), baseline) == ranked.end())
      throw Error(ErrorKind::usage,
                  fmt::format("'{}' has no complete dataset for {}, so nothing can be compared with it; run "
                              "what is missing, or choose another baseline",
                              baseline, comparison.metric));
  }
  if (comparison.algorithms.size() < 2)
    throw Error(ErrorKind::usage,
                fmt::format("{}: a comparison needs two algorithms that have all their trials on the same "
                            "dataset, and there {} {}; run what is missing first",
                            comparison.metric, comparison.algorithms.size() == 1 ? "is" : "are",
                            comparison.algorithms.size()));
}

}  // namespace

Comparison compare_algorithms(const ResultSet& results, const Metric& metric, const CompareOptions& options) {
  const ScoreGrid grid(results, metric);
  const RankTable ranks = rank_algorithms(grid);
  const ComparedCells selection = select(ranks);
  Comparison comparison;
  comparison.metric = metric.name;
  comparison.higher_is_better = metric.description->higher_is_better;
  comparison.options = options;
  for (const std::size_t algorithm : selection.algorithms)
    comparison.algorithms.push_back(results.algorithms[algorithm]);
  require_comparable(comparison, results);

  Matrix rank_lines;
  for (const std::size_t dataset : selection.datasets) {
    comparison.datasets.push_back(results.datasets[dataset]);
    comparison.scores.emplace_back();
    rank_lines.emplace_back();
    for (const std::size_t algorithm : selection.algorithms) {
      comparison.scores.back().push_back(grid.cell(dataset, algorithm).summary.mean);
      rank_lines.back().push_back(*ranks.ranks[dataset][algorithm]);
    }
  }
  comparison.rope = options.rope.value_or(default_rope(comparison.scores));
  if (rank_lines.size() > 1) {
    comparison.friedman = friedman_test(rank_lines);
    comparison.nemenyi = nemenyi_test(*comparison.friedman, options.alpha);
  }
  std::vector<double> probabilities;
  for (const auto& [first, second] : pairs_of(comparison)) {
    comparison.pairs.push_back(compare_pair(comparison, first, second));
    probabilities.push_back(comparison.pairs.back().wilcoxon.p);
    for (std::size_t i = 0; i < selection.datasets.size(); ++i) {
      const auto test = test_on_dataset(grid, results, selection.datasets[i], selection.algorithms[first],
                                        selection.algorithms[second]);
      if (test) comparison.on_datasets.push_back({i, first, second, *test});
    }
  }
  const std::vector<double> adjusted = holm_adjusted(probabilities);
  for (std::size_t i = 0; i < adjusted.size(); ++i) comparison.pairs[i].holm = adjusted[i];
  comparison.warnings = guard_warnings(comparison, results, grid);
  return comparison;
}

}  // namespace coppice
