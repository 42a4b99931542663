#include "core/metrics/bias_variance.h"

#include <algorithm>

namespace coppice {

namespace {

/// The unbiased variance of `count` values with this sum and this sum of squares; 0 for a single one.
double variance_of(double sum, double squares, std::size_t count) {
  if (count < 2) return 0.0;
  const auto n = static_cast<double>(count);
  return (squares - sum * sum / n) / (n - 1.0);
}

}  // namespace

BiasVariance::BiasVariance(std::size_t points, std::size_t outputs, std::size_t learning_sets,
                           std::size_t projections, std::size_t seeds)
    : points_(points), outputs_(outputs), projections_(projections), seeds_(seeds), sets_(learning_sets) {}

void BiasVariance::add(std::size_t learning_set, std::span<const double> predictions) {
  LearningSet& set = sets_[learning_set];
  if (set.models == 0) {
    set.first.assign(predictions.begin(), predictions.end());
    for (auto* sums : {&set.seed_sum, &set.seed_squares, &set.mean_sum, &set.mean_squares})
      sums->assign(predictions.size(), 0.0);
  }
  for (std::size_t i = 0; i < predictions.size(); ++i) {
    const double value = predictions[i] - set.first[i];
    set.seed_sum[i] += value;
    set.seed_squares[i] += value * value;
  }
  if (++set.models % seeds_ == 0) close_projection(set);
}

void BiasVariance::close_projection(LearningSet& set) const {
  for (std::size_t i = 0; i < set.first.size(); ++i) {
    const double mean = set.seed_sum[i] / static_cast<double>(seeds_);
    set.mean_sum[i] += mean;
    set.mean_squares[i] += mean * mean;
    set.seed_variance += variance_of(set.seed_sum[i], set.seed_squares[i], seeds_);
  }
  std::fill(set.seed_sum.begin(), set.seed_sum.end(), 0.0);
  std::fill(set.seed_squares.begin(), set.seed_squares.end(), 0.0);
}

std::map<std::string, double> BiasVariance::parts(std::span<const double> observed,
                                                  std::optional<std::span<const double>> noise_free) const {
  const auto sets = static_cast<double>(sets_.size());
  const auto projections = static_cast<double>(projections_);
  const auto seeds = static_cast<double>(seeds_);
  const auto points = static_cast<double>(points_);
  const std::size_t values = points_ * outputs_;

  double over_seeds = 0.0;
  for (const LearningSet& set : sets_) over_seeds += set.seed_variance / projections;
  const double algorithm = over_seeds / sets / points;

  double over_projections = 0.0;  // of the means over seeds
  for (const LearningSet& set : sets_)
    for (std::size_t i = 0; i < values; ++i)
      over_projections += variance_of(set.mean_sum[i], set.mean_squares[i], projections_);
  const double projection = projections_ < 2 ? 0.0 : over_projections / sets / points - algorithm / seeds;

  double over_sets = 0.0;  // of the means over projections and seeds
  double from_truth = 0.0;
  double residual = 0.0;
  const std::span<const double> truth = noise_free.value_or(observed);
  for (std::size_t i = 0; i < values; ++i) {
    double sum = 0.0;
    double squares = 0.0;
    const double around = sets_.front().first[i];
    for (const LearningSet& set : sets_) {
      const double mean = set.first[i] + set.mean_sum[i] / projections - around;
      sum += mean;
      squares += mean * mean;
    }
    over_sets += variance_of(sum, squares, sets_.size());
    const double distance = around + sum / sets - truth[i];
    from_truth += distance * distance;
    residual += (observed[i] - truth[i]) * (observed[i] - truth[i]);
  }
  const double within = projection / projections + algorithm / (projections * seeds);
  const double learning_set = over_sets / points - within;
  const double bias = from_truth / points - (learning_set + within) / sets;
  const double variance = learning_set + projection + algorithm;
  return {{"residual-error", residual / points},
          {"squared-bias", bias},
          {"variance", variance},
          {"variance-learning-set", learning_set},
          {"variance-projection", projection},
          {"variance-algorithm", algorithm},
          {"expected-error", residual / points + bias + variance}};
}

}  // namespace coppice
