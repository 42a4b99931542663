#include "core/tree/sample.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/base/error.h"

namespace coppice {

namespace {

Sample collect(std::vector<std::uint32_t> weights) {
  Sample sample;
  sample.weights = std::move(weights);
  // Without a branch, since a bootstrap leaves out one row in three by chance: with room for one that is not
  // kept.
  sample.rows.resize(sample.weights.size() + 1);
  std::size_t count = 0;
  for (std::size_t row = 0; row < sample.weights.size(); ++row) {
    sample.rows[count] = static_cast<std::uint32_t>(row);
    count += sample.weights[row] != 0 ? 1 : 0;
    sample.total += sample.weights[row];
  }
  sample.rows.resize(count);
  return sample;
}

/// What rounded weights add up to. Up to 2^26, squares of label sums stay below 2^63 and real outputs keep
/// at least 25 bits.
double scaled_total(std::size_t rows) {
  return std::clamp(256.0 * static_cast<double>(rows), 0x1.0p24, 0x1.0p26);
}

}  // namespace

Sample Sample::of(const DatasetView& view) {
  std::vector<std::uint32_t> weights(view.dataset().rows(), 0);
  for (const std::uint32_t row : view.rows()) ++weights[row];
  return collect(std::move(weights));
}

Sample Sample::bootstrap(const DatasetView& view, Stream stream) {
  std::vector<std::uint32_t> weights(view.dataset().rows(), 0);
  for (std::size_t i = 0; i < view.size(); ++i) ++weights[view[stream.below(view.size())]];
  return collect(std::move(weights));
}

Sample Sample::weighted(const DatasetView& view, std::span<const double> weights) {
  if (weights.size() != view.size())
    throw Error(ErrorKind::fit, fmt::format("{} weights were given for {} rows of dataset '{}'",
                                            weights.size(), view.size(), view.dataset().name()));
  std::vector<double> real(view.dataset().rows(), 0.0);
  double sum = 0.0;
  bool whole = true;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (!(weights[i] >= 0.0) || !std::isfinite(weights[i]))
      throw Error(ErrorKind::fit,
                  fmt::format("dataset '{}': row {} has the weight {}; weights must be finite and "
                              "not negative",
                              view.dataset().name(), view[i], weights[i]));
    real[view[i]] += weights[i];
    sum += weights[i];
    whole = whole && weights[i] == std::floor(weights[i]);
  }
  if (!(sum > 0.0) || !std::isfinite(sum))
    throw Error(ErrorKind::fit,
                fmt::format("dataset '{}': the weights of the rows add up to {}; at least one must "
                            "be positive, and the sum finite",
                            view.dataset().name(), sum));
  const double total = scaled_total(view.size());
  const double scale = whole && sum <= total ? 1.0 : total / sum;
  std::vector<std::uint32_t> rounded(real.size(), 0);
  for (std::size_t row = 0; row < real.size(); ++row)
    if (real[row] > 0.0)
      rounded[row] = static_cast<std::uint32_t>(std::max(1.0, std::floor(real[row] * scale + 0.5)));
  Sample sample = collect(std::move(rounded));
  sample.drawn = false;
  return sample;
}

}  // namespace coppice
