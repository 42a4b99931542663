#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/data/dataset.h"

namespace coppice {

/// The order in which rows are predicted. Rows that walk down trees together, as sets, are best alike: they
/// stay together for longer. Rows that come to neighbouring leaves in one tree mostly are so in others.
class RowOrder {
 public:
  /// As they come.
  RowOrder() = default;
  /// By the leaf of each row in some tree of so many leaves; those of a leaf as they come. The rows of a leaf
  /// cost more than those of another, so they are dealt out, a group at a time, to so many parts, one for
  /// each thread.
  RowOrder(std::span<const std::uint32_t> leaves, std::size_t leaf_count, std::size_t parts = 1);

  /// Rows of a group.
  static constexpr std::size_t together = 64;

  /// Which row, as they come, is at a place of this order.
  std::size_t operator[](std::size_t place) const { return rows_.empty() ? place : rows_[place]; }
  /// The rows of a view in this order.
  DatasetView of(const DatasetView& rows) const;

 private:
  std::vector<std::uint32_t> rows_;
};

}  // namespace coppice
