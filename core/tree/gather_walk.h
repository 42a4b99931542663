#pragma once

#include <cstddef>
#include <cstdint>

#include "core/tree/tree_nodes.h"

namespace coppice {

/// Rows on their way down a tree.
struct WalkingRows {
  /// So many take their steps at once; a multiple of it must have room.
  static constexpr std::size_t together = 32;

  const std::uint32_t* rows = nullptr;  ///< which rows of a block they are
  std::uint32_t* places = nullptr;      ///< the nodes where they are
  std::size_t count = 0;                ///< a multiple of `together`
};

/// Whether this processor reads inputs in bits from eight places at once faster than from one after the
/// other: some do not, and on others it was made slow to keep secrets.
bool gathers_pay();

/// Rows take so many steps down a tree, as PackedNodes::step() says, with inputs that have `stride` words of
/// bits a row, less than 2^31 in all. Only where gathers_pay().
void gather_steps(const PackedNodes& nodes, int steps, const std::uint32_t* bits, std::size_t stride,
                  const WalkingRows& walking);

}  // namespace coppice
