#include "algorithms/forest/label_counts.h"

#include <algorithm>

namespace coppice {

LabelBytes::LabelBytes(const LeafRows& leaves, std::size_t outputs) : stride_(stride(outputs)) {
  constexpr std::size_t most_bytes = std::size_t{1} << 24;
  const std::size_t rows = leaves.train_rows();
  if (rows * stride_ > most_bytes) return;
  bytes_.assign(rows * stride_, 0);
  for (std::uint32_t row = 0; row < rows; ++row)
    for (const std::uint32_t label : leaves.labels(row)) bytes_[row * stride_ + label] = 1;
}

void LabelCounts::add_up() {
  const std::size_t rows = recent_.size() / stride_;
  for (std::size_t row = 0; row < rows; ++row)
    for (std::size_t j = 0; j < outputs_; ++j) totals_[row * outputs_ + j] += recent_[row * stride_ + j];
  std::fill(recent_.begin(), recent_.end(), std::uint8_t{0});
  trees_ = 0;
}

}  // namespace coppice
