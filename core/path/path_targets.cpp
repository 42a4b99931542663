#include "core/path/path_targets.h"

#include <cmath>

namespace coppice {

std::vector<double> PathTargets::together(std::size_t first, std::size_t width) const {
  if (width == 1) return column(first);
  std::vector<double> values(rows * width);
  for (std::size_t j = 0; j < width; ++j) {
    const std::vector<double> one = column(first + j);
    for (std::size_t row = 0; row < rows; ++row) values[row * width + j] = one[row];
  }
  return values;
}

TargetScales::TargetScales(const std::vector<double>& values, std::size_t outputs)
    : means(outputs, 0.0), deviations(outputs, 0.0) {
  const std::size_t rows = values.size() / outputs;
  const auto n = static_cast<double>(rows);
  for (std::size_t i = 0; i < values.size(); ++i) means[i % outputs] += values[i] / n;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double off = values[i] - means[i % outputs];
    deviations[i % outputs] += off * off / n;
  }
  for (std::size_t j = 0; j < outputs; ++j) {
    // What a constant leaves by rounding is no variance.
    const double deviation = std::sqrt(deviations[j]);
    deviations[j] = deviation > 1e-12 * (std::abs(means[j]) + 1e-300) ? deviation : 0.0;
  }
}

}  // namespace coppice
