#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/base/random.h"
#include "core/data/dataset.h"

namespace coppice {

/// The rows that a tree is grown on. Rows are those of the dataset; a row that occurs several times is listed
/// once and weighs as much.
struct Sample {
  std::vector<std::uint32_t> rows;     ///< ascending, each once
  std::vector<std::uint32_t> weights;  ///< one for every row of the dataset; 0 where it is not in the sample
  std::uint64_t total = 0;             ///< the sum of the weights

  /// All rows of a view.
  static Sample of(const DatasetView& view);
  /// As many rows as the view has, drawn from it with replacement.
  static Sample bootstrap(const DatasetView& view, Stream stream);
};

}  // namespace coppice
