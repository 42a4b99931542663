#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "core/base/context.h"
#include "core/data/dataset.h"
#include "core/data/sparse_rows.h"
#include "core/tree/category_codes.h"
#include "core/tree/group_walk.h"
#include "core/tree/row_bundle.h"
#include "core/tree/row_words.h"

namespace coppice {

/// The forms that rows may have besides values in bundles.
struct RowForms {
  bool words = false;  ///< RowWords, of rows with very many features, nearly all of them 0
  bool bits = false;   ///< one bit for each feature, where all inputs are 0 or 1
};

/// Some consecutive rows of a view in a form in which they can be walked down trees: all their inputs, zeros
/// included, in bundles, or another one that was allowed.
class RowBlock {
 public:
  RowBlock(std::size_t first, std::size_t rows, std::size_t features, const float* values)
      : first_(first), rows_(rows), features_(features), values_(values) {}
  RowBlock(std::size_t first, const RowWords& words) : first_(first), rows_(words.rows()), words_(&words) {}
  /// Bits by row, and by column for one RowGroup after the other, `group_words` words each.
  RowBlock(std::size_t first, std::size_t rows, std::size_t words_per_row, const std::uint32_t* bits,
           std::size_t group_words, const std::uint64_t* groups)
      : first_(first),
        rows_(rows),
        features_(words_per_row),
        bits_(bits),
        group_words_(group_words),
        groups_(groups) {}

  /// The number of the block's first row in the view.
  std::size_t first() const { return first_; }
  std::size_t rows() const { return rows_; }
  /// The rows as words, or null.
  const RowWords* words() const { return words_; }
  bool in_bits() const { return bits_ != nullptr; }
  /// How many features there are, or words of bits.
  std::size_t stride() const { return features_; }
  /// The inputs of a row as bits.
  const std::uint32_t* bits(std::size_t row) const { return bits_ + row * features_; }
  /// The same by column, of the group that begins with a row.
  const std::uint64_t* group(std::size_t row) const {
    return groups_ + row / RowGroup::most_rows * group_words_;
  }
  /// The inputs of a row as values, RowBundle::rows apart from each other.
  const float* operator[](std::size_t row) const { return values_ + RowBundle::begin(row, features_); }

 private:
  std::size_t first_;
  std::size_t rows_;
  std::size_t features_ = 0;  ///< or words of bits
  const float* values_ = nullptr;
  const RowWords* words_ = nullptr;
  const std::uint32_t* bits_ = nullptr;
  std::size_t group_words_ = 0;
  const std::uint64_t* groups_ = nullptr;
};

/// Hands out the rows of a view block by block. Only one block per thread is ever spread out; sparse columns
/// are turned into lists by row once for a dataset.
class RowBlocks {
  struct Room;

 public:
  /// Codes of categorical columns are translated on the way. A block has at most `most_rows` rows.
  explicit RowBlocks(const DatasetView& view, std::vector<CodeTranslation> translations = {},
                     std::size_t most_rows = 256, RowForms allowed = {});

  /// Whether rows come as values, each on its own way; else those that are alike walk together.
  bool in_bundles() const { return !form_.words && !form_.bits; }
  bool in_words() const { return form_.words; }
  std::size_t count() const { return (view_->size() + rows_per_block_ - 1) / rows_per_block_; }
  /// Calls visit(block number, block) for every block, in parallel.
  void visit(const Context& context, const std::function<void(std::size_t, const RowBlock&)>& visit) const;

  /// Calls visit(number in the view, inputs) for every row, in parallel, with all inputs one after the other.
  /// For a single tree: to put rows into words takes longer then.
  void visit_rows(const Context& context, const std::function<void(std::size_t, const float*)>& visit) const;

  /// Consecutive blocks that a thread visits one after the other, for what is better done with more rows than
  /// walk together.
  class Run {
   public:
    /// The number of its first row in the view.
    std::size_t first() const { return begin_ * blocks_->rows_per_block_; }
    std::size_t rows() const;
    void visit(const std::function<void(const RowBlock&)>& visit) const;

   private:
    friend class RowBlocks;
    Run(const RowBlocks& blocks, std::size_t begin, std::size_t end, Room& room)
        : blocks_(&blocks), begin_(begin), end_(end), room_(&room) {}

    const RowBlocks* blocks_;
    std::size_t begin_;  ///< of the blocks
    std::size_t end_;
    Room* room_;
  };
  std::size_t run_count(std::size_t most_rows) const {
    const std::size_t blocks = blocks_per_run(most_rows);
    return (count() + blocks - 1) / blocks;
  }
  /// Calls visit(run number, run) for every run, in parallel. A run has at most `most_rows` rows, or is a
  /// block.
  void visit_runs(const Context& context, std::size_t most_rows,
                  const std::function<void(std::size_t, const Run&)>& visit) const;

 private:
  /// The memory of a block.
  struct Room {
    std::vector<RowBundle::Line> lines;
    std::vector<std::uint32_t> bits;
    std::vector<std::uint64_t> groups;
    std::unique_ptr<RowWords> words;
    std::vector<float> row;
  };
  void fill(std::size_t first, std::size_t rows, float* values) const;
  void fill_dense(std::size_t first, std::size_t rows, float* values) const;
  /// Calls change(place in the block, value) for all values of sparse columns.
  template <typename Change>
  void change_sparse(std::size_t first, std::size_t rows, float* values, const Change& change) const;
  void clear(std::size_t first, std::size_t rows, float* values) const;
  void fill(std::size_t first, std::size_t rows, RowWords& words) const;
  void fill_bits(std::size_t first, std::size_t rows, Room& room) const;
  /// Calls body(row of the block, feature, value) for every value that is not 0, row after row.
  template <typename Body>
  void each_value(std::size_t first, std::size_t rows, const Body& body) const;
  void visit(std::size_t block, Room& room,
             const std::function<void(std::size_t, const RowBlock&)>& visit) const;
  std::size_t blocks_per_run(std::size_t most_rows) const {
    return std::max<std::size_t>(1, std::min(most_rows, share_of_thread_) / rows_per_block_);
  }
  /// Calls visit(number, memory) for so many parts of the rows, in parallel.
  void visit_parts(const Context& context, std::size_t count, std::size_t rows_each,
                   const std::function<void(std::size_t, Room&)>& visit) const;

  const DatasetView* view_;
  std::vector<CodeTranslation> translations_;
  std::size_t features_;
  std::size_t share_of_thread_;  ///< rows, of which each thread has some
  std::size_t rows_per_block_;
  RowForms form_;                                              ///< at most one
  std::vector<std::pair<std::uint32_t, const float*>> dense_;  ///< the dense columns
  std::shared_ptr<const SparseRows> sparse_;                   ///< the others, by row; null if there are none
};

}  // namespace coppice
