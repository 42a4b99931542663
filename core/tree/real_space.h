#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/tree/real_grid.h"
#include "core/tree/sample.h"

namespace coppice {

/// The output space of real vectors under the variance impurity (thesis 3.23). A node's targets are copied
/// and centred, so that the reduction of the weighted variance by a split is |S_L|² · W / (W_L · W_R), with
/// S_L the sum of the left side: one sum of squares per candidate and no cancellation.
///
/// An output space knows the totals of one node at a time and the sums of one side of a split under
/// construction; `score` is larger for better splits and a function of the partition only.
template <bool single>
class RealSpace {
 public:
  RealSpace(const RealGrid& grid, const Sample& sample)
      : grid_(&grid),
        weights_(sample.weights.data()),
        stride_(single ? 1 : grid.stride()),
        start_(stride_, 0.0),
        side_(stride_, 0.0) {}

  void enter(std::span<const std::uint32_t> rows) {
    pure_ = all_equal(rows);
    if (pure_) return;
    start_.assign(stride_, 0.0);
    weight_ = 0.0;
    for (const std::uint32_t row : rows) {
      const double weight = weights_[row];
      const double* values = grid_->row(row);
      weight_ += weight;
      for (std::size_t j = 0; j < stride_; ++j) start_[j] += weight * values[j];
    }
    centre_.resize(stride_);
    for (std::size_t j = 0; j < stride_; ++j) {
      const double steps = std::floor(start_[j] / weight_ * grid_->inverse_step()[j] + 0.5);
      centre_[j] = steps * grid_->step()[j];
      start_[j] = (weight_ * centre_[j] - start_[j]) / 2.0;
    }
    local_.resize(rows.size() * stride_);
    local_weight_.resize(rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const double weight = weights_[rows[i]];
      const double* values = grid_->row(rows[i]);
      local_weight_[i] = weight;
      for (std::size_t j = 0; j < stride_; ++j) local_[i * stride_ + j] = weight * (values[j] - centre_[j]);
    }
  }
  bool pure() const { return pure_; }
  double weight() const { return weight_; }
  /// The score of not splitting at all.
  double base_score() const { return 0.0; }

  void clear_side() {
    side_ = start_;
    side_weight_ = 0.0;
  }
  /// Adds the i-th row of the node to the side.
  void add(std::size_t i) {
    const double* values = local_.data() + i * stride_;
    for (std::size_t j = 0; j < stride_; ++j) side_[j] += values[j];
    side_weight_ += local_weight_[i];
  }
  /// The score of the split into the side and the rest.
  double score() const { return squares() * (weight_ / (side_weight_ * (weight_ - side_weight_))); }

 private:
  bool all_equal(std::span<const std::uint32_t> rows) const {
    const double* first = grid_->row(rows[0]);
    for (const std::uint32_t row : rows) {
      const double* values = grid_->row(row);
      for (std::size_t j = 0; j < stride_; ++j)
        if (values[j] != first[j]) return false;
    }
    return true;
  }

  /// |S_L|², in four interleaved sums that every vector width adds up alike.
  double squares() const {
    if constexpr (single) return side_[0] * side_[0];
    std::array<double, 4> sums{};
    for (std::size_t j = 0; j < stride_; j += 4)
      for (std::size_t lane = 0; lane < 4; ++lane) sums[lane] += side_[j + lane] * side_[j + lane];
    return (sums[0] + sums[1]) + (sums[2] + sums[3]);
  }

  const RealGrid* grid_;
  const std::uint32_t* weights_;
  std::size_t stride_;
  bool pure_ = false;
  double weight_ = 0.0;
  std::vector<double> centre_;
  std::vector<double> start_;  ///< minus half of what centring left over, less than a grid step for each row:
                               ///< where a side starts, so that both sides have the same sum of squares
  std::vector<double> local_;  ///< the node's weighted, centred targets
  std::vector<double> local_weight_;
  std::vector<double> side_;
  double side_weight_ = 0.0;
};

}  // namespace coppice
