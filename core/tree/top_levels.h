#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "core/base/wide_vectors.h"
#include "core/tree/tree_nodes.h"

namespace coppice {

/// The upper levels of a tree, from where rows as values start. There are so few nodes that asking each of
/// all sixteen rows of a bundle, in one vector, takes fewer steps than every row on its own way.
class TopLevels {
 public:
  static constexpr int levels = 5;

  /// Whether this processor has vectors for it.
  static bool pays() { return has_widest_vectors(); }

  explicit TopLevels(const PackedNodes& nodes);

  /// Where the rows of a bundle come to below these levels. Only where pays().
  void walk(const float* bundle, std::uint32_t* places) const;

 private:
  static constexpr std::size_t below = std::size_t{1} << levels;

  // By level, and from left to right; what follows on a leaf is the leaf.
  std::array<std::uint32_t, below - 1> offsets_;  ///< of a feature in a bundle
  std::array<float, below - 1> thresholds_;
  std::array<std::uint32_t, below> places_;
};

}  // namespace coppice
