#include "core/projections/projection_table.h"

#include <algorithm>
#include <cstring>

#include "core/base/wide_vectors.h"

namespace coppice {

namespace {

using FourComponents = double __attribute__((vector_size(4 * sizeof(double))));
constexpr std::size_t lanes = 4;

/// Adds up `groups` times four components of some columns, in registers.
template <std::size_t groups>
[[gnu::always_inline]] inline void add_groups(const double* table, std::size_t stride,
                                              const std::uint32_t* labels, std::size_t count, double* sums) {
  FourComponents totals[groups] = {};
  for (std::size_t i = 0; i < count; ++i) {
    const double* column = table + labels[i] * stride;
    for (std::size_t g = 0; g < groups; ++g) {
      FourComponents four;
      std::memcpy(&four, column + lanes * g, sizeof four);
      totals[g] += four;
    }
  }
  std::memcpy(sums, totals, sizeof totals);
}

COPPICE_WIDE_VECTORS
void add_columns(const double* table, std::size_t stride, const std::uint32_t* labels, std::size_t count,
                 double* sums) {
  std::size_t done = 0;
  for (; done + 8 * lanes <= stride; done += 8 * lanes)
    add_groups<8>(table + done, stride, labels, count, sums + done);
  for (; done + 4 * lanes <= stride; done += 4 * lanes)
    add_groups<4>(table + done, stride, labels, count, sums + done);
  for (; done + 2 * lanes <= stride; done += 2 * lanes)
    add_groups<2>(table + done, stride, labels, count, sums + done);
  for (; done < stride; done += lanes) add_groups<1>(table + done, stride, labels, count, sums + done);
}

std::size_t padded(std::size_t size) {
  return (size + lanes - 1) / lanes * lanes;
}

}  // namespace

bool ProjectionTable::suits(const Projection& projection) {
  constexpr std::size_t most_values = std::size_t{1} << 17;  // a megabyte
  return padded(projection.size()) * projection.outputs() <= most_values;
}

ProjectionTable::ProjectionTable(const Projection& projection)
    : size_(projection.size()), stride_(padded(size_)), values_(stride_ * projection.outputs(), 0.0) {
  ProjectionColumn column;
  for (std::uint32_t output = 0; output < projection.outputs(); ++output) {
    projection.column(output, column);
    double* values = values_.data() + output * stride_;
    for (std::size_t i = 0; i < column.values.size(); ++i)
      values[column.dense ? i : column.components[i]] = column.values[i];
  }
}

void ProjectionTable::add_up(std::span<const std::uint32_t> labels, double* projected) const {
  constexpr std::size_t most_kept = 64;
  if (stride_ == size_) {
    add_columns(values_.data(), stride_, labels.data(), labels.size(), projected);
    return;
  }
  if (stride_ <= most_kept) {
    double sums[most_kept];
    add_columns(values_.data(), stride_, labels.data(), labels.size(), sums);
    std::copy_n(sums, size_, projected);
    return;
  }
  std::vector<double> sums(stride_);
  add_columns(values_.data(), stride_, labels.data(), labels.size(), sums.data());
  std::copy_n(sums.begin(), size_, projected);
}

}  // namespace coppice
