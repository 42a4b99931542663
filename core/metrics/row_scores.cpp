#include "core/metrics/row_scores.h"

#include <cmath>

namespace coppice {

std::optional<std::size_t> RowScores::first_nan() const {
  // Counted first without a branch: rows without a NaN are the rule, and this loop runs over all scores.
  std::uint64_t nans = 0;
  for (const double value : values) nans += std::isnan(value) ? 1U : 0U;
  if (nans == 0) return std::nullopt;
  const auto found =
      std::find_if(values.begin(), values.end(), [](double value) { return std::isnan(value); });
  return static_cast<std::size_t>(found - values.begin());
}

std::optional<std::size_t> RowScores::first_misplaced() const {
  for (std::size_t i = 0; i < labels.size(); ++i)
    if (labels[i] >= outputs || (i > 0 && labels[i] <= labels[i - 1])) return i;
  return std::nullopt;
}

std::uint32_t RowScores::best() const {
  std::size_t best = 0;
  for (std::size_t i = 1; i < listed(); ++i)
    if (values[i] > values[best]) best = i;
  if (dense || (listed() > 0 && values[best] > 0.0)) return label(best);
  // No listed score is above those that are not listed: the lowest label that scores 0, if there is any.
  for (std::size_t i = 0; i < listed(); ++i) {
    if (labels[i] != i) return static_cast<std::uint32_t>(i);
    if (values[i] == 0.0) return labels[i];
  }
  return listed() < outputs ? static_cast<std::uint32_t>(listed()) : label(best);
}

}  // namespace coppice
