#include "experiments/report/metric_comparisons.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/base/error.h"
#include "experiments/tables/number_format.h"

namespace coppice {

std::vector<MetricComparison> compare_all_metrics(const ResultSet& results, double alpha) {
  std::vector<MetricComparison> all;
  CompareOptions options;
  options.alpha = alpha;
  options.bayesian = false;
  for (const Metric& metric : results.metrics) {
    if (metric.description->cost) continue;
    MetricComparison entry;
    entry.metric = &metric;
    try {
      entry.comparison = compare_algorithms(results, metric, options);
    } catch (const Error& error) {
      entry.why_not = error.message();
    }
    all.push_back(std::move(entry));
  }
  return all;
}

std::string headline(const MetricComparison& each) {
  if (!each.comparison) return each.why_not;
  const Comparison& comparison = *each.comparison;
  if (!comparison.nemenyi)
    return fmt::format("{}: one dataset with all trials; see its tests below", comparison.metric);
  const NemenyiTest& nemenyi = *comparison.nemenyi;
  const std::size_t leader = nemenyi.order[0];
  const std::string text =
      fmt::format("{}: best average rank {} ({:.2f} over {} datasets; Friedman p = {})", comparison.metric,
                  comparison.algorithms[leader], comparison.friedman->average_ranks[leader],
                  comparison.datasets.size(), probability_text(comparison.friedman->chi_square_p));
  if (nemenyi.bars.empty() || nemenyi.bars[0].first > 0)
    return text + ", significantly better than every other (Nemenyi)";
  std::vector<std::string> others;
  for (std::size_t place = 1; place <= nemenyi.bars[0].last; ++place)
    others.push_back(comparison.algorithms[nemenyi.order[place]]);
  return text + fmt::format(", not significantly better (Nemenyi) than {}", fmt::join(others, ", "));
}

}  // namespace coppice
