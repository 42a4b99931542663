#include "tools/chosen_metrics.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/base/error.h"

namespace coppice {

std::vector<Metric> chosen_metrics(const std::vector<std::string>& names, const ResultSet& results) {
  std::vector<Metric> chosen;
  std::string known;
  for (const Metric& metric : results.metrics) known += (known.empty() ? "" : ", ") + metric.name;
  for (const std::string& name : names) {
    const auto found = std::find_if(results.metrics.begin(), results.metrics.end(),
                                    [&](const Metric& metric) { return metric.name == name; });
    if (found == results.metrics.end())
      throw Error(ErrorKind::usage,
                  fmt::format("these results have no metric '{}'; they have {}", name, known));
    chosen.push_back(*found);
  }
  if (!chosen.empty()) return chosen;
  for (const Metric& metric : results.metrics)
    if (!metric.description->cost) chosen.push_back(metric);
  return chosen.empty() ? results.metrics : chosen;
}

}  // namespace coppice
