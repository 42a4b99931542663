#include "experiments/statistics/pairwise.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/base/portable_math.h"
#include "experiments/statistics/distributions.h"

namespace coppice {

namespace {

constexpr int posterior_samples = 50000;

double over_deviation(double mean, double deviation) {
  if (deviation > 0.0) return mean / deviation;
  return mean == 0.0 ? 0.0 : std::copysign(std::numeric_limits<double>::infinity(), mean);
}

/// Weights of the observations in one draw from the posterior; the prior's pseudo-observation comes first.
void draw_weights(Stream& stream, std::vector<double>& weights) {
  // Gamma variables over their sum are Dirichlet: shape 1/2 is half the square of a normal, shape 1 is
  // exponential.
  const double normal = stream.normal();
  weights[0] = 0.5 * normal * normal;
  for (std::size_t i = 1; i < weights.size(); ++i) weights[i] = -portable_log(1.0 - stream.uniform());
  const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
  for (double& weight : weights) weight /= sum;
}

/// For the sorted differences z: for each i the number of j with z_i + z_j < -2 rope, and the number with
/// z_i + z_j ≤ 2 rope.
struct PairLimits {
  std::vector<std::size_t> below;
  std::vector<std::size_t> within;

  PairLimits(const std::vector<double>& sorted, double rope) {
    for (const double value : sorted) {
      const auto lower = std::lower_bound(sorted.begin(), sorted.end(), -2.0 * rope - value);
      const auto upper = std::upper_bound(sorted.begin(), sorted.end(), 2.0 * rope - value);
      below.push_back(static_cast<std::size_t>(lower - sorted.begin()));
      within.push_back(std::max(below.back(), static_cast<std::size_t>(upper - sorted.begin())));
    }
  }
};

}  // namespace

PairedTTest paired_t_test(std::span<const double> first, std::span<const double> second,
                          double test_to_train) {
  PairedTTest test;
  test.pairs = first.size();
  const auto n = static_cast<double>(test.pairs);
  for (std::size_t i = 0; i < first.size(); ++i) test.mean_difference += (first[i] - second[i]) / n;
  double squares = 0.0;
  for (std::size_t i = 0; i < first.size(); ++i) {
    const double deviation = first[i] - second[i] - test.mean_difference;
    squares += deviation * deviation;
  }
  test.deviation = std::sqrt(squares / (n - 1.0));
  test.cohen_d = over_deviation(test.mean_difference, test.deviation);
  test.t = over_deviation(test.mean_difference, test.deviation * std::sqrt(1.0 / n + test_to_train));
  test.p = student_two_sided(test.t, n - 1.0);
  return test;
}

std::vector<double> holm_adjusted(std::span<const double> probabilities) {
  std::vector<std::size_t> order(probabilities.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return probabilities[a] < probabilities[b]; });
  std::vector<double> adjusted(probabilities.size());
  double highest = 0.0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const double scaled = probabilities[order[i]] * static_cast<double>(order.size() - i);
    highest = std::max(highest, std::min(1.0, scaled));
    adjusted[order[i]] = highest;
  }
  return adjusted;
}

BayesianSignedRank bayesian_signed_rank(std::span<const double> first, std::span<const double> second,
                                        double rope, bool higher_is_better, Stream stream) {
  // The pseudo-observation of the prior is a difference of zero; find its place after sorting.
  std::vector<double> differences{0.0};
  for (std::size_t i = 0; i < first.size(); ++i)
    differences.push_back(higher_is_better ? first[i] - second[i] : second[i] - first[i]);
  std::vector<std::size_t> order(differences.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return differences[a] < differences[b]; });
  std::vector<double> sorted;
  for (const std::size_t i : order) sorted.push_back(differences[i]);
  const PairLimits limits(sorted, rope);

  std::vector<double> weights(differences.size());
  std::vector<double> cumulated(differences.size() + 1, 0.0);
  std::array<int, 3> wins{};
  for (int sample = 0; sample < posterior_samples; ++sample) {
    draw_weights(stream, weights);
    for (std::size_t i = 0; i < order.size(); ++i) cumulated[i + 1] = cumulated[i] + weights[order[i]];
    std::array<double, 3> share{};  // second better, equal, first better
    for (std::size_t i = 0; i < order.size(); ++i) {
      const double weight = weights[order[i]];
      const double below = cumulated[limits.below[i]];
      const double within = cumulated[limits.within[i]];
      share[0] += weight * below;
      share[1] += weight * (within - below);
      share[2] += weight * (cumulated.back() - within);
    }
    ++wins[static_cast<std::size_t>(std::max_element(share.begin(), share.end()) - share.begin())];
  }
  const auto fraction = [](int count) { return static_cast<double>(count) / posterior_samples; };
  return {rope, fraction(wins[2]), fraction(wins[1]), fraction(wins[0])};
}

}  // namespace coppice
