#include "core/tree/entropy_space.h"

#include <cmath>

#include "core/base/portable_math.h"

namespace coppice {

EntropyTable::EntropyTable(std::uint64_t largest, std::uint64_t labels) : values_(largest + 1, 0.0) {
  const auto top = static_cast<double>(largest);
  int exponent = 0;
  std::frexp(2.0 * static_cast<double>(labels + 1) * (top * portable_log(top + 1.0) + 1.0), &exponent);
  const double step = std::ldexp(1.0, exponent - 52);
  for (std::uint64_t n = 2; n <= largest; ++n) {
    const auto x = static_cast<double>(n);
    values_[n] = std::floor(x * portable_log(x) / step + 0.5) * step;
  }
}

EntropySpace::EntropySpace(const LabelSets& labels, bool one_class, const EntropyTable& table,
                           const Sample& sample)
    : labels_(&labels),
      one_class_(one_class),
      table_(&table),
      weights_(sample.weights.data()),
      total_(labels.label_count(), 0),
      side_(labels.label_count(), 0) {}

void EntropySpace::enter(std::span<const std::uint32_t> rows) {
  for (const std::uint32_t label : present_) total_[label] = side_[label] = 0;
  present_.clear();
  rows_ = rows;
  weight_ = 0;
  for (const std::uint32_t row : rows) {
    weight_ += weights_[row];
    for (const std::uint32_t label : (*labels_)[row]) {
      if (total_[label] == 0) present_.push_back(label);
      total_[label] += static_cast<std::int32_t>(weights_[row]);
    }
  }
  pure_ = true;
  for (const std::uint32_t label : present_) pure_ = pure_ && total_[label] == weight_;
  side_weight_ = 0;
  if (!pure_) impurity_of_node_ = impurity(weight_, true);
}

void EntropySpace::clear_side() {
  for (const std::uint32_t label : present_) side_[label] = 0;
  side_weight_ = 0;
}

void EntropySpace::add(std::size_t i) {
  const std::uint32_t weight = weights_[rows_[i]];
  side_weight_ += weight;
  for (const std::uint32_t label : (*labels_)[rows_[i]]) side_[label] += static_cast<std::int32_t>(weight);
}

double EntropySpace::impurity(std::int64_t weight, bool rest) const {
  double present = 0.0;
  double absent = 0.0;
  for (const std::uint32_t label : present_) {
    const std::int64_t count = rest ? total_[label] - side_[label] : side_[label];
    present += (*table_)(count);
    if (!one_class_) absent += (*table_)(weight - count);
  }
  const double terms = one_class_ ? 1.0 : static_cast<double>(present_.size());
  return terms * (*table_)(weight)-present - absent;
}

}  // namespace coppice
