#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "core/data/label_sets.h"
#include "core/tree/sample.h"

namespace coppice {

/// The label sets of the rows of a frame, next to each other, with the labels that occur numbered anew. What
/// is kept for each label then follows the frame, not the number of labels of the dataset.
struct LocalLabels {
  std::vector<std::uint32_t> begin;  ///< where the labels of each row begin
  std::vector<std::uint32_t> labels;
  std::vector<std::int32_t> weights;
  std::uint32_t label_count = 0;

  std::span<const std::uint32_t> operator[](std::uint32_t id) const {
    return {labels.data() + begin[id], labels.data() + begin[id + 1]};
  }
  bool identical(std::span<const std::uint32_t> ids) const {
    const auto first = (*this)[ids[0]];
    return std::all_of(ids.begin() + 1, ids.end(),
                       [&](std::uint32_t id) { return std::ranges::equal((*this)[id], first); });
  }
};

/// Renumbers labels for frames.
class LabelLocaliser {
 public:
  LabelLocaliser(const LabelSets& labels, const Sample& sample)
      : labels_(&labels), weights_(sample.weights.data()), number_(labels.label_count(), 0) {}

  void localise(std::span<const std::uint32_t> rows, LocalLabels& local) {
    local.begin.assign(1, 0);
    local.labels.clear();
    local.weights.clear();
    for (const std::uint32_t row : rows) {
      for (const std::uint32_t label : (*labels_)[row]) {
        if (number_[label] == 0) {
          met_.push_back(label);
          number_[label] = static_cast<std::uint32_t>(met_.size());
        }
        local.labels.push_back(number_[label] - 1);
      }
      local.begin.push_back(static_cast<std::uint32_t>(local.labels.size()));
      local.weights.push_back(static_cast<std::int32_t>(weights_[row]));
    }
    local.label_count = static_cast<std::uint32_t>(met_.size());
    for (const std::uint32_t label : met_) number_[label] = 0;
    met_.clear();
  }

 private:
  const LabelSets* labels_;
  const std::uint32_t* weights_;
  std::vector<std::uint32_t> number_;  ///< one more than the new number; 0 between uses
  std::vector<std::uint32_t> met_;
};

/// The output space of label sets under the variance impurity, which is the Gini index (thesis 3.2.1). Sums
/// are whole numbers, so everything is exact; a row costs as many steps as it has labels, never d.
///
/// With S the label sums of the node, the split that reduces the impurity most maximises
/// |S_L|²/W_L + |S_R|²/W_R; |S_L|² follows the rows that are added, and |S_R|² = |S|² - 2·S·S_L + |S_L|².
///
/// An output space has the outputs of a frame (Local), the totals of a node (Totals), to which rows are added
/// and from which they are taken, and the sums of one side of a split (Side). The score of a split is
/// numerator / denominator, larger for better splits, and a function of the partition only.
class LabelSpace {
 public:
  using Local = LocalLabels;

  struct Totals {
    std::int64_t weight = 0;
    std::int64_t squares = 0;        ///< |S|²
    std::vector<std::int32_t> sums;  ///< S
  };

  LabelSpace(const LabelSets& labels, const Sample& sample) : localiser_(labels, sample) {}

  void localise(std::span<const std::uint32_t> rows, Local& local) { localiser_.localise(rows, local); }

  static void clear(const Local& local, Totals& totals) {
    totals.weight = totals.squares = 0;
    totals.sums.assign(local.label_count, 0);
  }
  static void add(const Local& local, std::uint32_t id, Totals& totals) {
    update(local, id, local.weights[id], totals);
  }
  static void remove(const Local& local, std::uint32_t id, Totals& totals) {
    update(local, id, -local.weights[id], totals);
  }
  static bool identical(const Local& local, std::span<const std::uint32_t> ids) {
    return local.identical(ids);
  }
  /// What parting two rows gains: score minus base score.
  static double pair_gain(const Local& local, std::uint32_t a, std::uint32_t b) {
    const auto first = local[a];
    const auto second = local[b];
    std::size_t common = 0;
    for (const std::uint32_t label : first) common += std::ranges::count(second, label);
    const double product = static_cast<double>(local.weights[a]) * static_cast<double>(local.weights[b]);
    return product * static_cast<double>(first.size() + second.size() - 2 * common) /
           static_cast<double>(local.weights[a] + local.weights[b]);
  }

  /// Makes a node the one whose splits are scored. `often` says that every row will be added several times.
  void enter(const Local& local, const Totals& totals, std::span<const std::uint32_t> ids, bool often) {
    local_ = &local;
    totals_ = &totals;
    often_ = often;
    if (!often) return;
    cross_.resize(local.weights.size());
    for (const std::uint32_t id : ids) cross_[id] = cross(id);
  }
  /// The score of not splitting at all.
  double base_score() const {
    return static_cast<double>(totals_->squares) / static_cast<double>(totals_->weight);
  }

  /// The rows on one side of a split of the node.
  class Side {
   public:
    explicit Side(const LabelSpace& space) : space_(&space) {}

    /// Starts with no rows.
    void start() {
      clear();
      sums_.resize(space_->local_->label_count, 0);
    }
    void add(std::uint32_t id) {
      const LocalLabels& local = *space_->local_;
      const std::int32_t weight = local.weights[id];
      const auto labels = local[id];
      std::int64_t met = 0;
      for (const std::uint32_t label : labels) {
        met += sums_[label];
        sums_[label] += weight;
      }
      squares_ += weight * (2 * met + weight * static_cast<std::int64_t>(labels.size()));
      cross_ += space_->often_ ? space_->cross_[id] : space_->cross(id);
      weight_ += weight;
      added_.push_back(id);
    }
    /// Starts anew with some rows.
    void set(std::span<const std::uint32_t> ids) {
      if (ids.size() == 1) {
        set_single(ids[0]);
        return;
      }
      start();
      for (const std::uint32_t id : ids) add(id);
    }
    double numerator() const {
      const std::int64_t rest = space_->totals_->squares - 2 * cross_ + squares_;
      return static_cast<double>(squares_) * static_cast<double>(space_->totals_->weight - weight_) +
             static_cast<double>(rest) * static_cast<double>(weight_);
    }
    double denominator() const {
      return static_cast<double>(weight_) * static_cast<double>(space_->totals_->weight - weight_);
    }

   private:
    /// One row needs no sums.
    void set_single(std::uint32_t id) {
      clear();
      const std::int64_t weight = space_->local_->weights[id];
      squares_ = weight * weight * static_cast<std::int64_t>((*space_->local_)[id].size());
      cross_ = space_->often_ ? space_->cross_[id] : space_->cross(id);
      weight_ = weight;
    }
    /// Sums are zero wherever no row was added: undo those that were, or everything if that is less.
    void clear() {
      if (added_.size() > sums_.size())
        std::fill(sums_.begin(), sums_.end(), 0);
      else
        for (const std::uint32_t id : added_)
          for (const std::uint32_t label : (*space_->local_)[id]) sums_[label] = 0;
      added_.clear();
      weight_ = squares_ = cross_ = 0;
    }

    const LabelSpace* space_;
    std::vector<std::int32_t> sums_;
    std::vector<std::uint32_t> added_;
    std::int64_t weight_ = 0;
    std::int64_t squares_ = 0;
    std::int64_t cross_ = 0;  ///< S · sums
  };

 private:
  static void update(const Local& local, std::uint32_t id, std::int32_t weight, Totals& totals) {
    const auto labels = local[id];
    std::int64_t met = 0;
    for (const std::uint32_t label : labels) {
      met += totals.sums[label];
      totals.sums[label] += weight;
    }
    totals.squares += weight * (2 * met + weight * static_cast<std::int64_t>(labels.size()));
    totals.weight += weight;
  }
  /// w · S·y of a row.
  std::int64_t cross(std::uint32_t id) const {
    std::int64_t sum = 0;
    for (const std::uint32_t label : (*local_)[id]) sum += totals_->sums[label];
    return sum * local_->weights[id];
  }

  LabelLocaliser localiser_;
  const Local* local_ = nullptr;
  const Totals* totals_ = nullptr;
  bool often_ = false;
  std::vector<std::int64_t> cross_;
};

}  // namespace coppice
