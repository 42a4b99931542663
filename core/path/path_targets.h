#pragma once

#include <cstddef>
#include <functional>
#include <vector>

namespace coppice {

/// What a linear model on node indicators is fitted to.
struct PathTargets {
  std::size_t rows = 0;
  std::size_t outputs = 1;
  /// The values of one output in all rows: made when asked for, so that label sets stay sparse.
  std::function<std::vector<double>(std::size_t output)> column;
  bool logistic = false;  ///< 0/1 outputs; scores are then log-odds

  /// The outputs [first, first + width) of each row after each other.
  std::vector<double> together(std::size_t first, std::size_t width) const;
};

/// Mean and standard deviation of each output over the rows; a deviation of 0 for a constant one.
struct TargetScales {
  /// `values` has the outputs of each row after each other.
  TargetScales(const std::vector<double>& values, std::size_t outputs);

  std::vector<double> means;
  std::vector<double> deviations;
};

}  // namespace coppice
