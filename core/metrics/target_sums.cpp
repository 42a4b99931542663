#include "core/metrics/target_sums.h"

#include <cmath>

namespace coppice {

TargetSums::TargetSums(std::size_t outputs, std::vector<double> baseline)
    : baseline_(std::move(baseline)), sums_(outputs) {
  baseline_.resize(outputs, 0.0);
}

void TargetSums::add(std::span<const double> targets, std::span<const double> predicted) {
  ++rows_;
  const auto count = static_cast<double>(rows_);
  for (std::size_t j = 0; j < sums_.size(); ++j) {
    TargetSum& sum = sums_[j];
    const double error = targets[j] - predicted[j];
    sum.squared_error += error * error;
    sum.absolute_error += std::abs(error);
    const double from_baseline = targets[j] - baseline_[j];
    sum.baseline_error += from_baseline * from_baseline;
    const double from_old_mean = targets[j] - sum.mean;
    sum.mean += from_old_mean / count;
    sum.deviation += from_old_mean * (targets[j] - sum.mean);
  }
}

std::optional<std::size_t> TargetSums::first_overflow() const {
  for (std::size_t j = 0; j < sums_.size(); ++j)
    if (!std::isfinite(sums_[j].squared_error + sums_[j].baseline_error + sums_[j].deviation)) return j;
  return std::nullopt;
}

}  // namespace coppice
