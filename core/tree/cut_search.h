#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "core/tree/coded_inputs.h"
#include "core/tree/column_search.h"
#include "core/tree/cut_scan.h"
#include "core/tree/dense_rows.h"
#include "core/tree/feature_order.h"
#include "core/tree/grower.h"
#include "core/tree/node_view.h"
#include "core/tree/split_candidate.h"
#include "core/tree/split_score.h"
#include "core/tree/value_scan.h"

namespace coppice {

/// Looks for the best of random cuts where all columns are dense. The candidates of a node are looked at
/// together, in steps that do not branch on the data: their ranges, their cuts, which rows are on which side,
/// and the scores. The split is the one that ColumnSearch finds column by column.
template <typename Space>
class CutSearch {
 public:
  CutSearch(const CodedInputs& inputs, const GrowthOptions& options, const Space& space)
      : inputs_(&inputs), options_(&options), side_(space) {
    if (options.rule == SplitRule::random_cut && !inputs.has_listed() && !inputs.dense_columns().empty() &&
        DenseRows::affordable(inputs))
      dense_ = &inputs.dense_rows();
  }
  /// Whether this search can be used.
  bool suits() const { return dense_ != nullptr; }

  /// `columns` has been told the node and is asked about columns that have more than a threshold.
  SplitCandidate search(const NodeView& node, const Stream& stream, ColumnSearch<Space>& columns) {
    node_ = &node;
    stream_ = &stream;
    columns_ = &columns;
    best_ = {};
    const std::size_t size = node.ids.size();
    words_ = (size + 63) / 64;
    rows_.resize(size);
    for (std::size_t i = 0; i < size; ++i) rows_[i] = node.frame->rows()[node.ids[i]];
    if (size <= most_table_rows && (std::size_t{1} << (size - 1)) <= options_->features)
      walk_few_rows();
    else if (!all_features() || !look_at_all())
      walk();
    return best_;
  }
  /// Which rows of the node that split sends left, a bit for each; nothing if it is special.
  std::span<const std::uint64_t> left_rows() const {
    if (!best_.found || best_.special) return {};
    return std::span(best_bits_).first(words_);
  }

 private:
  /// Nodes that look at some of the columns read the columns themselves if they have more rows.
  static constexpr std::size_t most_by_row = 128;
  /// Up to so many rows every way to part them is scored beforehand, if there are fewer than candidates.
  static constexpr std::size_t most_table_rows = 8;

  bool all_features() const { return options_->features >= inputs_->dense_columns().size(); }
  std::size_t size() const { return rows_.size(); }
  bool allowed(std::size_t left) const {
    return left >= options_->min_samples_leaf && size() - left >= options_->min_samples_leaf;
  }
  std::uint64_t all_rows() const { return ~std::uint64_t{0} >> (64 - size()); }

  /// Room for so many candidates.
  void make_room(std::size_t candidates) {
    if (features_.size() <= candidates) {
      features_.resize(candidates + 1);
      columns_of_rows_.resize(candidates + 1);
      const std::size_t width = whole_groups(candidates);
      lowest_.resize(width);
      highest_.resize(width);
      missing_.resize(width);
      positions_.resize(width);
      cuts_.resize(width);
      left_.resize(width);
      chosen_.resize(candidates);
    }
    const std::size_t words = whole_groups(candidates) * words_;
    if (bits_.size() < words) {
      bits_.resize(words);
      sides_.resize(words);
    }
  }

  ValueRows rows_of_dataset() const { return {dense_->values(), dense_->stride(), rows_.data(), size()}; }
  /// Draws the next candidates in the order of features, up to so many, and copies their values.
  ValueRows draw(FeatureOrder& order, std::size_t wanted) {
    make_room(wanted);
    count_ = 0;
    const auto places = dense_->places();
    while (count_ < wanted) {
      const std::size_t before = count_;
      const std::size_t drawn = order.next(wanted - before, features_.data() + before);
      if (drawn == 0) break;
      for (std::size_t i = before; i < before + drawn; ++i) {
        const std::uint32_t feature = features_[i];
        features_[count_] = feature;
        columns_of_rows_[count_] = places[feature];
        count_ += places[feature] != DenseRows::nowhere ? 1 : 0;
      }
    }
    const std::size_t width = whole_groups(count_);
    if (copied_.size() < size() * width) copied_.resize(size() * width);
    if (size() <= most_by_row) {
      gather_columns(rows_of_dataset(), columns_of_rows_.data(), count_, copied_.data(), width);
    } else {
      column_values_.resize(count_);
      for (std::size_t c = 0; c < count_; ++c)
        column_values_[c] = inputs_->column(features_[c]).dense_values.data();
      gather_columns(column_values_, rows_, copied_.data(), width);
    }
    for (std::size_t i = in_order_.size(); i < size(); ++i)
      in_order_.push_back(static_cast<std::uint32_t>(i));
    return {copied_.data(), width, in_order_.data(), size()};
  }

  /// Finds the ranges, cuts and sides of the candidates. Returns whether some are special in this node.
  bool measure(const ValueRows& values) {
    const std::size_t width = whole_groups(count_);
    column_ranges(values, width, lowest_.data(), highest_.data());
    cut_positions(*stream_, std::span(features_).first(count_), positions_.data());
    for (std::size_t c = 0; c < count_; ++c) cuts_[c] = cut_between(lowest_[c], highest_[c], positions_[c]);
    columns_at_most(values, width, cuts_.data(), words_, bits_.data(), left_.data());
    if (!inputs_->has_special()) return false;
    columns_missing(values, width, missing_.data());
    bool some = false;
    for (std::size_t c = 0; c < count_; ++c) {
      if (inputs_->column(features_[c]).categories > 0) missing_[c] = 1;
      some = some || missing_[c] != 0;
    }
    return some;
  }
  bool varies(std::size_t c) const { return lowest_[c] != highest_[c]; }

  /// Scores the candidates whose split is allowed; `special` ones are left out.
  void score(bool special) {
    choose(special);
    score_parts(chosen_count_);
  }
  /// Lists the candidates whose split is allowed, and their smaller sides.
  void choose(bool special) {
    const std::uint64_t last_word = ~std::uint64_t{0} >> (64 * words_ - size());
    std::size_t chosen = 0;
    for (std::size_t c = 0; c < count_; ++c) {
      chosen_[chosen] = static_cast<std::uint32_t>(c);
      const std::uint64_t* const bits = bits_.data() + c * words_;
      std::uint64_t* const side = sides_.data() + chosen * words_;
      const std::uint64_t flipped = 2 * left_[c] <= size() ? 0 : ~std::uint64_t{0};
      for (std::size_t w = 0; w < words_; ++w) side[w] = bits[w] ^ flipped;
      side[words_ - 1] &= last_word;
      chosen += allowed(left_[c]) && !(special && missing_[c] != 0) ? 1 : 0;
    }
    chosen_count_ = chosen;
  }
  /// The scores of parting each of the first so many sides from the other rows.
  void score_parts(std::size_t count) {
    if (scores_.size() < count) scores_.resize(count);
    if constexpr (requires { side_.parts(node_->ids, sides_.data(), words_, count, scores_.data()); })
      side_.parts(node_->ids, sides_.data(), words_, count, scores_.data());
    else
      for (std::size_t i = 0; i < count; ++i)
        scores_[i] = part(std::span<const std::uint64_t>(sides_).subspan(i * words_, words_));
    values_.resize(count);
    for (std::size_t i = 0; i < count; ++i) values_[i] = scores_[i].value();
  }
  SplitScore part(std::span<const std::uint64_t> side) {
    const auto each = [&](const auto& visit) {
      std::size_t visited = 0;
      for (std::size_t w = 0; w < side.size(); ++w)
        for (std::uint64_t bits = side[w]; bits != 0; bits &= bits - 1)
          visit(visited++, node_->ids[64 * w + static_cast<std::size_t>(std::countr_zero(bits))]);
    };
    if constexpr (requires { side_.part_each(each); }) {
      return side_.part_each(each);
    } else {
      part_ids_.resize(size());
      std::size_t count = 0;
      each([&](std::size_t which, std::uint32_t id) {
        part_ids_[which] = id;
        count = which + 1;
      });
      return side_.part(std::span<const std::uint32_t>(part_ids_).first(count));
    }
  }

  /// The best score of the candidates that were chosen.
  double best_value() const {
    return *std::max_element(values_.begin(), values_.begin() + static_cast<std::ptrdiff_t>(chosen_count_));
  }
  void consider(double score, std::size_t c) {
    if (best_.found && !(score > best_.score)) return;
    if (best_.special) best_ = {};
    best_.found = true;
    best_.score = score;
    best_.feature = features_[c];
    best_.threshold = cuts_[c];
    if (best_bits_.size() < words_) best_bits_.resize(words_);
    std::copy_n(bits_.data() + c * words_, words_, best_bits_.data());
  }
  /// Looks at a column that has more than a threshold; returns whether it varies.
  bool consider_special(std::size_t c) {
    bool varies = false;
    SplitCandidate split = columns_->only(features_[c] | dense_mark, varies);
    if (split.found && (!best_.found || split.score > best_.score)) best_ = std::move(split);
    return varies;
  }

  /// Draws candidates until enough of them have varied.
  void walk() {
    FeatureOrder order(*stream_, inputs_->columns());
    for (std::size_t looked_at = 0; looked_at < options_->features;) {
      const ValueRows values = draw(order, options_->features - looked_at);
      if (count_ == 0) return;
      const bool special = measure(values);
      score(special);
      if (special) {
        looked_at += consider_in_turn();
        continue;
      }
      for (std::size_t c = 0; c < count_; ++c) looked_at += varies(c) ? 1 : 0;
      if (chosen_count_ == 0) continue;
      const double best = best_value();
      consider(best, chosen_[static_cast<std::size_t>(std::find(values_.begin(), values_.end(), best) -
                                                      values_.begin())]);
    }
  }
  /// Compares candidates, of which some are special; returns how many varied.
  std::size_t consider_in_turn() {
    std::size_t varying = 0;
    std::size_t scored = 0;
    for (std::size_t c = 0; c < count_; ++c) {
      if (missing_[c] != 0) {
        varying += consider_special(c) ? 1 : 0;
        continue;
      }
      varying += varies(c) ? 1 : 0;
      if (scored < chosen_count_ && chosen_[scored] == c) consider(values_[scored++], c);
    }
    return varying;
  }

  /// All columns, as they lie; their order is only asked for to tell equally good splits apart. Returns false
  /// if some are special.
  bool look_at_all() {
    const auto columns = inputs_->dense_columns();
    make_room(columns.size());
    count_ = columns.size();
    std::copy(columns.begin(), columns.end(), features_.begin());
    if (measure(rows_of_dataset())) return false;
    score(false);
    if (chosen_count_ == 0) return true;
    const double best = best_value();
    equal_.clear();
    equal_features_.clear();
    for (std::size_t i = 0; i < chosen_count_; ++i) {
      if (values_[i] != best) continue;
      equal_.push_back(chosen_[i]);
      equal_features_.push_back(features_[chosen_[i]]);
    }
    std::size_t first = 0;
    if (equal_.size() > 1) {
      order_places_.resize(equal_.size());
      FeatureOrder(*stream_, inputs_->columns()).places_of(equal_features_, order_places_.data());
      first = static_cast<std::size_t>(std::min_element(order_places_.begin(), order_places_.end()) -
                                       order_places_.begin());
    }
    consider(best, equal_[first]);
    return true;
  }

  /// The scores of all ways to part the rows are computed first, and the walk ends with the first candidate
  /// that no other can beat.
  void walk_few_rows() {
    const double limit = score_all_parts();
    FeatureOrder order(*stream_, inputs_->columns());
    for (std::size_t looked_at = 0; looked_at < options_->features;) {
      const ValueRows values = draw(order, std::min(options_->features - looked_at, column_group));
      if (count_ == 0) return;
      const bool special = measure(values);
      for (std::size_t c = 0; c < count_; ++c) {
        if (special && missing_[c] != 0) {
          looked_at += consider_special(c) ? 1 : 0;
        } else if (varies(c)) {
          ++looked_at;
          if (allowed(left_[c])) consider(table_[without_last(bits_[c])], c);
        }
        if (best_.found && best_.score == limit) return;
      }
    }
  }
  /// The side of a partition that does not have the last row.
  std::uint64_t without_last(std::uint64_t bits) const {
    return (bits >> (size() - 1)) == 0 ? bits : ~bits & all_rows();
  }
  /// Fills table_ with the scores of parting some rows, without the last, from the others; returns the best
  /// score that is allowed.
  double score_all_parts() {
    const std::size_t parts = (std::size_t{1} << (size() - 1)) - 1;
    make_room(parts);
    for (std::size_t i = 0; i < parts; ++i) sides_[i] = i + 1;
    score_parts(parts);
    table_.resize(parts + 1);
    double limit = -std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < parts; ++i) {
      table_[i + 1] = values_[i];
      if (allowed(bit_count(i + 1))) limit = std::max(limit, values_[i]);
    }
    return limit;
  }

  const CodedInputs* inputs_;
  const GrowthOptions* options_;
  typename Space::Side side_;
  const DenseRows* dense_ = nullptr;
  const NodeView* node_ = nullptr;
  const Stream* stream_ = nullptr;
  ColumnSearch<Space>* columns_ = nullptr;
  SplitCandidate best_;
  std::vector<std::uint64_t> best_bits_;        ///< the rows that it sends left
  std::size_t words_ = 0;                       ///< in a bitmap of the node's rows
  std::vector<std::uint32_t> rows_;             ///< the dataset's rows of the node
  std::size_t count_ = 0;                       ///< how many candidates there are
  std::vector<std::uint32_t> features_;         ///< the candidates
  std::vector<std::uint32_t> columns_of_rows_;  ///< their places in dense_
  std::vector<const float*> column_values_;     ///< their columns
  std::vector<float> copied_;                   ///< their values, row by row
  std::vector<std::uint32_t> in_order_;         ///< 0, 1, 2…
  std::vector<float> lowest_;
  std::vector<float> highest_;
  std::vector<std::uint32_t> missing_;  ///< not 0 for special candidates
  std::vector<double> positions_;
  std::vector<float> cuts_;
  std::vector<std::uint64_t> bits_;    ///< of each candidate: the rows that go left
  std::vector<std::uint32_t> left_;    ///< how many they are
  std::size_t chosen_count_ = 0;       ///< how many candidates are scored
  std::vector<std::uint32_t> chosen_;  ///< which
  std::vector<std::uint64_t> sides_;   ///< of each of those: the rows of the smaller side
  std::vector<SplitScore> scores_;
  std::vector<double> values_;  ///< of the scores
  std::vector<std::uint32_t> part_ids_;
  std::vector<double> table_;  ///< the score of each way to part few rows
  std::vector<std::uint32_t> equal_;
  std::vector<std::uint32_t> equal_features_;
  std::vector<std::uint32_t> order_places_;
};

}  // namespace coppice
