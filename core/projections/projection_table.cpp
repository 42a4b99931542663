#include "core/projections/projection_table.h"

#include <algorithm>
#include <cstring>

#include "core/base/wide_vectors.h"

namespace coppice {

namespace {

using Components = std::int32_t __attribute__((vector_size(16 * sizeof(std::int32_t))));
constexpr std::size_t vector_lanes = 16;
/// Components that are added up in registers.
constexpr std::size_t summed_together = 2 * vector_lanes;
/// So many multiples below 2^26 add up to less than 2^31.
constexpr std::size_t most_labels = 32;

/// Adds up `groups` times sixteen components of some columns, and writes `count` of them times `unit`.
template <std::size_t groups>
[[gnu::always_inline]] inline void add_groups(const std::int32_t* table, std::size_t stride,
                                              std::span<const std::uint32_t> labels, double unit,
                                              std::size_t count, bool first, double* projected) {
  Components totals[groups] = {};
  for (const std::uint32_t label : labels) {
    const std::int32_t* column = table + label * stride;
    for (std::size_t g = 0; g < groups; ++g) {
      Components some;
      std::memcpy(&some, column + vector_lanes * g, sizeof some);
      totals[g] += some;
    }
  }
  std::int32_t sums[groups * vector_lanes];
  std::memcpy(sums, totals, sizeof totals);
  if (first) {
    for (std::size_t c = 0; c < count; ++c) projected[c] = unit * sums[c];
  } else {
    for (std::size_t c = 0; c < count; ++c) projected[c] += unit * sums[c];
  }
}

COPPICE_WIDEST_VECTORS
void add_columns(const std::int32_t* table, std::size_t stride, std::span<const std::uint32_t> labels,
                 double unit, std::size_t count, bool first, double* projected) {
  std::size_t done = 0;
  for (; stride - done >= summed_together; done += summed_together)
    add_groups<2>(table + done, stride, labels, unit, std::min(summed_together, count - done), first,
                  projected + done);
  if (stride > done) add_groups<1>(table + done, stride, labels, unit, count - done, first, projected + done);
}

/// Columns of `size` coefficients as whole numbers, `stride` of them with 0 beyond.
COPPICE_WIDE_VECTORS
void in_units(const double* columns, std::size_t count, std::size_t size, double inverse, std::size_t stride,
              std::int32_t* values) {
  // Adding and taking away 1.5 · 2^52 rounds to a whole number.
  constexpr double round = 0x1.8p52;
  for (std::size_t i = 0; i < count; ++i, columns += size, values += stride) {
    for (std::size_t c = 0; c < size; ++c)
      values[c] = static_cast<std::int32_t>((columns[c] * inverse + round) - round);
    std::fill(values + size, values + stride, 0);
  }
}

std::size_t padded(std::size_t size) {
  return (size + vector_lanes - 1) / vector_lanes * vector_lanes;
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
      lines_(stride_ / vector_lanes * projection.outputs()) {
  constexpr std::size_t numbers_at_a_time = 2048;
  const std::size_t outputs = projection.outputs();
  const std::size_t several = std::clamp<std::size_t>(numbers_at_a_time / size_, 1, outputs);
  std::vector<double> columns(several * size_);
  for (std::size_t first = 0; first < outputs; first += several) {
    const std::size_t count = std::min(several, outputs - first);
    projection.columns(static_cast<std::uint32_t>(first), std::span(columns).first(count * size_));
    in_units(columns.data(), count, size_, 1.0 / unit_, stride_, column(first));
  }
}

void ProjectionTable::add_up(std::span<const std::uint32_t> labels, double* projected) const {
  std::size_t done = 0;
  do {
    const std::size_t count = std::min(most_labels, labels.size() - done);
    add_columns(column(0), stride_, labels.subspan(done, count), unit_, size_, done == 0, projected);
    done += count;
  } while (done < labels.size());
}

}  // namespace coppice
