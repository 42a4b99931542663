#include "core/data/encode.h"

#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "core/data/layout.h"

namespace coppice {

namespace {

void add_indicators(Features& encoded, const Features& features, std::size_t index) {
  const ColumnView column = features.column(index);
  const auto& categories = features.categories(index);
  std::vector<std::vector<std::uint32_t>> present(categories.size());
  std::vector<std::vector<float>> values(categories.size());
  for (std::uint32_t row = 0; row < column.values.size(); ++row) {
    const float code = column.values[row];
    for (std::size_t k = 0; std::isnan(code) && k < categories.size(); ++k) {
      present[k].push_back(row);
      values[k].push_back(std::numeric_limits<float>::quiet_NaN());
    }
    if (std::isnan(code)) continue;
    present[static_cast<std::size_t>(code)].push_back(row);
    values[static_cast<std::size_t>(code)].push_back(1.0F);
  }
  for (std::size_t k = 0; k < categories.size(); ++k)
    add_column(encoded, fmt::format("{}={}", features.name(index), categories[k]), present[k], values[k]);
}

}  // namespace

Dataset one_hot_encoded(const Dataset& dataset) {
  const Features& features = dataset.features();
  Features encoded(features.rows());
  for (std::size_t j = 0; j < features.columns(); ++j) {
    if (features.column(j).kind == FeatureKind::categorical)
      add_indicators(encoded, features, j);
    else
      encoded.add_copy(features.name(j), features, j);
  }
  if (dataset.task() == Task::regression)
    return {dataset.name(), std::move(encoded), dataset.targets(), dataset.extras()};
  return {dataset.name(), dataset.task(), std::move(encoded), dataset.labels(), dataset.extras()};
}

std::size_t encoded_feature_count(const Features& features) {
  std::size_t count = 0;
  for (std::size_t j = 0; j < features.columns(); ++j)
    count += features.column(j).kind == FeatureKind::categorical ? features.categories(j).size() : 1;
  return count;
}

}  // namespace coppice
