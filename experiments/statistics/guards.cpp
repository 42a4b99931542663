#include "experiments/statistics/guards.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace coppice {

namespace {

// Demšar 2006, section 3.2.2: the chi-square approximation holds for more than 10 datasets and 5 algorithms;
// below this many even the Friedman test means little.
constexpr std::size_t few_datasets = 5;

bool lists(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

void warn_of_gaps(const Comparison& comparison, const ResultSet& results, const ScoreGrid& grid,
                  std::vector<std::string>& warnings) {
  std::vector<std::string> datasets;
  for (std::size_t dataset = 0; dataset < results.datasets.size(); ++dataset)
    if (!grid.inapplicable(dataset) && !lists(comparison.datasets, results.datasets[dataset]))
      datasets.push_back(results.datasets[dataset]);
  if (!datasets.empty())
    warnings.push_back(fmt::format("left out, as not every algorithm has all its trials there: {}",
                                   fmt::join(datasets, ", ")));
  std::vector<std::string> algorithms;
  for (const std::string& algorithm : results.algorithms)
    if (!lists(comparison.algorithms, algorithm)) algorithms.push_back(algorithm);
  if (!algorithms.empty())
    warnings.emplace_back(
        fmt::format("left out, as they have all trials on no dataset: {}", fmt::join(algorithms, ", ")));
}

void warn_of_few_datasets(const Comparison& comparison, std::vector<std::string>& warnings) {
  const std::size_t count = comparison.datasets.size();
  if (count == 1) {
    warnings.emplace_back(
        "one dataset only: tests over datasets (Friedman, Wilcoxon) say nothing; what can be said is about "
        "this dataset");
    return;
  }
  if (count < few_datasets)
    warnings.push_back(fmt::format("{} datasets are too few to conclude anything about others", count));
  // With n pairs of one sign the exact two-sided p is 2 / 2^n.
  const double least = std::pow(2.0, 1.0 - static_cast<double>(count));
  if (least > comparison.options.alpha)
    warnings.emplace_back(
        fmt::format("with {} datasets the Wilcoxon test cannot give p below {:.2g}", count, least));
}

void warn_of_posthoc(const Comparison& comparison, std::vector<std::string>& warnings) {
  if (!comparison.friedman) return;
  if (comparison.friedman->f_p > comparison.options.alpha)
    warnings.emplace_back(
        fmt::format("the Friedman test does not reject that all algorithms are equivalent at {}: differences "
                    "between pairs below are not to be relied on",
                    comparison.options.alpha));
  if (comparison.nemenyi->overlapping)
    warnings.emplace_back(
        "bars of the critical-difference diagram overlap: an algorithm in two of them is not told apart from "
        "either end, although the ends differ; \"not different\" is not \"the same\"");
}

void warn_of_parts(const Comparison& comparison, const ResultSet& results,
                   std::vector<std::string>& warnings) {
  std::map<std::string, std::size_t> counts;
  std::set<std::string> in_parts;
  for (const std::string& name : comparison.datasets)
    if (const DatasetDetail* detail = results.dataset_detail(name)) {
      ++counts[detail->source];
      if (detail->part) in_parts.insert(detail->source);
    }
  std::erase_if(in_parts, [&](const std::string& source) { return counts[source] < 2; });
  if (!in_parts.empty())
    warnings.push_back(
        fmt::format("several datasets are parts of the same data ({}): tests over datasets take them for "
                    "independent and find too much; compare one part at a time with --only",
                    fmt::join(in_parts, ", ")));
}

void warn_of_dependence(const Comparison& comparison, std::vector<std::string>& warnings) {
  const auto any = [&](auto condition) {
    return std::any_of(comparison.on_datasets.begin(), comparison.on_datasets.end(),
                       [&](const DatasetComparison& each) { return condition(each.test); });
  };
  if (any([](const DatasetTest& test) { return test.corrected.has_value(); }))
    warnings.emplace_back(
        "trials on one dataset share training rows, so Student's t on them finds too much; go by the "
        "corrected resampled t-test");
  if (any([](const DatasetTest& test) { return test.unsure; }))
    warnings.emplace_back(
        "it is not known whether trials on one dataset share rows; if they do, Student's t on them finds too "
        "much");
}

}  // namespace

std::vector<std::string> guard_warnings(const Comparison& comparison, const ResultSet& results,
                                        const ScoreGrid& grid) {
  std::vector<std::string> warnings;
  warn_of_gaps(comparison, results, grid, warnings);
  warn_of_few_datasets(comparison, warnings);
  warn_of_parts(comparison, results, warnings);
  warn_of_posthoc(comparison, warnings);
  warn_of_dependence(comparison, warnings);
  return warnings;
}

}  // namespace coppice
