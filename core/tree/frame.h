#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/tree/coded_inputs.h"
#include "core/tree/list_keys.h"

namespace coppice {

/// A listed column inside a frame, restricted to the frame's rows.
struct FrameColumn {
  std::uint32_t feature = 0;
  std::uint32_t count = 0;  ///< how many rows of the frame it lists
  bool bitmap = false;      ///< as one bit for each row, else as a list of keys
  bool two_valued = false;
  std::size_t begin = 0;  ///< where its bits or keys begin
};

/// Columns to draw from: columns of a frame by their number, dense ones by their feature and a mark.
using ColumnList = std::vector<std::uint32_t>;
constexpr std::uint32_t dense_mark = 0x80000000U;

/// Buffers for building frames, one entry for each listed column of the dataset, by place; counts are zero
/// between uses.
struct FrameScratch {
  explicit FrameScratch(std::size_t listed) : count(listed, 0), next(listed, 0), touched(listed + 1) {}
  std::vector<std::uint32_t> count;
  std::vector<std::uint64_t> next;     ///< where the next key of a list goes, or what else a column is
  std::vector<std::uint32_t> touched;  ///< with room for one more than there are
};

/// The rows of a node numbered anew from 0, with those listed columns that vary among them. The nodes of a
/// subtree live in one frame until they have become so small that a new one pays: whatever is done to a
/// column then costs as much as the frame has rows, not as the dataset has, and columns that cannot split
/// anything any more are gone.
class Frame {
 public:
  /// `values`: keys of lists say values, not codes.
  void build(const CodedInputs& inputs, std::span<const std::uint32_t> rows, FrameScratch& scratch,
             bool values);
  std::uint32_t size() const { return static_cast<std::uint32_t>(rows_.size()); }
  /// 64-bit words in a bitmap of the frame's rows.
  std::size_t words() const { return (rows_.size() + 63) / 64; }
  /// The dataset's row of each row of the frame.
  std::span<const std::uint32_t> rows() const { return rows_; }

  std::span<const FrameColumn> columns() const { return columns_; }
  std::span<const std::uint64_t> bits(const FrameColumn& column) const {
    return std::span(bits_).subspan(column.begin, words());
  }
  /// The listed rows of a column, in some order.
  std::span<const ListKey> list(const FrameColumn& column) const {
    return std::span(lists_).subspan(column.begin, column.count);
  }
  /// The same in the order of codes. Lists are sorted on first use, so one that several threads use must have
  /// been asked for before.
  std::span<const ListKey> sorted_list(const FrameColumn& column) const;
  bool is_sorted(const FrameColumn& column) const { return sorted_[column.begin] != 0; }
  void sort_lists() const;
  /// Fetches the beginning of a column's rows into the cache.
  void prefetch(const FrameColumn& column) const {
    if (column.bitmap) {
      __builtin_prefetch(bits_.data() + column.begin);
    } else {
      __builtin_prefetch(lists_.data() + column.begin);
      __builtin_prefetch(sorted_.data() + column.begin);
    }
  }
  /// All columns that may vary: those of the frame and the dense ones of the dataset.
  void list_columns(const CodedInputs& inputs, ColumnList& columns) const;
  /// For each of so many features the column of the frame that it is, or the largest number if it is none.
  /// Made on first use, so a frame that several threads use must have been asked before.
  std::span<const std::uint32_t> column_index(std::size_t features) const;

 private:
  bool only_bitmaps(const CodedInputs& inputs) const;
  void build_bitmaps(const CodedInputs& inputs);
  void choose_columns(const CodedInputs& inputs, std::span<const std::uint32_t> touched,
                      FrameScratch& scratch);
  template <typename EntriesOf>
  void fill(const CodedInputs& inputs, FrameScratch& scratch, const EntriesOf& entries_of);

  std::vector<std::uint32_t> rows_;
  std::vector<FrameColumn> columns_;
  std::vector<std::uint64_t> bits_;
  mutable std::vector<ListKey> lists_;
  mutable std::vector<std::uint8_t> sorted_;  ///< for each list, by where it begins: whether it is sorted
  mutable std::vector<std::uint32_t> index_;
};

/// The dense columns of a frame's rows next to each other, for nodes that look at many of them: codes, or
/// values where cuts are random.
class DenseCopy {
 public:
  bool active() const { return active_; }
  void clear() { active_ = false; }
  /// Copies from the dataset's columns, or from the copy of a larger frame of which `ids` are the rows.
  void build(const CodedInputs& inputs, std::span<const std::uint32_t> rows, bool values);
  void build(const DenseCopy& larger, std::span<const std::uint32_t> ids, std::size_t columns, bool values);

  const std::uint16_t* codes(std::size_t dense_index) const { return codes_.data() + dense_index * rows_; }
  const float* values(std::size_t dense_index) const { return values_.data() + dense_index * rows_; }

 private:
  bool active_ = false;
  std::size_t rows_ = 0;
  std::vector<std::uint16_t> codes_;
  std::vector<float> values_;
};

}  // namespace coppice
