#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/wide_vectors.h"

namespace coppice {

/// The nodes of a tree, from the root down, that many rows pass. There are so few of them that asking each of
/// all rows of a bundle at once takes fewer steps than every row on its own way. In a balanced tree they are
/// the upper levels; where trees cut off a few rows time after time, as those of real targets do, three dozen
/// nodes are more than half the way.
class BusyNodes {
 public:
  /// None.
  BusyNodes() = default;
  /// Of a tree of so many nodes, in preorder. `widest`: whether they will be asked in vectors of 512 bits.
  template <typename Nodes>
  BusyNodes(const Nodes& nodes, std::size_t count, bool widest = has_widest_vectors());

  /// How many of them lie above a leaf, on average.
  double levels() const { return levels_; }
  /// Where the rows of some bundles, `apart` values from each other, come to below these nodes.
  void walk(const float* bundles, std::size_t apart, std::size_t count, std::uint32_t* places,
            bool widest = has_widest_vectors()) const;

 private:
  friend struct BusyWalk;
  /// What is asked of the rows that are in a place.
  struct Node {
    std::uint32_t place;
    std::uint32_t next;
    float threshold;
    std::uint32_t feature;
  };
  std::vector<Node> nodes_;  ///< those above before those below
  double levels_ = 0.0;
};

}  // namespace coppice
