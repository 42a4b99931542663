#pragma once

#include <algorithm>
#include <cmath>

#include "core/base/portable_math.h"
#include "core/losses/loss.h"

namespace coppice {

/// 1 / (1 + e^-2f): the probability of a label that the logistic and the exponential loss both estimate.
inline double logistic_probability(double score) {
  if (score < 0.0) {
    const double odds = portable_exp(2.0 * score);
    return odds / (1.0 + odds);
  }
  return 1.0 / (1.0 + portable_exp(-2.0 * score));
}

/// Half the logarithm of the odds of a label. A label that all rows have, or none, counts half a row of the
/// other kind.
inline double half_log_odds(const LossTargets& targets) {
  const double positive = std::max(0.5, static_cast<double>(targets.positives().size()));
  const double negative = std::max(0.5, static_cast<double>(targets.rows() - targets.positives().size()));
  return 0.5 * portable_log(positive / negative);
}

/// The largest absolute value.
inline double largest_size(std::span<const double> values) {
  double largest = 0.0;
  for (const double value : values) largest = std::max(largest, std::abs(value));
  return largest;
}

}  // namespace coppice
