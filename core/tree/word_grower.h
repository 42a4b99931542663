#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/tree/coded_inputs.h"
#include "core/tree/found_split.h"
#include "core/tree/growth_place.h"
#include "core/tree/split_search.h"
#include "core/tree/tree_shape.h"
#include "core/tree/word_frame.h"
#include "core/tree/word_search.h"

namespace coppice {

/// Grows the subtrees of small nodes: most nodes of a deep tree are in them. The rows of a node are the bits
/// of a word. As in the large, growth goes on with the larger child and recurses into the smaller.
template <typename Space>
class WordGrower {
 public:
  WordGrower(const CodedInputs& inputs, const GrowthOptions& options, double total, Space& space,
             SplitSearch<Space>& search, TreeShape& shape)
      : inputs_(&inputs),
        options_(&options),
        total_(total),
        space_(&space),
        search_(options, search.columns()),
        shape_(&shape) {}

  void grow(std::span<const std::uint32_t> rows, const GrowthPlace& place) {
    frame_.build(*inputs_, rows, options_->rule == SplitRule::random_cut);
    space_->localise(rows, outputs_);
    if constexpr (in_words) space_->localise_words(outputs_);
    auto list = search_.open(frame_);
    grow_node(frame_.all(), list, place, 0);
  }

 private:
  /// Whether the space has a way of its own to score rows that are bits.
  static constexpr bool in_words = requires(Space & space, typename Space::Local& local) {
    space.localise_words(local);
  };
  using Totals = typename Space::Totals;
  using List = typename WordSearch<Space>::List;

  void grow_node(std::uint64_t rows, List list, GrowthPlace place, std::size_t depth) {
    if (totals_.size() <= depth) totals_.push_back(std::make_unique<Totals>());
    Totals& totals = *totals_[depth];
    bool known = false;
    for (;;) {
      const auto ids = ids_of(rows);
      if (options_->ends(ids.size(), place.depth) || space_->identical(outputs_, ids)) break;
      if (ids.size() == 2 && !options_->branch_for_each_category) {
        if (!part_pair(rows, ids[0], ids[1], list, place)) break;
        search_.close(list);
        return;
      }
      if (!known) learn(ids, totals);
      known = true;
      if constexpr (in_words)
        space_->enter_words(outputs_, totals, ids);
      else
        space_->enter(outputs_, totals, ids, false);
      SplitCandidate candidate = search_.search(rows, ids.size(), list, place.stream);
      if (!candidate.found) break;
      const double gain = candidate.score - space_->base_score();
      const FoundSplit found = FoundSplit::of(std::move(candidate), gain, total_, *options_);
      if (!found.split.found) break;
      const auto [left, right] = shape_->split(place.node, found.split, found.gain);
      const std::uint64_t left_rows = left_of(found.split, rows);
      const std::uint64_t right_rows = rows ^ left_rows;
      const bool left_smaller = 2 * bit_count(left_rows) <= ids.size();
      GrowthPlace left_place = place.child(left, 0);
      GrowthPlace right_place = place.child(right, 1);
      const std::uint64_t smaller = left_smaller ? left_rows : right_rows;
      for (std::uint64_t gone = smaller; gone != 0; gone &= gone - 1)
        space_->remove(outputs_, static_cast<std::uint32_t>(std::countr_zero(gone)), totals);
      grow_node(smaller, search_.borrow(list), left_smaller ? left_place : right_place, depth + 1);
      rows ^= smaller;
      place = left_smaller ? std::move(right_place) : std::move(left_place);
    }
    make_leaf(rows, place.node);
    search_.close(list);
  }

  /// The rows as numbers, until the next call.
  std::span<const std::uint32_t> ids_of(std::uint64_t rows) {
    std::size_t count = 0;
    for (; rows != 0; rows &= rows - 1) ids_[count++] = static_cast<std::uint32_t>(std::countr_zero(rows));
    return std::span(ids_).first(count);
  }
  void learn(std::span<const std::uint32_t> ids, Totals& totals) {
    space_->clear(outputs_, totals);
    for (const std::uint32_t id : ids) space_->add(outputs_, id, totals);
  }

  /// Splits a node of two rows, if some column parts them.
  bool part_pair(std::uint64_t rows, std::uint32_t a, std::uint32_t b, const List& list,
                 const GrowthPlace& place) {
    const WordColumn* column = search_.any_varying(rows, list, place.stream);
    if (column == nullptr) return false;
    const std::array<std::uint32_t, 2> pair{frame_.rows()[a], frame_.rows()[b]};
    const std::array<float, 2> values{value(*column, a), value(*column, b)};
    SplitCandidate split;
    split.found = true;
    split.feature = column->feature;
    split.place(std::min(values[0], values[1]), std::max(values[0], values[1]), *options_, place.stream);
    const FoundSplit found =
        FoundSplit::of(std::move(split), space_->pair_gain(outputs_, a, b), total_, *options_);
    if (!found.split.found) return false;
    shape_->split_pair(place.node, found.split, found.gain, pair, values[0] <= found.split.threshold);
    return true;
  }
  /// The value of a row in a column.
  float value(const WordColumn& column, std::uint32_t id) const {
    const CodedColumn& coded = inputs_->column(column.feature);
    const std::uint64_t row = std::uint64_t{1} << id;
    if ((column.rows & row) == 0) return coded.values[coded.default_code];
    if (column.entries == WordFrame::none) return coded.values[1 - coded.default_code];
    float found = 0.0F;
    frame_.each_entry(column, row, [&](std::uint32_t /*id*/, std::uint32_t key) {
      found = options_->rule == SplitRule::random_cut ? std::bit_cast<float>(key) : coded.values[key];
    });
    return found;
  }

  std::uint64_t left_of(const SplitCandidate& split, std::uint64_t rows) const {
    const WordColumn& column = frame_.columns()[frame_.column_of(split.feature)];
    const CodedColumn& coded = inputs_->column(split.feature);
    const std::uint64_t here = column.rows & rows;
    if (column.entries == WordFrame::none) return coded.default_code == 0 ? rows ^ here : here;
    std::uint64_t left = 0;
    const bool values = options_->rule == SplitRule::random_cut;
    frame_.each_entry(column, here, [&](std::uint32_t id, std::uint32_t key) {
      if ((values ? std::bit_cast<float>(key) : coded.values[key]) <= split.threshold)
        left |= std::uint64_t{1} << id;
    });
    if (here != rows && coded.values[coded.default_code] <= split.threshold) left |= rows ^ here;
    return left;
  }

  void make_leaf(std::uint64_t rows, std::uint32_t node) {
    const auto ids = ids_of(rows);
    for (std::size_t i = 0; i < ids.size(); ++i) leaf_rows_[i] = frame_.rows()[ids[i]];
    shape_->make_leaf(node, std::span(leaf_rows_).first(ids.size()));
  }

  const CodedInputs* inputs_;
  const GrowthOptions* options_;
  double total_;
  Space* space_;
  WordSearch<Space> search_;
  TreeShape* shape_;
  WordFrame frame_;
  typename Space::Local outputs_;
  std::vector<std::unique_ptr<Totals>> totals_;  ///< of the nodes on the way from the frame's root
  std::array<std::uint32_t, WordFrame::most_rows> ids_;
  std::array<std::uint32_t, WordFrame::most_rows> leaf_rows_;
};

}  // namespace coppice
