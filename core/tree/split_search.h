#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "core/base/context.h"
#include "core/tree/coded_inputs.h"
#include "core/tree/column_search.h"
#include "core/tree/feature_order.h"
#include "core/tree/frame.h"
#include "core/tree/grower.h"

namespace coppice {

/// Looks for the best split of one node at a time, in one output space.
template <typename Space>
class SplitSearch {
 public:
  SplitSearch(const CodedInputs& inputs, const GrowthOptions& options, const Space& space,
              const Context& context)
      : inputs_(&inputs),
        options_(&options),
        space_(&space),
        context_(&context),
        columns_(inputs, options, space) {}

  /// The best split of a node that the space has been told.
  SplitCandidate search(const NodeView& node, const Stream& stream) {
    FeatureOrder order(stream, inputs_->columns());
    if (node.ids.size() * options_->features >= options_->parallel_work && options_->features > 1)
      return search_in_parallel(node, stream, order);
    columns_.begin(node, stream);
    if (!inputs_->has_listed())
      walk_dense(order);
    else if (choose_backwards(node))
      walk_backwards(node, order);
    else
      walk_forwards(node, order);
    return columns_.best();
  }

  /// The first feature, in a node's order, in which two rows differ; the split between them.
  SplitCandidate part(std::uint32_t a, std::uint32_t b, const Stream& stream) {
    FeatureOrder order(stream, inputs_->columns());
    const std::uint32_t feature =
        inputs_->has_listed() ? first_different(order, a, b) : next_different(order, a, b);
    if (feature == FeatureOrder::none) return {};
    SplitCandidate split;
    split.found = true;
    split.feature = feature;
    const float value_a = inputs_->value(feature, a);
    const float value_b = inputs_->value(feature, b);
    const CodedColumn& column = inputs_->column(feature);
    const float lower = std::isnan(value_a) || value_b < value_a ? value_b : value_a;
    split.special = column.special();
    if (column.categories > 0)
      split.add_left_category(static_cast<std::uint32_t>(lower));
    else if (std::isnan(value_a) || std::isnan(value_b))
      split.threshold = lower;
    else
      split.place(lower, std::max(value_a, value_b), *options_, stream);
    return split;
  }

  /// What tries single columns, for others that choose them.
  ColumnSearch<Space>& columns() { return columns_; }

 private:
  static constexpr std::uint32_t no_column = std::numeric_limits<std::uint32_t>::max();

  bool differ(std::uint32_t feature, std::uint32_t a, std::uint32_t b) const {
    const CodedColumn& column = inputs_->column(feature);
    if (column.constant) return false;
    const float value_a = column.dense_values[a];
    const float value_b = column.dense_values[b];
    return value_a != value_b && !(std::isnan(value_a) && std::isnan(value_b));
  }
  std::uint32_t next_different(FeatureOrder& order, std::uint32_t a, std::uint32_t b) const {
    std::uint32_t feature = order.next();
    while (feature != FeatureOrder::none && !differ(feature, a, b)) feature = order.next();
    return feature;
  }
  std::uint32_t first_different(FeatureOrder& order, std::uint32_t a, std::uint32_t b) {
    features_.clear();
    for (const std::uint32_t feature : inputs_->dense_columns())
      if (differ(feature, a, b)) features_.push_back(feature);
    for_each_different_listing(a, b, [&](std::uint32_t feature) { features_.push_back(feature); });
    if (features_.empty()) return FeatureOrder::none;
    const auto places = places_of_features(order);
    return features_[static_cast<std::size_t>(std::min_element(places.begin(), places.end()) -
                                              places.begin())];
  }
  std::span<const std::uint32_t> places_of_features(FeatureOrder& order) {
    places_.resize(features_.size());
    order.places_of(features_, places_.data());
    return places_;
  }

  template <typename Visit>
  void for_each_different_listing(std::uint32_t a, std::uint32_t b, const Visit& visit) const {
    const auto first = inputs_->listing_columns(a);
    const auto second = inputs_->listing_columns(b);
    const auto first_codes = inputs_->listed_codes(a);
    const auto second_codes = inputs_->listed_codes(b);
    std::size_t i = 0;
    std::size_t j = 0;
    while (i < first.size() || j < second.size()) {
      if (j == second.size() || (i < first.size() && first[i] < second[j])) {
        visit(first[i++]);
      } else if (i == first.size() || second[j] < first[i]) {
        visit(second[j++]);
      } else {
        if (first_codes[i] != second_codes[j]) visit(first[i]);
        ++i;
        ++j;
      }
    }
  }

  /// A column to look at: a dense feature or a column of the frame.
  struct Turn {
    std::uint32_t column = 0;
    bool dense = true;
    bool varies = false;
    SplitCandidate split;
  };

  /// Every column is searched alone, then the results are compared in the order of features: the same split
  /// as by one thread.
  SplitCandidate search_in_parallel(const NodeView& node, const Stream& stream, FeatureOrder& order) {
    constexpr std::size_t most_searches = 16;
    const auto column_of = inputs_->has_listed() ? node.frame->column_index(inputs_->columns())
                                                 : std::span<const std::uint32_t>();
    SplitCandidate best;
    std::uint32_t looked_at = 0;
    for (;;) {
      std::vector<Turn> turns;
      while (looked_at + turns.size() < options_->features) {
        const std::uint32_t feature = order.next();
        if (feature == FeatureOrder::none) break;
        const std::uint32_t column = column_of.empty() ? no_column : column_of[feature];
        if (column != no_column)
          turns.push_back({column, false, false, {}});
        else if (inputs_->column(feature).dense && !inputs_->column(feature).constant)
          turns.push_back({feature, true, false, {}});
      }
      if (turns.empty()) return best;
      const std::size_t searches = std::min(turns.size(), most_searches);
      while (searches_.size() < searches)
        searches_.push_back(std::make_unique<ColumnSearch<Space>>(*inputs_, *options_, *space_));
      parallel_for(*context_, searches, [&](std::size_t s) {
        searches_[s]->begin(node, stream);
        for (std::size_t i = s; i < turns.size(); i += searches)
          turns[i].split = searches_[s]->only(turns[i].column, turns[i].dense, turns[i].varies);
      });
      for (const Turn& turn : turns) {
        looked_at += turn.varies ? 1 : 0;
        if (turn.split.found && (!best.found || turn.split.score > best.score)) best = turn.split;
      }
    }
  }

  void walk_dense(FeatureOrder& order) {
    std::uint32_t feature = order.next();
    std::uint32_t place = 0;
    for (std::uint32_t looked_at = 0; looked_at < options_->features && feature != FeatureOrder::none;) {
      const std::uint32_t following = order.next();
      if (following != FeatureOrder::none) columns_.prefetch_dense(following);
      columns_.set_place(place++);
      if (!inputs_->column(feature).constant && columns_.try_dense(feature)) ++looked_at;
      feature = following;
    }
  }

  /// Whether to look up when each column of the frame comes rather than which column comes next: the better,
  /// the fewer columns vary in the node.
  bool choose_backwards(const NodeView& node) const {
    const auto most = static_cast<std::uint32_t>(node.ids.size()) - 1;
    std::size_t varying = inputs_->dense_columns().size();
    for (const std::uint32_t count : node.counts) varying += count - 1 < most ? 1U : 0U;
    return static_cast<double>(varying) * static_cast<double>(varying) <
           static_cast<double>(options_->features) * inputs_->columns();
  }

  void walk_forwards(const NodeView& node, FeatureOrder& order) {
    const auto column_of = node.frame->column_index(inputs_->columns());
    std::uint32_t place = 0;
    for (std::uint32_t looked_at = 0; looked_at < options_->features;) {
      const std::uint32_t feature = order.next();
      if (feature == FeatureOrder::none) return;
      const std::uint32_t column = column_of[feature];
      columns_.set_place(place++);
      if (column != no_column) {
        if (columns_.try_listed(column)) ++looked_at;
      } else if (inputs_->column(feature).dense && !inputs_->column(feature).constant) {
        if (columns_.try_dense(feature)) ++looked_at;
      }
    }
  }

  /// Columns by place, in the high half; below, the column of the frame, or the feature of a dense column
  /// marked by the highest bit.
  void walk_backwards(const NodeView& node, FeatureOrder& order) {
    constexpr std::uint32_t dense_mark = 0x80000000U;
    const auto rows = static_cast<std::uint32_t>(node.ids.size());
    const auto columns = node.frame->columns();
    turns_.clear();
    features_.clear();
    bool all_vary = inputs_->dense_columns().empty();
    const auto add = [&](std::uint32_t feature, std::uint32_t mark) {
      features_.push_back(feature);
      turns_.push_back(mark);
    };
    for (const std::uint32_t feature : inputs_->dense_columns()) add(feature, feature | dense_mark);
    for (std::uint32_t c = 0; c < columns.size(); ++c) {
      const std::uint32_t count = node.counts[c];
      if (count == 0 || (count == rows && columns[c].two_valued)) continue;
      if (count == rows) all_vary = false;
      add(columns[c].feature, c);
    }
    const auto places = places_of_features(order);
    for (std::size_t i = 0; i < turns_.size(); ++i) turns_[i] |= std::uint64_t{places[i]} << 32;
    // If all vary, those that come first are looked at in any order; else in turn, until enough have varied.
    const std::size_t wanted = std::min<std::size_t>(turns_.size(), options_->features);
    auto last = turns_.end();
    if (!all_vary) {
      std::sort(turns_.begin(), turns_.end());
    } else if (wanted < turns_.size()) {
      last = turns_.begin() + static_cast<std::ptrdiff_t>(wanted);
      std::nth_element(turns_.begin(), last, turns_.end());
    }
    std::uint32_t looked_at = 0;
    for (auto turn = turns_.begin(); turn != last && looked_at < options_->features; ++turn) {
      const auto mark = static_cast<std::uint32_t>(*turn);
      columns_.set_place(static_cast<std::uint32_t>(*turn >> 32));
      const bool varies =
          (mark & dense_mark) != 0 ? columns_.try_dense(mark & ~dense_mark) : columns_.try_listed(mark);
      if (varies) ++looked_at;
    }
  }

  const CodedInputs* inputs_;
  const GrowthOptions* options_;
  const Space* space_;
  const Context* context_;
  ColumnSearch<Space> columns_;
  std::vector<std::unique_ptr<ColumnSearch<Space>>> searches_;  ///< for large nodes
  std::vector<std::uint64_t> turns_;
  std::vector<std::uint32_t> features_;
  std::vector<std::uint32_t> places_;
};

}  // namespace coppice
