#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/tree/prefix_sums.h"
#include "core/tree/real_grid.h"
#include "core/tree/sample.h"
#include "core/tree/split_score.h"

namespace coppice {

/// The output space of real vectors under the variance impurity (thesis 3.23); LabelSpace says what an output
/// space is. A node's targets are copied and centred, so that the reduction of the weighted variance by a
/// split is |S_L|² · W / (W_L · W_R), with S_L the sum of the left side: one sum of squares per candidate and
/// no cancellation.
template <bool single>
class RealSpace {
 public:
  struct Local {
    std::vector<std::uint32_t> rows;
    std::vector<double> weights;
  };
  struct Totals {
    double weight = 0.0;
    std::vector<double> sums;
  };

  RealSpace(const RealGrid& grid, const Sample& sample)
      : grid_(&grid),
        weights_(sample.weights.data()),
        stride_(single ? 1 : grid.stride()),
        centre_(stride_),
        start_(stride_) {}

  void localise(std::span<const std::uint32_t> rows, Local& local) const {
    local.rows.assign(rows.begin(), rows.end());
    local.weights.resize(rows.size());
    for (std::size_t id = 0; id < rows.size(); ++id) local.weights[id] = weights_[rows[id]];
  }

  void clear(const Local& /*local*/, Totals& totals) const {
    totals.weight = 0.0;
    totals.sums.assign(stride_, 0.0);
  }
  void add(const Local& local, std::uint32_t id, Totals& totals) const {
    update(local, id, local.weights[id], totals);
  }
  void remove(const Local& local, std::uint32_t id, Totals& totals) const {
    update(local, id, -local.weights[id], totals);
  }
  bool identical(const Local& local, std::span<const std::uint32_t> ids) const {
    const double* first = grid_->row(local.rows[ids[0]]);
    return std::all_of(ids.begin() + 1, ids.end(), [&](std::uint32_t id) {
      return std::equal(first, first + stride_, grid_->row(local.rows[id]));
    });
  }

  double pair_gain(const Local& local, std::uint32_t a, std::uint32_t b) const {
    const double* first = grid_->row(local.rows[a]);
    const double* second = grid_->row(local.rows[b]);
    double squares = 0.0;
    for (std::size_t j = 0; j < stride_; ++j) squares += (first[j] - second[j]) * (first[j] - second[j]);
    return squares * (local.weights[a] * local.weights[b] / (local.weights[a] + local.weights[b]));
  }

  void enter(const Local& local, const Totals& totals, std::span<const std::uint32_t> ids, bool /*often*/) {
    local_ = &local;
    weight_ = totals.weight;
    for (std::size_t j = 0; j < stride_; ++j) {
      const double steps = std::floor(totals.sums[j] / weight_ * grid_->inverse_step()[j] + 0.5);
      centre_[j] = steps * grid_->step()[j];
      start_[j] = (weight_ * centre_[j] - totals.sums[j]) / 2.0;
    }
    centred_.resize(local.rows.size() * stride_);
    for (const std::uint32_t id : ids) {
      const double* values = grid_->row(local.rows[id]);
      double* centred = centred_.data() + id * stride_;
      for (std::size_t j = 0; j < stride_; ++j) centred[j] = local.weights[id] * (values[j] - centre_[j]);
    }
  }
  double base_score() const { return 0.0; }
  std::size_t dimension() const { return stride_; }
  double add_outputs(std::uint32_t id, double* sums) const {
    for (std::size_t j = 0; j < stride_; ++j) sums[j] += centred_[id * stride_ + j];
    return local_->weights[id];
  }

  class Side {
   public:
    explicit Side(const RealSpace& space) : space_(&space) {}

    void prefixes(std::span<const std::uint32_t> ids, const std::uint32_t* /*wanted*/, SplitScore* scores) {
      squares_.resize(ids.size());
      if constexpr (single)
        prefix_squares_single(space_->centred_.data(), ids.data(), ids.size(), space_->start_[0],
                              squares_.data());
      else
        prefix_squares(space_->centred_.data(), space_->stride_, ids.data(), ids.size(),
                       space_->start_.data(), squares_.data());
      double weight = 0.0;
      for (std::size_t i = 0; i < ids.size(); ++i) {
        weight += space_->local_->weights[ids[i]];
        scores[i] = space_->score(weight, squares_[i]);
      }
    }
    SplitScore part(std::span<const std::uint32_t> ids) const {
      double weight = 0.0;
      for (const std::uint32_t id : ids) weight += space_->local_->weights[id];
      if constexpr (!single)
        return space_->score(weight, sum_square(space_->centred_.data(), space_->stride_, ids.data(),
                                                ids.size(), space_->start_.data()));
      double sum = space_->start_[0];
      for (const std::uint32_t id : ids) sum += space_->centred_[id];
      return space_->score(weight, sum * sum);
    }

   private:
    const RealSpace* space_;
    std::vector<double> squares_;
  };

 private:
  SplitScore score(double weight, double squares) const {
    return {squares * weight_, weight * (weight_ - weight)};
  }
  void update(const Local& local, std::uint32_t id, double weight, Totals& totals) const {
    const double* values = grid_->row(local.rows[id]);
    for (std::size_t j = 0; j < stride_; ++j) totals.sums[j] += weight * values[j];
    totals.weight += weight;
  }

  const RealGrid* grid_;
  const std::uint32_t* weights_;
  std::size_t stride_;
  const Local* local_ = nullptr;
  double weight_ = 0.0;
  std::vector<double> centre_;
  std::vector<double> start_;  ///< minus half of what centring left over, less than a grid step for each row:
                               ///< where a side starts, so that both sides have the same sum of squares
  std::vector<double> centred_;  ///< the node's weighted, centred targets
};

}  // namespace coppice
