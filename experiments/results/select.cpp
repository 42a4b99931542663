#include "experiments/results/select.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/base/error.h"
#include "core/base/nearest_name.h"

namespace coppice {

namespace {

/// Keeps of `names` those that one of `wanted` means.
template <typename Means>
void keep_named(std::vector<std::string>& names, const std::vector<std::string>& wanted,
                const std::string& kind, const Means& means) {
  if (wanted.empty()) return;
  for (const std::string& each : wanted)
    if (std::none_of(names.begin(), names.end(), [&](const std::string& name) { return means(each, name); }))
      throw Error(ErrorKind::usage,
                  fmt::format("these results have no {} '{}'{}", kind, each, did_you_mean(each, names)));
  std::erase_if(names, [&](const std::string& name) {
    return std::none_of(wanted.begin(), wanted.end(),
                        [&](const std::string& each) { return means(each, name); });
  });
}

}  // namespace

void select_results(ResultSet& results, const std::vector<std::string>& datasets,
                    const std::vector<std::string>& algorithms) {
  keep_named(results.datasets, datasets, "dataset",
             [](const std::string& wanted, const std::string& name) { return wanted == name; });
  keep_named(results.algorithms, algorithms, "algorithm",
             [&](const std::string& wanted, const std::string& name) {
               const AlgorithmDetail* detail = results.algorithm_detail(name);
               return wanted == name || (detail != nullptr && wanted == detail->id);
             });
  const auto kept = [](const std::vector<std::string>& names, const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  std::erase_if(results.published, [&](const PublishedScore& score) {
    return (!datasets.empty() && !kept(results.datasets, score.dataset)) ||
           (!algorithms.empty() && !kept(results.algorithms, score.algorithm));
  });
}

}  // namespace coppice
