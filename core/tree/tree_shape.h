#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "core/tree/grower.h"
#include "core/tree/sample.h"
#include "core/tree/split_candidate.h"

namespace coppice {

/// A tree under construction: nodes in the order in which they were made, leaves with their rows.
class TreeShape {
 public:
  TreeShape() : nodes_(1) {}

  /// The root exists from the beginning.
  static constexpr std::uint32_t root = 0;

  /// Turns a node into a test of a feature; returns its left and right child.
  std::pair<std::uint32_t, std::uint32_t> split(std::uint32_t node, const SplitCandidate& split,
                                                double decrease);
  /// Splits a node of two rows, which become leaves.
  void split_pair(std::uint32_t node, const SplitCandidate& split, double decrease,
                  const std::array<std::uint32_t, 2>& rows, bool first_left);
  /// Gives a node that is not split its rows.
  void make_leaf(std::uint32_t node, std::span<const std::uint32_t> rows);
  /// Gives a leaf that no row came to the rows of a node above.
  void make_empty_leaf(std::uint32_t node, std::span<const std::uint32_t> rows);

  /// The finished tree in preorder; rows are repeated as often as they were drawn.
  GrownTree finish(const Sample& sample) const;

 private:
  /// Small, since finishing goes through the nodes in another order than they were made in.
  struct Node {
    std::int32_t feature = -1;
    float threshold = 0.0F;
    double decrease = 0.0;
    std::uint32_t first = 0;  ///< the left child, which the right one follows; of a leaf where its rows begin
    std::uint32_t rows = 0;   ///< of a leaf
  };
  void set_kind(std::uint32_t node, std::uint8_t kind);

  std::vector<Node> nodes_;
  std::vector<std::uint32_t> rows_;
  std::vector<std::uint64_t> categories_;
  std::vector<std::uint8_t> kinds_;  ///< of the nodes up to the last that has one
};

}  // namespace coppice
