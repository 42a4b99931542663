#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/tree/grower.h"
#include "core/tree/tree_set.h"

namespace coppice {

/// What a test node asks, apart from any tree.
struct NodeTest {
  std::int32_t feature = 0;
  float threshold = 0.0F;
  std::uint8_t kind = 0;  ///< bits of GrownTree::kinds
  std::span<const std::uint64_t>
      categories{};  ///< of a categorical test: how many words follow, and the words

  static NodeTest of(const TreeSet& trees, std::size_t tree, std::uint32_t node);
};

/// Puts a tree together from tests of others: nodes come in preorder. The result has no rows.
class TreeAssembly {
 public:
  /// A test; its left child and what is below come next, then its right child.
  void add_test(const NodeTest& test);
  void add_leaf();

  /// The tree; every test has had its children.
  GrownTree finish();

 private:
  std::uint32_t add_node();

  GrownTree tree_;
  std::uint32_t leaves_ = 0;
  bool has_kinds_ = false;
  std::vector<std::uint32_t> waiting_;  ///< tests whose right child has not come yet
  bool expects_right_ = false;          ///< whether the next node is the right child of the last of them
};

}  // namespace coppice
