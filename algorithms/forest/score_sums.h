#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "algorithms/forest/leaf_means.h"
#include "core/tree/leaf_rows.h"

namespace coppice {

/// Adds up the scores of one row over trees. For label tasks only the labels that were met are ever touched.
class ScoreSums {
 public:
  explicit ScoreSums(std::size_t outputs) : sums_(outputs, 0.0), met_(outputs, 0), mean_(outputs) {}

  void add(std::uint32_t output, double amount) {
    if (met_[output] == 0) {
      met_[output] = 1;
      outputs_.push_back(output);
    }
    sums_[output] += amount;
  }
  /// Adds the mean of the label sets of some training rows, times `weight`.
  void add_mean_labels(const LeafRows& leaves, const NarrowArray& rows, double weight = 1.0);
  /// Adds the mean of the real outputs of some training rows.
  void add_mean_values(const LeafRows& leaves, const NarrowArray& rows);

  /// Starts from given sums of all outputs.
  void start_from(std::span<const double> sums) { sums_.assign(sums.begin(), sums.end()); }
  /// The sums of all outputs.
  std::span<const double> sums() const { return sums_; }
  /// The outputs that were met, ascending, and their sums.
  std::span<const std::uint32_t> outputs();
  std::span<const double> sums_of_outputs();
  /// Back to nothing.
  void clear();

 private:
  std::vector<double> sums_;
  std::vector<std::uint8_t> met_;
  std::vector<std::uint32_t> outputs_;
  std::vector<double> listed_;
  LeafMean mean_;
};

}  // namespace coppice
