#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "core/tree/coded_inputs.h"
#include "core/tree/found_split.h"
#include "core/tree/growth_place.h"
#include "core/tree/tree_shape.h"
#include "core/tree/word_frame.h"
#include "core/tree/word_gram.h"
#include "core/tree/word_search.h"
#include "core/tree/word_sums.h"

namespace coppice {

/// Grows the subtrees of small nodes: most nodes of a deep tree are in them. The rows of a node are the bits
/// of a word. As in the large, growth goes on with the larger child and recurses into the smaller.
template <typename Space>
class WordGrower {
 public:
  WordGrower(const CodedInputs& inputs, const GrowthOptions& options, double total, Space& space,
             TreeShape& shape)
      : inputs_(&inputs),
        options_(&options),
        total_(total),
        outputs_(word_outputs(space)),
        search_(inputs, options, outputs_),
        shape_(&shape) {}
  WordGrower(const WordGrower&) = delete;
  WordGrower& operator=(const WordGrower&) = delete;

  void grow(std::span<const std::uint32_t> rows, const GrowthPlace& place) {
    // What columns say is only gathered for nodes that are not leaves: many are.
    if (options_->ends(rows.size(), place.depth) || !build_outputs(rows)) {
      shape_->make_leaf(place.node, rows);
      return;
    }
    frame_.build(*inputs_, rows, options_->rule == SplitRule::random_cut);
    grow_node(frame_.all(), search_.open(frame_), place, 0);
  }

 private:
  using Outputs = decltype(word_outputs(std::declval<Space&>()));
  using Totals = typename Outputs::Totals;
  using List = typename WordSearch<Outputs>::List;

  /// Returns whether they differ.
  bool build_outputs(std::span<const std::uint32_t> rows) {
    outputs_.build(rows);
    return !outputs_.identical(WordFrame::bits_of(rows.size()));
  }
  bool is_leaf(std::uint64_t rows, std::uint32_t depth) {
    return options_->ends(bit_count(rows), depth) || outputs_.identical(rows);
  }
  bool is_pair(std::size_t size) const { return size == 2 && !options_->branch_for_each_category; }

  /// Grows a node that is not a leaf unless no split is found. What only such nodes need, most of all their
  /// stream, is not made for leaves: every other node is one.
  void grow_node(std::uint64_t rows, List list, GrowthPlace place, std::size_t depth) {
    if (totals_.size() <= depth) totals_.push_back(std::make_unique<Totals>());
    Totals& totals = *totals_[depth];
    bool known = false;
    for (;;) {
      const std::size_t size = bit_count(rows);
      if (is_pair(size)) {
        if (!part_pair(rows, list, place)) make_leaf(rows, place.node);
        break;
      }
      if (!known) outputs_.learn(rows, totals);
      known = true;
      outputs_.enter(rows, totals);
      SplitCandidate candidate = search_.search(rows, size, list, place.stream);
      const double gain = candidate.found ? candidate.score - outputs_.base_score() : 0.0;
      const FoundSplit found = FoundSplit::of(std::move(candidate), gain, total_, *options_);
      if (!found.split.found) {
        make_leaf(rows, place.node);
        break;
      }
      const auto [left, right] = shape_->split(place.node, found.split, found.gain);
      const std::uint64_t left_rows = left_of(found.split, rows);
      const bool left_smaller = 2 * bit_count(left_rows) <= size;
      const std::uint64_t smaller = left_smaller ? left_rows : rows ^ left_rows;
      rows ^= smaller;
      const std::uint32_t smaller_node = left_smaller ? left : right;
      if (is_leaf(smaller, place.depth + 1))
        make_leaf(smaller, smaller_node);
      else
        grow_node(smaller, search_.borrow(list), place.child(smaller_node, left_smaller ? 0 : 1), depth + 1);
      const std::uint32_t larger_node = left_smaller ? right : left;
      if (is_leaf(rows, place.depth + 1)) {
        make_leaf(rows, larger_node);
        break;
      }
      if (!is_pair(bit_count(rows))) outputs_.remove(smaller, rows, totals);
      place = place.child(larger_node, left_smaller ? 1 : 0);
    }
    search_.close(list);
  }

  /// Splits a node of two rows, if some column parts them.
  bool part_pair(std::uint64_t rows, const List& list, const GrowthPlace& place) {
    WordColumn column;
    if (!search_.any_varying(rows, list, place.stream, column)) return false;
    const auto a = static_cast<std::uint32_t>(std::countr_zero(rows));
    const auto b = static_cast<std::uint32_t>(std::countr_zero(rows & (rows - 1)));
    const std::array<std::uint32_t, 2> pair{frame_.rows()[a], frame_.rows()[b]};
    const std::array<float, 2> values{value(column, a), value(column, b)};
    SplitCandidate split;
    split.found = true;
    split.feature = column.feature;
    split.place(std::min(values[0], values[1]), std::max(values[0], values[1]), *options_, place.stream);
    const FoundSplit found = FoundSplit::of(std::move(split), outputs_.pair_gain(a, b), total_, *options_);
    if (!found.split.found) return false;
    shape_->split_pair(place.node, found.split, found.gain, pair, values[0] <= found.split.threshold);
    return true;
  }
  /// The value of a row in a column.
  float value(const WordColumn& column, std::uint32_t id) const {
    const ColumnDefault& others = inputs_->default_of(column.feature);
    if (((column.rows >> id) & 1U) == 0) return others.value;
    if (column.entries == WordColumn::two_valued) return others.other;
    return inputs_->value(column.feature, frame_.rows()[id]);
  }

  std::uint64_t left_of(const SplitCandidate& split, std::uint64_t rows) const {
    const WordColumn& column = search_.column();
    const ColumnDefault& others = inputs_->default_of(split.feature);
    const std::uint64_t here = column.rows & rows;
    if (column.entries == WordColumn::two_valued) return others.code == 0 ? rows ^ here : here;
    const CodedColumn& coded = inputs_->column(split.feature);
    std::uint64_t left = 0;
    const bool values = options_->rule == SplitRule::random_cut;
    if (column.entries == WordColumn::one_entry) {
      if (value(column, static_cast<std::uint32_t>(std::countr_zero(here))) <= split.threshold) left = here;
    } else {
      for (const ListKey entry : frame_.entries(column))
        if ((values ? key_value(entry) : coded.values[key_code(entry)]) <= split.threshold)
          left |= here & (std::uint64_t{1} << key_id(entry));
    }
    if (here != rows && others.value <= split.threshold) left |= rows ^ here;
    return left;
  }

  void make_leaf(std::uint64_t rows, std::uint32_t node) {
    std::size_t count = 0;
    for (; rows != 0; rows &= rows - 1)
      leaf_rows_[count++] = frame_.rows()[static_cast<std::size_t>(std::countr_zero(rows))];
    shape_->make_leaf(node, std::span(leaf_rows_).first(count));
  }

  const CodedInputs* inputs_;
  const GrowthOptions* options_;
  double total_;
  Outputs outputs_;
  WordSearch<Outputs> search_;
  TreeShape* shape_;
  WordFrame frame_;
  std::vector<std::unique_ptr<Totals>> totals_;  ///< of the nodes on the way from the frame's root
  std::array<std::uint32_t, WordFrame::most_rows> leaf_rows_;
};

}  // namespace coppice
