#pragma once

#include <optional>

#include "experiments/results/result_set.h"
#include "experiments/tables/table.h"

namespace coppice {

/// How a score of ours stands to a published one.
enum class Verdict {
  agrees,     ///< at most one standard deviation apart
  close,      ///< at most two
  better,     ///< more than two apart, ours is better
  worse,      ///< more than two apart, ours is worse
  unjudged,   ///< neither has a deviation
  not_there,  ///< we have no score
};

/// Ours against theirs. The distance is in standard deviations of the difference of two single runs,
/// √(ours² + theirs²), with what deviations there are.
struct PublishedComparison {
  PublishedScore published;
  std::optional<double> mean;  ///< ours
  std::optional<double> deviation;
  std::optional<double> distance;
  Verdict verdict = Verdict::not_there;
};

/// For each published score of the metric, in the order of the config.
std::vector<PublishedComparison> compare_with_published(const ResultSet& results, const Metric& metric);

/// Ours and theirs side by side with the distance and the verdict; none where nothing is published of the
/// datasets of the experiment.
std::optional<Table> published_table(const ResultSet& results, const Metric& metric);

}  // namespace coppice
