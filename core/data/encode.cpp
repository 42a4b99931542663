#include "core/data/encode.h"

#include <cmath>
#include <limits>

namespace coppice {

namespace {

void add_indicators(Features& features, const std::string& name, const ColumnView& column,
                    const std::vector<std::string>& categories) {
  std::vector<std::uint32_t> rows;
  std::vector<float> values;
  for (std::size_t category = 0; category < categories.size(); ++category) {
    rows.clear();
    values.clear();
    for (std::size_t row = 0; row < column.values.size(); ++row) {
      const float code = column.values[row];
      if (!std::isnan(code) && code != static_cast<float>(category)) continue;
      rows.push_back(static_cast<std::uint32_t>(row));
      values.push_back(std::isnan(code) ? code : 1.0F);
    }
    features.add_sparse(name + "=" + categories[category], rows, values);
  }
}

}  // namespace

Dataset one_hot_encoded(const Dataset& dataset) {
  Features features(dataset.rows());
  for (std::size_t j = 0; j < dataset.feature_count(); ++j) {
    const ColumnView column = dataset.features().column(j);
    const std::string name = dataset.features().name(j);
    if (column.kind == FeatureKind::categorical)
      add_indicators(features, name, column, dataset.features().categories(j));
    else if (column.dense)
      features.add_dense(name, column.values);
    else
      features.add_sparse(name, column.rows, column.values);
  }
  DatasetExtras extras{dataset.output_names(), dataset.given_split(), dataset.propensity()};
  if (has_labels(dataset.task())) return {dataset.name(), dataset.task(), std::move(features), dataset.labels(), std::move(extras)};
  return {dataset.name(), std::move(features), dataset.targets(), std::move(extras)};
}

}  // namespace coppice
