#include "core/tree/entropy_space.h"

#include <algorithm>
#include <cmath>

#include "core/base/portable_math.h"

namespace coppice {

namespace {

/// Weight times entropy, from the label sums that `count` yields.
template <typename Count>
double impurity(const EntropyTable& table, bool one_class, std::int64_t weight, std::size_t labels,
                const Count& count) {
  double present = 0.0;
  double absent = 0.0;
  for (std::size_t label = 0; label < labels; ++label) {
    present += table(count(label));
    if (!one_class) absent += table(weight - count(label));
  }
  return (one_class ? 1.0 : static_cast<double>(labels)) * table(weight) - present - absent;
}

}  // namespace

EntropyTable::EntropyTable(std::uint64_t largest, std::uint64_t labels)
    : values_(std::min(largest, most_kept) + 1, 0.0) {
  const auto top = static_cast<double>(largest);
  int exponent = 0;
  std::frexp(2.0 * static_cast<double>(labels + 1) * (top * portable_log(top + 1.0) + 1.0), &exponent);
  step_ = std::ldexp(1.0, exponent - 52);
  for (std::size_t n = 2; n < values_.size(); ++n) values_[n] = compute(static_cast<std::int64_t>(n));
}

double EntropyTable::compute(std::int64_t n) const {
  const auto x = static_cast<double>(n);
  return std::floor(x * portable_log(x) / step_ + 0.5) * step_;
}

double EntropySpace::base_score() const {
  return -impurity(*table_, one_class_, totals_->weight, totals_->sums.size(),
                   [&](std::size_t label) { return totals_->sums[label]; });
}

double EntropySpace::pair_gain(const Local& local, std::uint32_t a, std::uint32_t b) const {
  // Each row alone is pure; together, every label that only one of them has is mixed.
  std::size_t different = 0;
  for (const std::uint32_t label : local[a]) different += std::ranges::count(local[b], label) == 0 ? 1 : 0;
  for (const std::uint32_t label : local[b]) different += std::ranges::count(local[a], label) == 0 ? 1 : 0;
  const double mixed = (*table_)(local.weights[a] + local.weights[b]) - (*table_)(local.weights[a]) -
                       (*table_)(local.weights[b]);
  return one_class_ ? mixed : static_cast<double>(different) * mixed;
}

SplitScore EntropySpace::score(const Totals& side) const {
  const Totals& node = *totals_;
  const double inside = impurity(*table_, one_class_, side.weight, node.sums.size(),
                                 [&](std::size_t label) { return side.sums[label]; });
  const double outside = impurity(*table_, one_class_, node.weight - side.weight, node.sums.size(),
                                  [&](std::size_t label) { return node.sums[label] - side.sums[label]; });
  return {-(inside + outside), 1.0};
}

}  // namespace coppice
