#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/data/label_sets.h"
#include "core/tree/sample.h"

namespace coppice {

/// The output space of label sets under the variance impurity, which is the Gini index (thesis 3.2.1). Sums
/// are whole numbers, so everything is exact; a row costs as many steps as it has labels, never d.
///
/// With S the label sums of the node, the split that reduces the impurity most maximises
/// |S_L|²/W_L + |S_R|²/W_R; |S_L|² follows the rows that are added, and |S_R|² = |S|² - 2·S·S_L + |S_L|².
class LabelSpace {
 public:
  LabelSpace(const LabelSets& labels, const Sample& sample)
      : labels_(&labels),
        weights_(sample.weights.data()),
        total_(labels.label_count(), 0),
        side_(labels.label_count(), 0) {}

  void enter(std::span<const std::uint32_t> rows) {
    clear_side();
    for (const std::uint32_t label : present_) total_[label] = 0;
    present_.clear();
    rows_ = rows;
    weight_ = 0;
    std::int64_t label_weight = 0;
    for (const std::uint32_t row : rows) {
      const auto weight = static_cast<std::int32_t>(weights_[row]);
      weight_ += weight;
      const auto labels = (*labels_)[row];
      label_weight += weight * static_cast<std::int64_t>(labels.size());
      for (const std::uint32_t label : labels) {
        if (total_[label] == 0) present_.push_back(label);
        total_[label] += weight;
      }
    }
    squares_ = 0;
    for (const std::uint32_t label : present_)
      squares_ += static_cast<std::int64_t>(total_[label]) * total_[label];
    // Cauchy-Schwarz: equality means that all rows have the same labels.
    pure_ = static_cast<__int128>(weight_) * label_weight == squares_;
    if (pure_) return;
    cross_.resize(rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
      std::int64_t sum = 0;
      for (const std::uint32_t label : (*labels_)[rows[i]]) sum += total_[label];
      cross_[i] = sum * weights_[rows[i]];
    }
  }
  bool pure() const { return pure_; }
  double weight() const { return static_cast<double>(weight_); }
  double base_score() const { return static_cast<double>(squares_) / static_cast<double>(weight_); }

  void clear_side() {
    for (const std::uint32_t row : added_)
      for (const std::uint32_t label : (*labels_)[row]) side_[label] = 0;
    added_.clear();
    side_weight_ = 0;
    side_squares_ = 0;
    side_cross_ = 0;
  }
  void add(std::size_t i) {
    const std::uint32_t row = rows_[i];
    const auto weight = static_cast<std::int32_t>(weights_[row]);
    std::int64_t grown = 0;
    const auto labels = (*labels_)[row];
    for (const std::uint32_t label : labels) {
      grown += side_[label];
      side_[label] += weight;
    }
    side_squares_ += weight * (2 * grown + weight * static_cast<std::int64_t>(labels.size()));
    side_cross_ += cross_[i];
    side_weight_ += weight;
    added_.push_back(row);
  }
  double score() const {
    const std::int64_t rest = squares_ - 2 * side_cross_ + side_squares_;
    // Addition commutes: the score is the same whichever side was added up.
    return static_cast<double>(side_squares_) / static_cast<double>(side_weight_) +
           static_cast<double>(rest) / static_cast<double>(weight_ - side_weight_);
  }

 private:
  const LabelSets* labels_;
  const std::uint32_t* weights_;
  std::span<const std::uint32_t> rows_;
  bool pure_ = false;
  std::int64_t weight_ = 0;
  std::int64_t squares_ = 0;            ///< |S|²
  std::vector<std::int32_t> total_;     ///< S
  std::vector<std::uint32_t> present_;  ///< the labels with S > 0
  std::vector<std::int64_t> cross_;     ///< w · S·y of each row of the node
  std::vector<std::int32_t> side_;
  std::vector<std::uint32_t> added_;
  std::int64_t side_weight_ = 0;
  std::int64_t side_squares_ = 0;
  std::int64_t side_cross_ = 0;  ///< S · side
};

}  // namespace coppice
