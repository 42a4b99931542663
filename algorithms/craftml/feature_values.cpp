#include "algorithms/craftml/feature_values.h"

namespace coppice::craftml {

FeatureValues FeatureValues::of(std::initializer_list<SparseRowsView> tables, std::size_t features) {
  FeatureValues found;
  std::vector<bool> met(features, false);
  std::vector<float> values(features, 0.0F);
  for (const SparseRowsView& rows : tables)
    for (std::size_t e = 0; e < rows.columns.size(); ++e) {
      const std::uint32_t feature = rows.columns[e];
      if (!met[feature]) {
        met[feature] = true;
        values[feature] = rows.values[e];
      }
      if (values[feature] != rows.values[e]) return found;
    }
  found.values_ = std::move(values);
  return found;
}

}  // namespace coppice::craftml
