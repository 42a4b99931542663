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
#include "core/tree/score_scan.h"
#include "core/tree/split_score.h"

namespace coppice {

/// The output space of real vectors under the variance impurity (thesis 3.23); LabelSpace says what an output
/// space is. A node's targets are centred, so that the reduction of the weighted variance by a
/// split is |S_L|² · W / (W_L · W_R), with S_L the sum of the left side: one sum of squares per candidate and
/// no cancellation.
template <bool single>
class RealSpace {
 public:
  struct Local {
    std::vector<std::uint32_t> rows;
    std::vector<double> weights;
    std::vector<double> values;  ///< the targets of each row times its weight
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
    local.values.resize(rows.size() * stride_);
    for (std::size_t id = 0; id < rows.size(); ++id) {
      local.weights[id] = weights_[rows[id]];
      const double* values = grid_->row(rows[id]);
      for (std::size_t j = 0; j < stride_; ++j)
        local.values[id * stride_ + j] = local.weights[id] * values[j];
    }
  }

  void clear(const Local& /*local*/, Totals& totals) const {
    totals.weight = 0.0;
    totals.sums.assign(stride_, 0.0);
  }
  void add(const Local& local, std::uint32_t id, Totals& totals) const {
    const double* values = local.values.data() + id * stride_;
    for (std::size_t j = 0; j < stride_; ++j) totals.sums[j] += values[j];
    totals.weight += local.weights[id];
  }
  void remove(const Local& local, std::uint32_t id, Totals& totals) const {
    const double* values = local.values.data() + id * stride_;
    for (std::size_t j = 0; j < stride_; ++j) totals.sums[j] -= values[j];
    totals.weight -= local.weights[id];
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

  void enter(const Local& local, const Totals& totals, std::span<const std::uint32_t> ids, bool often) {
    local_ = &local;
    all_centred_ = often;
    weight_ = totals.weight;
    for (std::size_t j = 0; j < stride_; ++j) {
      const double steps = std::floor(totals.sums[j] / weight_ * grid_->inverse_step()[j] + 0.5);
      centre_[j] = steps * grid_->step()[j];
      start_[j] = (weight_ * centre_[j] - totals.sums[j]) / 2.0;
    }
    if (!often) return;
    centred_.resize(local.values.size());
    for (const std::uint32_t id : ids) centre(id, centred_.data() + id * stride_);
  }
  double base_score() const { return 0.0; }
  std::size_t dimension() const { return stride_; }
  double add_outputs(std::uint32_t id, double* sums) const {
    const double weight = local_->weights[id];
    for (std::size_t j = 0; j < stride_; ++j)
      sums[j] += local_->values[id * stride_ + j] - weight * centre_[j];
    return weight;
  }

  class Side {
   public:
    static constexpr bool asks_wanted = false;
    explicit Side(const RealSpace& space) : space_(&space) {}

    void prefixes(std::span<const std::uint32_t> ids, const std::uint32_t* /*wanted*/, SplitScore* scores) {
      squares_.resize(ids.size());
      if (space_->all_centred_)
        follow(space_->centred_.data(), ids.data(), ids.size());
      else
        follow_some(ids);
      const double* const weights = space_->local_->weights.data();
#if COPPICE_WRITES_WIDEST
      if (has_widest_vectors()) {
        weights_.resize(ids.size());
        for (std::size_t i = 0; i < ids.size(); ++i) weights_[i] = weights[ids[i]];
        prefix_scores_widest(weights_.data(), squares_.data(), ids.size(), space_->weight_, scores);
        return;
      }
#endif
      double weight = 0.0;
      for (std::size_t i = 0; i < ids.size(); ++i) {
        weight += weights[ids[i]];
        scores[i] = space_->score(weight, squares_[i]);
      }
    }
    SplitScore part(std::span<const std::uint32_t> ids) {
      // The sum of centred targets is the sum of targets less the centre as often as the rows weigh; every
      // step is exact. So a node need not be centred as a whole for a few rows that leave it.
      double weight = 0.0;
      for (const std::uint32_t id : ids) weight += space_->local_->weights[id];
      const double* values = space_->local_->values.data();
      if constexpr (single) {
        double sum = space_->start_[0] - weight * space_->centre_[0];
        for (const std::uint32_t id : ids) sum += values[id];
        return space_->score(weight, sum * sum);
      } else {
        start_.resize(space_->stride_);
        for (std::size_t j = 0; j < start_.size(); ++j)
          start_[j] = space_->start_[j] - weight * space_->centre_[j];
        return space_->score(weight,
                             sum_square(values, space_->stride_, ids.data(), ids.size(), start_.data()));
      }
    }

   private:
    void follow(const double* centred, const std::uint32_t* ids, std::size_t count) {
      if constexpr (single)
        prefix_squares_single(
            centred, [ids](std::size_t i) { return ids[i]; }, count, space_->start_[0], squares_.data());
      else
        prefix_squares(centred, space_->stride_, ids, count, space_->start_.data(), squares_.data());
    }
    void follow_some(std::span<const std::uint32_t> ids) {
      some_.resize(ids.size() * space_->stride_);
      for (std::size_t i = 0; i < ids.size(); ++i) space_->centre(ids[i], some_.data() + i * space_->stride_);
      for (std::size_t i = order_.size(); i < ids.size(); ++i)
        order_.push_back(static_cast<std::uint32_t>(i));
      follow(some_.data(), order_.data(), ids.size());
    }

    const RealSpace* space_;
    std::vector<double> squares_;
    std::vector<double> weights_;
    std::vector<double> start_;
    std::vector<double> some_;          ///< centred targets of a few rows
    std::vector<std::uint32_t> order_;  ///< 0, 1, 2…
  };

 private:
  SplitScore score(double weight, double squares) const {
    return {squares * weight_, weight * (weight_ - weight)};
  }
  void centre(std::uint32_t id, double* centred) const {
    const double* values = local_->values.data() + id * stride_;
    const double weight = local_->weights[id];
    for (std::size_t j = 0; j < stride_; ++j) centred[j] = values[j] - weight * centre_[j];
  }

  const RealGrid* grid_;
  const std::uint32_t* weights_;
  std::size_t stride_;
  const Local* local_ = nullptr;
  double weight_ = 0.0;
  bool all_centred_ = false;
  std::vector<double> centre_;
  std::vector<double> start_;  ///< minus half of what centring left over, less than a grid step for each row:
                               ///< where a side starts, so that both sides have the same sum of squares
  std::vector<double> centred_;  ///< the node's weighted, centred targets
};

}  // namespace coppice
