#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/base/add_lanes.h"
#include "core/tree/leaf_rows.h"

namespace coppice {

/// The label sets of training rows as one byte for each label, 0 or 1: where there are few labels, adding
/// such a row needs no branch and no list.
class LabelBytes {
 public:
  /// No rows: label sets are added label by label.
  LabelBytes() = default;
  /// No rows if they would take too much memory.
  LabelBytes(const LeafRows& leaves, std::size_t outputs);

  /// Bytes of a row: a multiple of 16.
  static std::size_t stride(std::size_t outputs) { return (outputs + 15) / 16 * 16; }
  bool empty() const { return bytes_.empty(); }
  const std::uint8_t* row(std::uint32_t row) const { return bytes_.data() + row * stride_; }

 private:
  std::size_t stride_ = 0;
  std::vector<std::uint8_t> bytes_;
};

/// Counts, for a block of rows, the trees whose leaf says yes to a label because all its training rows have
/// it: leaves that list one row, nearly all of a fully grown tree. Whole numbers, in bytes that are added up
/// before they could overflow.
class LabelCounts {
 public:
  /// `bytes` may be empty.
  LabelCounts(std::size_t rows, std::size_t outputs, const LabelBytes& bytes)
      : outputs_(outputs),
        stride_(LabelBytes::stride(outputs)),
        bytes_(&bytes),
        recent_(rows * stride_, 0),
        totals_(rows * outputs, 0) {}

  /// Adds what a tree says to each row; `leaves` has a leaf for every row. Calls several(row, leaf) for the
  /// leaves that list several training rows. Not inlined: by itself it has registers enough.
  template <typename Several>
  [[gnu::noinline]] void add(const LeafRows& leaf_rows, std::size_t tree,
                             std::span<const std::uint32_t> leaves, const Several& several) {
    if (trees_ == most_recent) add_up();
    ++trees_;
    // Bytes may be anything's: what is not a copy would be read again after each is written.
    std::uint8_t* const recent = recent_.data();
    const std::size_t stride = stride_;
    const auto listed = [&](std::size_t row, const NarrowArray&) { several(row, leaves[row]); };
    if (bytes_->empty()) {
      // Label sets are all over the place: first it is seen which are needed, then each is fetched in time.
      single_.clear();
      leaf_rows.visit(
          tree, leaves,
          [&](std::size_t row, std::uint32_t train_row) {
            leaf_rows.prefetch_place(train_row);
            single_.push_back({static_cast<std::uint32_t>(row), train_row});
          },
          listed);
      constexpr std::size_t ahead = 12;
      for (std::size_t i = 0; i < single_.size(); ++i) {
        if (i + ahead < single_.size()) leaf_rows.prefetch_labels(single_[i + ahead].train_row);
        for (const std::uint32_t label : leaf_rows.labels(single_[i].train_row))
          ++recent[single_[i].row * stride + label];
      }
    } else {
      leaf_rows.visit(
          tree, leaves,
          [&](std::size_t row, std::uint32_t train_row) {
            add_bytes(bytes_->row(train_row), recent + row * stride, stride);
          },
          listed);
    }
  }
  /// Goes on from a count.
  void start(std::size_t row, std::uint32_t label, std::uint32_t count) {
    totals_[row * outputs_ + label] += count;
  }
  /// The counts of all labels of a row.
  std::span<const std::uint32_t> of(std::size_t row) {
    if (trees_ > 0) add_up();
    return std::span(totals_).subspan(row * outputs_, outputs_);
  }

 private:
  static constexpr std::size_t most_recent = 255;

  static void add_bytes(const std::uint8_t* from, std::uint8_t* to, std::size_t count) {
    for (std::size_t j = 0; j < count; j += 16) add_lanes<SixteenBytes>(from + j, to + j);
  }
  void add_up();

  std::size_t outputs_;
  std::size_t stride_;
  const LabelBytes* bytes_;
  /// A row whose leaf lists one training row.
  struct Single {
    std::uint32_t row;
    std::uint32_t train_row;
  };
  std::vector<Single> single_;
  std::size_t trees_ = 0;             ///< that were added to recent_
  std::vector<std::uint8_t> recent_;  ///< by row and label, not yet in totals_
  std::vector<std::uint32_t> totals_;
};

}  // namespace coppice
