#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/base/mix.h"
#include "core/tree/column_search.h"
#include "core/tree/value_scan.h"
#include "core/tree/word_frame.h"

namespace coppice {

/// Looks for the best split of nodes in a word frame. Columns are drawn one after the other from a list of
/// those that vary, or did in a node above, until enough of them have varied; those that do not any more are
/// dropped on the way, since they will not in the nodes below.
template <typename Space>
class WordSearch {
 public:
  WordSearch(const GrowthOptions& options, ColumnSearch<Space>& columns)
      : options_(&options), columns_(&columns) {}

  /// A part of the stack of lists that has all columns that vary in a node. An owned one may be changed;
  /// another is that of a node above.
  struct List {
    std::size_t begin = 0;
    std::size_t end = 0;
    bool owned = false;
  };

  /// The list of all columns of a frame.
  List open(const WordFrame& frame) {
    frame_ = &frame;
    listed_.assign(frame.columns().begin(), frame.columns().end());
    return {0, listed_.size(), true};
  }
  /// The same list for a node below, which must not change it.
  static List borrow(const List& list) { return {list.begin, list.end, false}; }
  /// Gives up an owned list, the last that was made.
  void close(const List& list) {
    if (list.owned) listed_.resize(list.begin);
  }

  /// A column that varies in a node, each with the same chance, or none. The list is left as it is: meant for
  /// nodes of two rows, in which every column that varies splits alike.
  const WordColumn* any_varying(std::uint64_t rows, const List& list, const Stream& stream) {
    constexpr int tries = 24;
    std::uint64_t counter = stream.key()[0];
    const WordColumn* columns = listed_.data() + list.begin;
    const std::size_t size = list.end - list.begin;
    for (int i = 0; i < tries && size > 0; ++i) {
      const WordColumn& column = columns[draw(counter, stream, size)];
      if (frame_->varies(column, rows)) return &column;
    }
    varying_.clear();
    for (std::size_t i = 0; i < size; ++i)
      if (frame_->varies(columns[i], rows)) varying_.push_back(&columns[i]);
    return varying_.empty() ? nullptr : varying_[draw(counter, stream, varying_.size())];
  }

  /// The best split of a node that the space has been told.
  SplitCandidate search(std::uint64_t rows, std::size_t size, List& list, const Stream& stream) {
    if (!list.owned) own(rows, list);
    columns_->begin_words(size, stream);
    std::uint64_t counter = stream.key()[0];
    std::uint32_t drawn = 0;
    WordColumn* columns = listed_.data() + list.begin;
    std::size_t left = list.end - list.begin;
    while (drawn < options_->features && drawn < left) {
      const std::size_t next = drawn + draw(counter, stream, left - drawn);
      const WordColumn column = columns[next];
      columns[next] = columns[drawn];
      if (!frame_->varies(column, rows)) {
        columns[drawn] = columns[--left];
        continue;
      }
      columns[drawn] = column;
      columns_->set_place(drawn++);
      try_column(column, rows, size);
    }
    list.end = list.begin + left;
    return columns_->best();
  }

 private:
  /// The next random number below `bound` of a node.
  static std::size_t draw(std::uint64_t& counter, const Stream& stream, std::size_t bound) {
    const std::uint64_t number = mix((counter += 0x9e3779b97f4a7c15U) ^ stream.key()[1]);
    return static_cast<std::size_t>(static_cast<unsigned __int128>(number) * bound >> 64);
  }
  /// Makes a list of a node's own, of only those columns that vary.
  void own(std::uint64_t rows, List& list) {
    const std::size_t begin = listed_.size();
    listed_.resize(begin + list.end - list.begin);
    std::size_t end = begin;
    for (std::size_t i = list.begin; i < list.end; ++i) {
      listed_[end] = listed_[i];
      end += frame_->varies(listed_[i], rows) ? 1 : 0;
    }
    listed_.resize(end);
    list = {begin, end, true};
  }

  /// Tries a column that varies.
  void try_column(const WordColumn& column, std::uint64_t rows, std::size_t size) {
    const std::uint64_t here = column.rows & rows;
    const std::uint64_t others = rows ^ here;
    const bool two_valued = column.entries == WordFrame::none;
    if (is_one(here)) {
      if (!columns_->allowed(1) || !columns_->beats_alone(row_of(here))) return;
      if (two_valued)
        columns_->take_two_valued(column.feature);
      else
        take_single(column, here);
    } else if (!two_valued) {
      try_several(column, here);
    } else if (is_one(others)) {
      if (columns_->allowed(1) && columns_->beats_alone(row_of(others)))
        columns_->take_two_valued(column.feature);
    } else {
      const std::size_t count = bit_count(here);
      if (columns_->allowed(count)) columns_->try_side(column.feature, 2 * count <= size ? here : others);
    }
  }
  /// Takes the split that parts the only row with an entry from the others, which have the column's default.
  void take_single(const WordColumn& column, std::uint64_t row) {
    frame_->each_entry(column, row, [&](std::uint32_t /*id*/, std::uint32_t key) {
      if (options_->rule == SplitRule::random_cut)
        columns_->take_cut_from_default(column.feature, std::bit_cast<float>(key));
      else
        columns_->take_from_default(column.feature, key);
    });
  }
  void try_several(const WordColumn& column, std::uint64_t here) {
    if (options_->rule == SplitRule::random_cut) {
      std::size_t count = 0;
      frame_->each_entry(column, here, [&](std::uint32_t id, std::uint32_t key) {
        columns_->set_listed(count++, id, std::bit_cast<float>(key));
      });
      columns_->try_listed_values(column.feature, count);
      return;
    }
    auto& keys = columns_->keys();
    keys.clear();
    frame_->each_entry(column, here, [&](std::uint32_t id, std::uint32_t code) {
      keys.push_back((ListKey{code} << 32) | id);
      for (std::size_t i = keys.size() - 1; i > 0 && keys[i] < keys[i - 1]; --i)
        std::swap(keys[i], keys[i - 1]);
    });
    columns_->try_keys(column.feature);
  }
  static std::uint32_t row_of(std::uint64_t row) { return static_cast<std::uint32_t>(std::countr_zero(row)); }
  static bool is_one(std::uint64_t rows) { return (rows & (rows - 1)) == 0; }

  const GrowthOptions* options_;
  ColumnSearch<Space>* columns_;
  const WordFrame* frame_ = nullptr;
  std::vector<WordColumn> listed_;  ///< the stack of lists
  std::vector<const WordColumn*> varying_;
};

}  // namespace coppice
