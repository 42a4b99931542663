#include "core/data/layout.h"

#include <utility>
#include <vector>

namespace coppice {

bool stored_sparse(std::size_t stored_values, std::size_t rows) {
  return stored_values * 4 < rows;
}

void add_column(Features& features, std::string name, std::span<const std::uint32_t> present,
                std::span<const float> values) {
  if (stored_sparse(present.size(), features.rows())) {
    features.add_sparse(std::move(name), present, values);
    return;
  }
  std::vector<float> dense(features.rows(), 0.0F);
  for (std::size_t i = 0; i < present.size(); ++i) dense[present[i]] = values[i];
  features.add_dense(std::move(name), dense);
}

}  // namespace coppice
