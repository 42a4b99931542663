#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/projections/projection.h"

namespace coppice {

/// The columns of a projection as a table of whole multiples of its unit, label after label, for as long as
/// it is needed: the sum over a row's labels is then exact, and one pass over memory that stays in the cache.
class ProjectionTable {
 public:
  /// Whether the table of a projection is small, and all there is to it.
  static bool suits(const Projection& projection);
  explicit ProjectionTable(const Projection& projection);

  /// Writes the sum of the columns of some labels.
  void add_up(std::span<const std::uint32_t> labels, double* projected) const;

 private:
  std::size_t size_;
  std::size_t stride_;
  double unit_;
  /// Aligned, so that a column of few components lies in as few cache lines as it can.
  struct alignas(64) Line {
    std::int32_t values[16];
  };
  std::vector<Line> lines_;
  std::int32_t* column(std::size_t output) { return lines_.data()->values + output * stride_; }
  const std::int32_t* column(std::size_t output) const { return lines_.data()->values + output * stride_; }
};

}  // namespace coppice
