#pragma once

#include <initializer_list>
#include <vector>

#include "core/data/sparse_rows.h"

namespace coppice::craftml {

/// The value of each feature where all rows that have it have the same, as (weighted) words that occur or do
/// not: then a list of features says all about a row, and half as much memory is read.
class FeatureValues {
 public:
  FeatureValues() = default;
  static FeatureValues of(std::initializer_list<SparseRowsView> tables, std::size_t features);

  bool constant() const { return !values_.empty(); }
  float operator[](std::size_t feature) const { return values_[feature]; }

 private:
  std::vector<float> values_;  ///< empty: values differ
};

}  // namespace coppice::craftml
