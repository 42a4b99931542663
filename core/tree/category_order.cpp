#include "core/tree/category_order.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace coppice {

namespace {

/// Means of groups less the mean of all.
std::vector<double> centred_means(std::span<const double> sums, std::size_t dimension,
                                  std::span<const double> weights) {
  const double total = std::accumulate(weights.begin(), weights.end(), 0.0);
  std::vector<double> centre(dimension, 0.0);
  for (std::size_t group = 0; group < weights.size(); ++group)
    for (std::size_t j = 0; j < dimension; ++j) centre[j] += sums[group * dimension + j];
  for (double& value : centre) value /= total;
  std::vector<double> means(sums.size());
  for (std::size_t group = 0; group < weights.size(); ++group)
    for (std::size_t j = 0; j < dimension; ++j)
      means[group * dimension + j] = sums[group * dimension + j] / weights[group] - centre[j];
  return means;
}

}  // namespace

std::vector<double> category_positions(std::span<const double> sums, std::size_t dimension,
                                       std::span<const double> weights) {
  const std::size_t groups = weights.size();
  const std::vector<double> means = centred_means(sums, dimension, weights);
  if (dimension == 1) return means;
  const auto mean = [&](std::size_t group) { return means.data() + group * dimension; };
  // Power iteration, from the mean that is farthest out: it has a part in the direction that is looked for.
  std::vector<double> direction(dimension);
  double farthest = -1.0;
  for (std::size_t group = 0; group < groups; ++group) {
    const double* values = mean(group);
    const double far = weights[group] * std::inner_product(values, values + dimension, values, 0.0);
    if (far <= farthest) continue;
    farthest = far;
    direction.assign(values, values + dimension);
  }
  std::vector<double> positions(groups, 0.0);
  constexpr int iterations = 12;
  for (int i = 0; i < iterations; ++i) {
    double largest = 0.0;
    for (std::size_t group = 0; group < groups; ++group) {
      positions[group] = std::inner_product(direction.begin(), direction.end(), mean(group), 0.0);
      largest = std::max(largest, std::abs(positions[group]));
    }
    if (largest == 0.0) break;
    std::fill(direction.begin(), direction.end(), 0.0);
    for (std::size_t group = 0; group < groups; ++group) {
      positions[group] /= largest;
      for (std::size_t j = 0; j < dimension; ++j)
        direction[j] += weights[group] * positions[group] * mean(group)[j];
    }
  }
  return positions;
}

}  // namespace coppice
