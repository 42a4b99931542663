#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/data/label_sets.h"
#include "core/tree/sample.h"

namespace coppice {

/// f(n) = n ln n for the whole numbers up to a largest one, rounded to a power of two so that sums of as many
/// terms as a tree needs are exact in any order.
class EntropyTable {
 public:
  EntropyTable(std::uint64_t largest, std::uint64_t labels);
  double operator()(std::int64_t n) const { return values_[static_cast<std::size_t>(n)]; }

 private:
  std::vector<double> values_;
};

/// The output space of label sets under the entropy impurity (thesis 3.12): of the class distribution where
/// every row has one class, else summed over labels, each present or absent (3.24). In the second case a
/// candidate costs as many steps as the node has labels.
class EntropySpace {
 public:
  EntropySpace(const LabelSets& labels, bool one_class, const EntropyTable& table, const Sample& sample);

  void enter(std::span<const std::uint32_t> rows);
  bool pure() const { return pure_; }
  double weight() const { return static_cast<double>(weight_); }
  double base_score() const { return -impurity_of_node_; }

  void clear_side();
  void add(std::size_t i);
  double score() const { return -(impurity(side_weight_, false) + impurity(weight_ - side_weight_, true)); }

 private:
  /// Weight times entropy of the side or of the rest.
  double impurity(std::int64_t weight, bool rest) const;

  const LabelSets* labels_;
  bool one_class_;
  const EntropyTable* table_;
  const std::uint32_t* weights_;
  std::span<const std::uint32_t> rows_;
  bool pure_ = false;
  std::int64_t weight_ = 0;
  double impurity_of_node_ = 0.0;
  std::vector<std::int32_t> total_;
  std::vector<std::uint32_t> present_;
  std::vector<std::int32_t> side_;
  std::int64_t side_weight_ = 0;
};

}  // namespace coppice
