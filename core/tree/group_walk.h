#pragma once

#include <cstddef>
#include <cstdint>

#include "core/tree/tree_nodes.h"

namespace coppice {

/// Rows that go down the upper part of a tree together.
struct RowGroup {
  static constexpr std::size_t most_rows = 512;
  static constexpr std::size_t words = most_rows / 64;

  /// For each feature the rows of the group whose input is 1, a bit for each row; all others are 0.
  const std::uint64_t* columns = nullptr;
  std::size_t rows = 0;
};

/// Lets the rows of a group go down a tree as long as many of them are in the same node: what it asks is
/// asked of all of them at once. Notes each row and the node where it is then; those of a node stand next to
/// each other. All thresholds lie between 0 and 1.
void walk_group(const PackedNodes& nodes, const RowGroup& group, std::uint32_t* rows, std::uint32_t* places);
void walk_group(const WideNodes& nodes, const RowGroup& group, std::uint32_t* rows, std::uint32_t* places);

}  // namespace coppice
