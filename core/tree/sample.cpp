#include "core/tree/sample.h"

namespace coppice {

namespace {

Sample collect(std::vector<std::uint32_t> weights) {
  Sample sample;
  sample.weights = std::move(weights);
  for (std::size_t row = 0; row < sample.weights.size(); ++row) {
    if (sample.weights[row] == 0) continue;
    sample.rows.push_back(static_cast<std::uint32_t>(row));
    sample.total += sample.weights[row];
  }
  return sample;
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

}  // namespace coppice
