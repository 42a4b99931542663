#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "core/tree/category_order.h"
#include "core/tree/coded_inputs.h"
#include "core/tree/split_candidate.h"
#include "core/tree/split_score.h"

namespace coppice {

/// Finds the best split of a column that is categorical or has missing values. Rows without a value go left
/// or right together, whichever is better; of equal ones right.
template <typename Space>
class SpecialSearch {
 public:
  SpecialSearch(const CodedInputs& inputs, const GrowthOptions& options, const Space& space)
      : inputs_(&inputs), options_(&options), space_(&space), side_(space) {}

  /// The best split of a column in the node with these rows: `ids` in the frame, `rows` in the dataset.
  /// `varies` becomes whether the column is not constant there.
  SplitCandidate search(std::uint32_t feature, std::span<const std::uint32_t> ids,
                        std::span<const std::uint32_t> rows, const Stream& stream, bool& varies) {
    const CodedColumn& column = inputs_->column(feature);
    collect(column, ids, rows);
    make_groups(column.categories > 0);
    varies = groups_.size() + (missing_.empty() ? 0 : 1) > 1;
    best_ = {};
    if (!varies) return best_;
    best_.feature = feature;
    best_.special = true;
    last_left_ = 0;
    const bool random = options_->rule == SplitRule::random_cut;
    if (column.categories > 0) {
      if (random) {
        shuffle_categories(feature, stream);
        try_one();
      } else {
        order_categories();
        try_all();
      }
      if (best_.found)
        for (std::size_t g = 0; g <= last_left_; ++g) best_.add_left_category(groups_[g].category);
      return best_;
    }
    const float lowest = value(0);
    const float highest = value(groups_.size() - 1);
    if (random && lowest != highest) {
      const float cut = cut_between(lowest, highest, cut_position(stream, feature));
      while (last_left_ + 1 < groups_.size() && value(last_left_ + 1) <= cut) ++last_left_;
      try_one();
      best_.threshold = cut;
      return best_;
    }
    try_all();
    if (!best_.found) return best_;
    best_.threshold = last_left_ + 1 < groups_.size()
                          ? threshold_between(value(last_left_), value(last_left_ + 1))
                          : highest;
    return best_;
  }

 private:
  struct Present {
    float value;
    std::uint32_t id;
  };

  float value(std::size_t group) const { return present_[groups_[group].begin].value; }

  void collect(const CodedColumn& column, std::span<const std::uint32_t> ids,
               std::span<const std::uint32_t> rows) {
    present_.clear();
    missing_.clear();
    for (std::size_t i = 0; i < ids.size(); ++i) {
      const float value = column.dense_values[rows[i]];
      if (std::isnan(value))
        missing_.push_back(ids[i]);
      else
        present_.push_back({value, ids[i]});
    }
    std::sort(present_.begin(), present_.end(), [](const Present& a, const Present& b) {
      return a.value != b.value ? a.value < b.value : a.id < b.id;
    });
  }

  /// A group for each value.
  void make_groups(bool categorical) {
    groups_.clear();
    for (std::size_t i = 0; i < present_.size(); ++i) {
      if (i == 0 || present_[i].value != present_[i - 1].value)
        groups_.push_back({categorical ? static_cast<std::uint32_t>(present_[i].value) : 0U, i, i});
      groups_.back().end = i + 1;
    }
  }

  void order_categories() {
    const std::size_t dimension = space_->dimension();
    std::vector<double> sums(groups_.size() * dimension, 0.0);
    std::vector<double> weights(groups_.size(), 0.0);
    for (std::size_t g = 0; g < groups_.size(); ++g)
      for (std::size_t i = groups_[g].begin; i < groups_[g].end; ++i)
        weights[g] += space_->add_outputs(present_[i].id, sums.data() + g * dimension);
    const std::vector<double> positions = category_positions(sums, dimension, weights);
    std::vector<std::size_t> order(groups_.size());
    for (std::size_t g = 0; g < order.size(); ++g) order[g] = g;
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return positions[a] < positions[b]; });
    const std::vector<CategoryGroup> unordered = groups_;
    for (std::size_t g = 0; g < order.size(); ++g) groups_[g] = unordered[order[g]];
  }

  /// A random subset goes left, neither none of the categories nor all unless there is only one.
  void shuffle_categories(std::uint32_t feature, const Stream& stream) {
    Stream numbers = stream.at("categories", feature);
    numbers.shuffle(std::span(groups_));
    std::size_t left = 1;
    for (std::size_t g = 2; g < groups_.size(); ++g) left += numbers.next() >> 63;
    last_left_ = left - 1;
  }

  bool allowed(std::size_t left) const {
    const std::size_t size = present_.size() + missing_.size();
    return left > 0 && left < size && left >= options_->min_samples_leaf &&
           size - left >= options_->min_samples_leaf;
  }
  void consider(double score, std::size_t last_left, bool missing_left) {
    if (best_.found && !(score > best_.score)) return;
    best_.found = true;
    best_.score = score;
    best_.missing_left = missing_left;
    last_left_ = last_left;
  }
  /// The rows in the order of groups, those without a value first if they go left.
  void line_up(bool missing_left) {
    ids_.clear();
    if (missing_left) ids_ = missing_;
    ends_.clear();
    for (const CategoryGroup& group : groups_) {
      for (std::size_t i = group.begin; i < group.end; ++i) ids_.push_back(present_[i].id);
      ends_.push_back(ids_.size());
    }
  }

  /// Scores every prefix of the groups.
  void try_all() {
    const int ways = missing_.empty() ? 1 : 2;
    for (int way = 0; way < ways; ++way) {
      line_up(way == 1);
      wanted_.assign(ids_.size(), 0);
      scores_.resize(ids_.size());
      for (const std::size_t end : ends_) wanted_[end - 1] = 1;
      if (ids_.empty()) continue;
      side_.prefixes(ids_, wanted_.data(), scores_.data());
      for (std::size_t g = 0; g < groups_.size(); ++g)
        if (allowed(ends_[g])) consider(scores_[ends_[g] - 1].value(), g, way == 1);
    }
  }

  /// Scores the groups up to last_left_ against the others.
  void try_one() {
    const int ways = missing_.empty() ? 1 : 2;
    const std::size_t last = last_left_;
    for (int way = 0; way < ways; ++way) {
      line_up(way == 1);
      if (allowed(ends_[last]))
        consider(side_.part(std::span(ids_).first(ends_[last])).value(), last, way == 1);
    }
  }

  const CodedInputs* inputs_;
  const GrowthOptions* options_;
  const Space* space_;
  typename Space::Side side_;
  std::vector<Present> present_;
  std::vector<std::uint32_t> missing_;
  std::vector<CategoryGroup> groups_;
  std::vector<std::uint32_t> ids_;
  std::vector<std::size_t> ends_;  ///< where the rows of each group end in ids_
  std::vector<std::uint32_t> wanted_;
  std::vector<SplitScore> scores_;
  SplitCandidate best_;
  std::size_t last_left_ = 0;  ///< the last group that goes left
};

}  // namespace coppice
