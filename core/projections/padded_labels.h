#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/data/label_sets.h"

namespace coppice {

/// The label sets of some rows for a projection to add up again and again: in 16 bits, one row after the
/// other, and filled up to a multiple of eight with a label beyond the last, so that a loop over them takes
/// nearly always as many steps as for the row before.
class PaddedLabels {
 public:
  static constexpr std::size_t multiple = 8;

  /// Whether so many labels, and the one beyond, have numbers of 16 bits.
  static bool suits(std::size_t label_count) { return label_count < 0x10000; }
  /// `rows` ascend; the sets of others are empty.
  PaddedLabels(const LabelSets& sets, std::span<const std::uint32_t> rows);

  std::span<const std::uint16_t> operator[](std::uint32_t row) const {
    return {labels_.data() + multiple * begin_[row], labels_.data() + multiple * begin_[row + 1]};
  }
  /// Of a row, without those that fill it up.
  std::size_t most_labels() const { return most_labels_; }

 private:
  std::vector<std::uint32_t> begin_;  ///< of every row of the dataset, in eights
  std::vector<std::uint16_t> labels_;
  std::size_t most_labels_ = 0;
};

}  // namespace coppice
