#include "experiments/results/combine.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "core/base/error.h"

namespace coppice {

namespace {

template <typename T, typename Same>
void add_new(std::vector<T>& all, const std::vector<T>& more, const Same& same) {
  for (const T& item : more)
    if (std::none_of(all.begin(), all.end(), [&](const T& there) { return same(there, item); }))
      all.push_back(item);
}

}  // namespace

ResultSet combine(const std::vector<ResultSet>& parts) {
  ResultSet whole;
  std::set<std::pair<std::string, std::string>> seen;
  for (const ResultSet& part : parts) {
    const auto same_text = [](const std::string& a, const std::string& b) { return a == b; };
    add_new(whole.datasets, part.datasets, same_text);
    add_new(whole.algorithms, part.algorithms, same_text);
    add_new(whole.metrics, part.metrics, [](const Metric& a, const Metric& b) { return a.name == b.name; });
    const auto same_name = [](const auto& a, const auto& b) { return a.name == b.name; };
    add_new(whole.dataset_details, part.dataset_details, same_name);
    add_new(whole.algorithm_details, part.algorithm_details, same_name);
    whole.published.insert(whole.published.end(), part.published.begin(), part.published.end());
    whole.chosen.insert(whole.chosen.end(), part.chosen.begin(), part.chosen.end());
    if (whole.published_source.empty()) whole.published_source = part.published_source;
    std::set<std::pair<std::string, std::string>> here;
    for (const ResultRow& row : part.rows) here.emplace(row.dataset, row.algorithm);
    for (const auto& [dataset, algorithm] : here)
      if (!seen.emplace(dataset, algorithm).second)
        throw Error(
            ErrorKind::usage,
            fmt::format(
                "two of the folders have results of '{}' on '{}'; rename one with 'id', or give one folder",
                algorithm, dataset));
    whole.rows.insert(whole.rows.end(), part.rows.begin(), part.rows.end());
    whole.holes.insert(whole.holes.end(), part.holes.begin(), part.holes.end());
    whole.planned_trials += part.planned_trials;
    whole.finished_trials += part.finished_trials;
    whole.failed_trials += part.failed_trials;
  }
  return whole;
}

}  // namespace coppice
