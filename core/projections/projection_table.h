#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/projections/projection.h"

namespace coppice {

/// The columns of a projection as a table, label after label, for as long as it is needed: the sum over a
/// row's labels is then one pass over memory that stays in the cache.
class ProjectionTable {
 public:
  /// Whether the table of a projection is small.
  static bool suits(const Projection& projection);
  explicit ProjectionTable(const Projection& projection);

  /// Writes the sum of the columns of some labels, added in their order.
  void add_up(std::span<const std::uint32_t> labels, double* projected) const;

 private:
  std::size_t size_;
  std::size_t stride_;
  std::vector<double> values_;
};

}  // namespace coppice
