#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "core/base/arena.h"
#include "core/base/context.h"
#include "core/tree/coded_inputs.h"
#include "core/tree/column_draws.h"
#include "core/tree/column_search.h"
#include "core/tree/cut_search.h"
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
        columns_(inputs, options, space),
        cuts_(inputs, options, space) {}

  /// The best split of a node that the space has been told.
  SplitCandidate search(const NodeView& node, const Stream& stream) {
    left_rows_ = {};
    // To search columns each by itself takes longer in all: it pays only where a thread has nothing to do.
    if (node.ids.size() * options_->features >= options_->parallel_work && options_->features > 1 &&
        has_idle_threads())
      return search_in_parallel(node, stream);
    const bool cuts = cuts_.suits();
    if (!cuts || inputs_->has_special()) columns_.begin(node, stream);
    if (cuts) {
      SplitCandidate split = cuts_.search(node, stream, columns_);
      left_rows_ = cuts_.left_rows();
      return split;
    }
    if (node.columns != nullptr)
      draw(node, stream);
    else if (inputs_->has_listed())
      walk(node, stream);
    else
      walk_dense(stream);
    return columns_.best();
  }

  /// Which rows of the node the split that was found last sends left, a bit for each, or nothing if that was
  /// not kept; until the next search.
  std::span<const std::uint64_t> left_rows() const { return left_rows_; }

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
    for_each_different_listing(a, b,
                               [&](std::uint32_t place) { features_.push_back(inputs_->feature_at(place)); });
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
    const auto first = inputs_->listing_places(a);
    const auto second = inputs_->listing_places(b);
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

  /// A column to look at, as lists of columns name them.
  struct Turn {
    std::uint32_t column = 0;
    bool varies = false;
    SplitCandidate split;
  };

  /// Every column is searched alone, then the results are compared in the order of features: the same split
  /// as by one thread.
  SplitCandidate search_in_parallel(const NodeView& node, const Stream& stream) {
    constexpr std::size_t most_searches = 16;
    FeatureOrder order(stream, inputs_->columns());
    ColumnDraws draws(stream);
    SplitCandidate best;
    std::uint32_t looked_at = 0;
    for (;;) {
      const std::size_t wanted = options_->features - looked_at;
      std::vector<Turn> turns;
      if (node.columns != nullptr)
        for (const std::uint32_t column : drawn(*node.columns, looked_at, wanted, draws))
          turns.push_back({column, false, {}});
      else
        turns = next(node, wanted, order);
      if (turns.empty()) return best;
      sort_lists(node, turns);
      const std::size_t searches = std::min(turns.size(), most_searches);
      while (searches_.size() < searches)
        searches_.push_back(std::make_unique<ColumnSearch<Space>>(*inputs_, *options_, *space_));
      parallel_for(*context_, searches, [&](std::size_t s) {
        searches_[s]->begin(node, stream);
        for (std::size_t i = s; i < turns.size(); i += searches)
          turns[i].split = searches_[s]->only(turns[i].column, turns[i].varies);
      });
      for (const Turn& turn : turns)
        if (turn.split.found && (!best.found || turn.split.score > best.score)) best = turn.split;
      std::uint32_t varying = 0;
      for (const Turn& turn : turns) {
        if (node.columns != nullptr) (*node.columns)[looked_at + varying] = turn.column;
        varying += turn.varies ? 1 : 0;
      }
      if (node.columns != nullptr) drop(*node.columns, looked_at + varying, looked_at + turns.size());
      looked_at += varying;
    }
  }
  /// The next so many columns in a node's order of features, less those that are constant everywhere.
  std::vector<Turn> next(const NodeView& node, std::size_t wanted, FeatureOrder& order) const {
    const auto column_of = inputs_->has_listed() ? node.frame->column_index(inputs_->columns())
                                                 : std::span<const std::uint32_t>();
    std::vector<Turn> turns;
    while (turns.size() < wanted) {
      const std::uint32_t feature = order.next();
      if (feature == FeatureOrder::none) break;
      const std::uint32_t column = column_named(feature, column_of);
      if (column != no_column) turns.push_back({column, false, {}});
    }
    return turns;
  }
  /// Draws so many columns of a list, of which the first have been drawn before, to the place after those.
  static std::span<std::uint32_t> drawn(ColumnList& list, std::size_t before, std::size_t wanted,
                                        ColumnDraws& draws) {
    const std::size_t end = std::min(list.size(), before + wanted);
    for (std::size_t place = before; place < end; ++place)
      std::swap(list[place], list[place + draws.below(list.size() - place)]);
    return std::span(list).subspan(before, end - before);
  }
  /// Takes a part out of a list; the order of what comes after it is free.
  static void drop(ColumnList& list, std::size_t begin, std::size_t end) {
    const std::size_t moved = std::min(end - begin, list.size() - end);
    std::copy_n(list.end() - static_cast<std::ptrdiff_t>(moved), moved,
                list.begin() + static_cast<std::ptrdiff_t>(begin));
    list.resize(list.size() - (end - begin));
  }
  /// Has lists sorted that several threads would otherwise sort at the same time.
  void sort_lists(const NodeView& node, const std::vector<Turn>& turns) const {
    if (options_->rule != SplitRule::best) return;
    for (const Turn& turn : turns) {
      if ((turn.column & dense_mark) != 0) continue;
      const FrameColumn& column = node.frame->columns()[turn.column];
      if (!column.two_valued) node.frame->sorted_list(column);
    }
  }

  void walk_dense(const Stream& stream) {
    FeatureOrder order(stream, inputs_->columns());
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

  /// Draws columns until enough of them have varied; drops those that do not. What the columns that come next
  /// will need is fetched into the cache meanwhile.
  void draw(const NodeView& node, const Stream& stream) {
    constexpr std::size_t soon = 4;
    ColumnDraws draws(stream);
    std::uint32_t looked_at = 0;
    for (;;) {
      const auto columns = drawn(*node.columns, looked_at, options_->features - looked_at, draws);
      if (columns.empty()) return;
      std::uint32_t varying = 0;
      for (std::size_t i = 0; i < columns.size(); ++i) {
        if (i + 2 * soon < columns.size()) columns_.prefetch_column(columns[i + 2 * soon]);
        if (i + soon < columns.size()) columns_.prefetch_rows(columns[i + soon]);
        columns_.set_place(looked_at + varying);
        const std::uint32_t column = columns[i];
        columns[varying] = column;
        varying += columns_.try_column(column) ? 1 : 0;
      }
      drop(*node.columns, looked_at + varying, looked_at + columns.size());
      looked_at += varying;
    }
  }

  void walk(const NodeView& node, const Stream& stream) {
    FeatureOrder order(stream, inputs_->columns());
    const auto column_of = node.frame->column_index(inputs_->columns());
    std::uint32_t place = 0;
    for (std::uint32_t looked_at = 0; looked_at < options_->features;) {
      const std::uint32_t feature = order.next();
      if (feature == FeatureOrder::none) return;
      const std::uint32_t column = column_named(feature, column_of);
      columns_.set_place(place++);
      if (column != no_column && columns_.try_column(column)) ++looked_at;
    }
  }
  /// A feature as lists of columns name it, or no_column if it is constant.
  std::uint32_t column_named(std::uint32_t feature, std::span<const std::uint32_t> column_of) const {
    const CodedColumn& column = inputs_->column(feature);
    if (column.constant) return no_column;
    return column.dense ? feature | dense_mark : column_of[feature];
  }

  const CodedInputs* inputs_;
  const GrowthOptions* options_;
  const Space* space_;
  const Context* context_;
  ColumnSearch<Space> columns_;
  CutSearch<Space> cuts_;
  std::span<const std::uint64_t> left_rows_;
  std::vector<std::unique_ptr<ColumnSearch<Space>>> searches_;  ///< for large nodes
  std::vector<std::uint32_t> features_;
  std::vector<std::uint32_t> places_;
};

}  // namespace coppice
