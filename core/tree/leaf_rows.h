#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/base/context.h"
#include "core/data/dataset.h"
#include "core/model/model_file.h"
#include "core/tree/grower.h"
#include "core/tree/narrow_array.h"

namespace coppice {

/// Leaves labelled by the rows that came to them: each leaf is a list of training rows, and its prediction is
/// the mean of their outputs, looked up in one copy of the training outputs that all trees share (thesis
/// 9.2.2). Two or four bytes a row and tree, however many labels there are. A row that a sample has several
/// times is listed as often; a leaf whose rows all have the same labels lists one of them.
class LeafRows {
 public:
  LeafRows() = default;
  /// Labels the leaves of trees that were grown on rows of `train` with its outputs.
  LeafRows(std::span<const GrownTree> trees, const DatasetView& train, const Context& context = {});
  /// The same for trees that were all grown on one weighted sample: means are weighted.
  LeafRows(std::span<const GrownTree> trees, const DatasetView& train, const Sample& weighted,
           const Context& context = {});

  void save(ModelWriter& writer) const;
  /// Throws Error(model) if the arrays contradict each other. `leaves` has the number of leaves of each tree.
  static LeafRows load(const std::shared_ptr<const ModelReader>& reader, std::span<const std::size_t> leaves,
                       bool has_labels, std::size_t outputs);

  /// The rows of a leaf, numbered as labels() and values() expect.
  NarrowArray rows(std::size_t tree, std::uint32_t leaf) const {
    const std::uint64_t base = leaf_begin_[tree];
    const std::uint32_t begin = leaf == 0 ? 0 : leaf_end_[base + leaf - 1];
    return rows_.subspan(row_begin_[tree] + begin, leaf_end_[base + leaf] - begin);
  }
  /// For each of some leaves of a tree calls one(i, row) if it lists one row, else several(i, rows).
  template <typename One, typename Several>
  void visit(std::size_t tree, std::span<const std::uint32_t> leaves, const One& one,
             const Several& several) const {
    if (leaf_end_.narrow() && rows_.narrow())
      visit(tree, leaves, leaf_end_.narrow_data(), rows_.narrow_data(), one, several);
    else if (leaf_end_.narrow())
      visit(tree, leaves, leaf_end_.narrow_data(), rows_.wide_data(), one, several);
    else if (rows_.narrow())
      visit(tree, leaves, leaf_end_.wide_data(), rows_.narrow_data(), one, several);
    else
      visit(tree, leaves, leaf_end_.wide_data(), rows_.wide_data(), one, several);
  }
  /// How many training rows there are.
  std::size_t train_rows() const {
    return label_begin_.empty() ? values_.size() / outputs_ : label_begin_.size() - 1;
  }
  /// How many rows the leaves of all trees list together.
  std::size_t listed_rows() const { return rows_.size(); }
  /// What a training row weighs in a mean; 1 unless the sample was weighted.
  std::uint32_t weight(std::uint32_t row) const { return weights_.empty() ? 1 : weights_[row]; }
  bool weighted() const { return !weights_.empty(); }
  /// Label tasks: the labels of a training row.
  std::span<const std::uint32_t> labels(std::uint32_t row) const {
    return labels_.subspan(label_begin_[row], label_begin_[row + 1] - label_begin_[row]);
  }
  /// Fetches into the cache where the labels of a training row are; then the labels.
  void prefetch_place(std::uint32_t row) const { __builtin_prefetch(label_begin_.data() + row); }
  void prefetch_labels(std::uint32_t row) const {
    constexpr std::size_t line = 64 / sizeof(std::uint32_t);
    for (std::uint64_t label = label_begin_[row]; label < label_begin_[row + 1]; label += line)
      __builtin_prefetch(labels_.data() + label);
  }
  /// Regression: the outputs of a training row.
  std::span<const double> values(std::uint32_t row) const {
    return values_.subspan(row * outputs_, outputs_);
  }

 private:
  template <typename End, typename Row, typename One, typename Several>
  void visit(std::size_t tree, std::span<const std::uint32_t> leaves, const End* ends, const Row* rows,
             const One& one, const Several& several) const {
    const End* const end_of = ends + leaf_begin_[tree];
    const Row* const of_tree = rows + row_begin_[tree];
    for (std::size_t i = 0; i < leaves.size(); ++i) {
      const std::uint32_t leaf = leaves[i];
      const std::uint32_t begin = leaf == 0 ? 0 : end_of[leaf - 1];
      const std::uint32_t end = end_of[leaf];
      if (end - begin == 1)
        one(i, std::uint32_t{of_tree[begin]});
      else
        several(i, NarrowArray(std::span(of_tree + begin, end - begin)));
    }
  }
  void check(const ModelReader& reader, std::span<const std::size_t> leaves, bool has_labels) const;

  std::shared_ptr<const void> owner_;
  std::size_t outputs_ = 0;
  std::span<const std::uint64_t> leaf_begin_;  ///< for each tree, where its leaves begin in leaf_end_
  NarrowArray leaf_end_;                       ///< for each leaf, where its rows end, counted in its tree
  std::span<const std::uint64_t> row_begin_;   ///< for each tree, where its rows begin
  NarrowArray rows_;
  std::span<const std::uint64_t> label_begin_;
  std::span<const std::uint32_t> labels_;
  std::span<const double> values_;
  std::span<const std::uint32_t> weights_;  ///< of each training row, or empty
};

}  // namespace coppice
