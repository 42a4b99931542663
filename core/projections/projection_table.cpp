#include "core/projections/projection_table.h"

#include <algorithm>
#include <cstring>

#include "core/base/wide_vectors.h"

namespace coppice {

namespace {

using EightComponents = std::int32_t __attribute__((vector_size(8 * sizeof(std::int32_t))));
constexpr std::size_t lanes = 8;
/// Components that are added up in registers.
constexpr std::size_t block = 4 * lanes;
/// So many multiples below 2^26 add up to less than 2^31.
constexpr std::size_t most_labels = 32;

/// Adds up `groups` times eight components of some columns, and writes `count` of them times `unit`.
template <std::size_t groups>
[[gnu::always_inline]] inline void add_groups(const std::int32_t* table, std::size_t stride,
                                              std::span<const std::uint32_t> labels, double unit,
                                              std::size_t count, bool first, double* projected) {
  EightComponents totals[groups] = {};
  for (const std::uint32_t label : labels) {
    const std::int32_t* column = table + label * stride;
    for (std::size_t g = 0; g < groups; ++g) {
      EightComponents eight;
      std::memcpy(&eight, column + lanes * g, sizeof eight);
      totals[g] += eight;
    }
  }
  std::int32_t sums[groups * lanes];
  std::memcpy(sums, totals, sizeof totals);
  if (first) {
    for (std::size_t c = 0; c < count; ++c) projected[c] = unit * sums[c];
  } else {
    for (std::size_t c = 0; c < count; ++c) projected[c] += unit * sums[c];
  }
}

COPPICE_WIDE_VECTORS
void add_columns(const std::int32_t* table, std::size_t stride, std::span<const std::uint32_t> labels,
                 double unit, std::size_t count, bool first, double* projected) {
  std::size_t done = 0;
  for (; stride - done >= block; done += block)
    add_groups<4>(table + done, stride, labels, unit, std::min(block, count - done), first, projected + done);
  if (stride - done >= 2 * lanes) {
    add_groups<2>(table + done, stride, labels, unit, std::min(2 * lanes, count - done), first,
                  projected + done);
    done += 2 * lanes;
  }
  if (stride > done) add_groups<1>(table + done, stride, labels, unit, count - done, first, projected + done);
}

std::size_t padded(std::size_t size) {
  return (size + lanes - 1) / lanes * lanes;
}

}  // namespace

bool ProjectionTable::suits(const Projection& projection) {
  constexpr std::size_t most_values = std::size_t{1} << 18;  // a megabyte
  return projection.unit() > 0.0 && padded(projection.size()) * projection.outputs() <= most_values;
}

ProjectionTable::ProjectionTable(const Projection& projection)
    : size_(projection.size()),
      stride_(padded(size_)),
      unit_(projection.unit()),
      values_(stride_ * projection.outputs(), 0) {
  // Adding and taking away 1.5 · 2^52 rounds to a whole number.
  constexpr double round = 0x1.8p52;
  const double inverse = 1.0 / unit_;
  ProjectionColumn column;
  for (std::uint32_t output = 0; output < projection.outputs(); ++output) {
    projection.column(output, column);
    std::int32_t* values = values_.data() + output * stride_;
    for (std::size_t i = 0; i < column.values.size(); ++i)
      values[column.dense ? i : column.components[i]] =
          static_cast<std::int32_t>((column.values[i] * inverse + round) - round);
  }
}

void ProjectionTable::add_up(std::span<const std::uint32_t> labels, double* projected) const {
  std::size_t done = 0;
  do {
    const std::size_t count = std::min(most_labels, labels.size() - done);
    add_columns(values_.data(), stride_, labels.subspan(done, count), unit_, size_, done == 0, projected);
    done += count;
  } while (done < labels.size());
}

}  // namespace coppice
