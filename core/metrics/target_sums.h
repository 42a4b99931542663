#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace coppice {

/// Sums over the rows for one real output.
struct TargetSum {
  double squared_error = 0.0;
  double absolute_error = 0.0;
  double baseline_error = 0.0;  ///< squared error of the mean of the training rows
  double mean = 0.0;            ///< of the targets so far
  double deviation = 0.0;       ///< squared differences of the targets from their mean, summed
};

/// These sums for every output. Targets are followed with Welford's update, which needs one pass, keeps its
/// precision where the mean is large against the deviation, and gives exactly 0 for a constant target.
class TargetSums {
 public:
  /// `baseline` is the prediction of the baseline for each output; empty where nobody asks for its error.
  TargetSums(std::size_t outputs, std::vector<double> baseline);

  void add(std::span<const double> targets, std::span<const double> predicted);
  std::size_t rows() const { return rows_; }
  const std::vector<TargetSum>& sums() const { return sums_; }
  /// The first output with a sum that is beyond the range of floating point.
  std::optional<std::size_t> first_overflow() const;

 private:
  std::vector<double> baseline_;
  std::vector<TargetSum> sums_;
  std::size_t rows_ = 0;
};

}  // namespace coppice
