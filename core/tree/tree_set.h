#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/model/model_file.h"
#include "core/tree/grower.h"

namespace coppice {

/// The splits of many trees in a few arrays, in memory of its own or in a mapped model file. Nodes of a tree
/// are in preorder: the left child of a node follows it. 12 bytes a node.
class TreeSet {
 public:
  TreeSet() = default;
  explicit TreeSet(std::span<const GrownTree> trees);

  void save(ModelWriter& writer) const;
  /// Throws Error(model) if the arrays do not describe trees on that many features.
  static TreeSet load(const std::shared_ptr<const ModelReader>& reader, std::size_t features);

  std::size_t trees() const { return node_begin_.empty() ? 0 : node_begin_.size() - 1; }
  std::size_t nodes(std::size_t tree) const { return node_begin_[tree + 1] - node_begin_[tree]; }
  std::size_t leaves(std::size_t tree) const { return (nodes(tree) + 1) / 2; }
  std::uint32_t depth(std::size_t tree) const { return depth_[tree]; }

  /// Nodes of one tree.
  std::span<const std::int32_t> feature(std::size_t tree) const { return part(feature_, tree); }
  std::span<const float> threshold(std::size_t tree) const { return part(threshold_, tree); }
  std::span<const std::uint32_t> next(std::size_t tree) const { return part(next_, tree); }

  /// The leaf of the tree, counted from 0, that a row of inputs comes to.
  std::uint32_t leaf(std::size_t tree, const float* inputs) const {
    const std::uint64_t base = node_begin_[tree];
    const std::int32_t* feature = feature_.data() + base;
    const float* threshold = threshold_.data() + base;
    const std::uint32_t* next = next_.data() + base;
    std::uint32_t node = 0;
    while (feature[node] >= 0) node = inputs[feature[node]] <= threshold[node] ? node + 1 : next[node];
    return next[node];
  }

 private:
  template <typename T>
  std::span<const T> part(std::span<const T> all, std::size_t tree) const {
    return all.subspan(node_begin_[tree], nodes(tree));
  }
  void check(const ModelReader& reader, std::size_t features) const;

  std::shared_ptr<const void> owner_;
  std::span<const std::int32_t> feature_;
  std::span<const float> threshold_;
  std::span<const std::uint32_t> next_;
  std::span<const std::uint64_t> node_begin_;  ///< where the nodes of each tree begin, and the end of all
  std::span<const std::uint32_t> depth_;
};

}  // namespace coppice
