#include "core/tree/dense_rows.h"

#include <algorithm>

#include "core/tree/coded_inputs.h"
#include "core/tree/cut_scan.h"

namespace coppice {

namespace {

std::size_t stride_of(const CodedInputs& inputs) {
  return whole_groups(inputs.dense_columns().size());
}

}  // namespace

bool DenseRows::affordable(const CodedInputs& inputs) {
  return inputs.rows() * stride_of(inputs) * sizeof(float) <= most_bytes;
}

DenseRows::DenseRows(const CodedInputs& inputs)
    : places_(inputs.columns(), nowhere), stride_(stride_of(inputs)), values_(inputs.rows() * stride_, 0.0F) {
  const auto columns = inputs.dense_columns();
  for (std::uint32_t c = 0; c < columns.size(); ++c) places_[columns[c]] = c;
  constexpr std::size_t block = 64;  // so many rows stay in the cache while all columns are written to them
  for (std::size_t begin = 0; begin < inputs.rows(); begin += block) {
    const std::size_t end = std::min(inputs.rows(), begin + block);
    for (std::size_t c = 0; c < columns.size(); ++c) {
      const auto values = inputs.column(columns[c]).dense_values;
      for (std::size_t row = begin; row < end; ++row) values_[row * stride_ + c] = values[row];
    }
  }
}

}  // namespace coppice
