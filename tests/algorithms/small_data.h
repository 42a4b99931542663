#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/base/random.h"
#include "core/data/dataset.h"

namespace coppice::testing {

/// How the inputs of a small dataset are made.
enum class Inputs {
  dense,         ///< real numbers
  sparse,        ///< mostly zeros, stored as sparse columns
  sparse_dense,  ///< the same numbers as `sparse`, stored as dense columns
  constant,      ///< every column has one value
  missing,       ///< as `dense` with a NaN in row 3 of column 1
};

/// The shape of a small dataset.
struct Shape {
  std::size_t rows = 60;
  std::size_t features = 6;
  std::uint32_t outputs = 4;
  Inputs inputs = Inputs::dense;
  bool empty_labels = false;  ///< multi-label: no row has a label; multi-class: all have the first class
  std::size_t copies = 1;     ///< every row is there that many times
};

/// A dataset whose outputs depend on its inputs, the same for the same arguments.
std::shared_ptr<const Dataset> small_dataset(Task task, const Shape& shape, std::uint64_t seed = 1);

}  // namespace coppice::testing
