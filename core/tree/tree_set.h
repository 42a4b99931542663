#pragma once

#include <cmath>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/base/context.h"
#include "core/model/model_file.h"
#include "core/tree/grower.h"
#include "core/tree/row_blocks.h"
#include "core/tree/tree_nodes.h"
#include "core/tree/tree_walk.h"

namespace coppice {

/// The splits of many trees in a few arrays, in memory of its own or in a mapped model file. Nodes of a tree
/// are in preorder: the left child of a node follows it. 8 bytes a node where features and nodes of a tree
/// can be counted in 16 bits, else 12.
class TreeSet {
 public:
  TreeSet() = default;
  explicit TreeSet(std::span<const GrownTree> trees, const Context& context = {});

  void save(ModelWriter& writer) const;
  /// Throws Error(model) if the arrays do not describe trees on that many features.
  static TreeSet load(const std::shared_ptr<const ModelReader>& reader, std::size_t features);

  std::size_t trees() const { return node_begin_.empty() ? 0 : node_begin_.size() - 1; }
  std::size_t nodes(std::size_t tree) const { return node_begin_[tree + 1] - node_begin_[tree]; }
  std::size_t leaves(std::size_t tree) const { return (nodes(tree) + 1) / 2; }
  std::uint32_t depth(std::size_t tree) const { return depth_[tree]; }

  /// What a node of a tree asks; nodes are counted from 0 in each tree.
  struct Node {
    std::int32_t feature = -1;  ///< -1 for leaves
    float threshold = 0.0F;     ///< values up to it go left
    std::uint32_t next = 0;     ///< the right child; for leaves their number
    bool categorical = false;   ///< asks whether a category is in a set, see left_category()
    bool missing_left = false;  ///< where missing values go
  };
  Node node(std::size_t tree, std::uint32_t node) const;
  /// Whether a categorical node sends a category left.
  bool left_category(std::size_t tree, const Node& node, std::uint32_t category) const;
  /// The set of a categorical node as GrownTree has it: how many words follow, and the words.
  std::span<const std::uint64_t> category_set(std::size_t tree, const Node& node) const;

  /// The leaf of the tree, counted from 0, that a row of inputs comes to; they lie so many places apart.
  std::uint32_t leaf(std::size_t tree, const float* inputs, std::size_t apart = 1) const;
  /// The forms in which rows may be walked down these trees: none but values if some node asks for a category
  /// or knows where missing values go. Bits take more steps of the processor and less of the cache, which
  /// large trees need for themselves.
  RowForms forms() const {
    constexpr std::size_t large = 4096;
    return {kinds_.empty(), kinds_.empty() && parts_bits_ && node_begin_.back() >= large * trees()};
  }
  /// The leaf of every row of a block in the trees [first, last), tree after tree, `apart` from each other.
  void leaves_of(std::size_t first, std::size_t last, const RowBlock& block, std::uint32_t* leaves,
                 std::size_t apart) const;
  void leaves_of(std::size_t first, std::size_t last, const RowBlock& block, std::uint32_t* leaves) const {
    leaves_of(first, last, block, leaves, block.rows());
  }

 private:
  void check(const ModelReader& reader, std::size_t features) const;
  bool sound_categories(std::size_t tree, const Node& node) const;
  /// Whether all thresholds of a tree part 0 from 1.
  bool all_between_bits(std::size_t tree) const;
  /// How deep the leaves of a tree lie on average.
  double mean_depth(std::size_t tree) const;
  Descent descent(std::size_t tree, double mean_depth) const;
  std::span<const std::uint64_t> packed_span(std::size_t tree) const {
    return packed_.subspan(node_begin_[tree], nodes(tree));
  }
  PackedNodes packed_nodes(std::size_t tree) const { return {packed_.data() + node_begin_[tree]}; }
  WideNodes wide_nodes(std::size_t tree) const {
    const std::uint64_t begin = node_begin_[tree];
    return {feature_.data() + begin, threshold_.data() + begin, next_.data() + begin};
  }
  /// Finds out what is known of trees that have just been grown or loaded.
  void look_at_trees(const Context& context);

  std::shared_ptr<const void> owner_;
  std::span<const std::uint64_t> packed_;  ///< small trees: PackedNodes
  /// Others: WideNodes.
  std::span<const std::uint32_t> feature_;
  std::span<const float> threshold_;
  std::span<const std::uint32_t> next_;
  std::span<const std::uint8_t> kinds_;        ///< as in GrownTree; empty if no tree has any
  std::span<const std::uint64_t> categories_;  ///< as in GrownTree
  std::span<const std::uint64_t> category_begin_;
  std::span<const std::uint64_t> node_begin_;  ///< where the nodes of each tree begin, and the end of all
  std::span<const std::uint32_t> depth_;
  std::vector<Descent> descents_;  ///< for each tree
  bool parts_bits_ = false;        ///< whether all thresholds part 0 from 1
};

}  // namespace coppice
