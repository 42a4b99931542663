#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "algorithms/craftml/tree_grower.h"
#include "core/model/model_file.h"

namespace coppice::craftml {

/// The trees of a forest in a few arrays, in memory of their own or in a mapped model file (see GrownTree for
/// what they say).
class TreeStore {
 public:
  TreeStore() = default;
  explicit TreeStore(std::span<const GrownTree> trees);

  void save(ModelWriter& writer) const;
  /// Throws Error(model) if the arrays do not describe trees of that many rows and branches.
  static TreeStore load(const std::shared_ptr<const ModelReader>& reader, std::size_t rows,
                        std::size_t branches);

  /// One tree.
  struct Tree {
    std::uint64_t seed;
    std::span<const std::uint8_t> children;
    std::span<const std::uint32_t> link;
    std::span<const float> scale;  ///< empty in files of before 2026-11-17: to be measured again
    std::span<const std::uint64_t> code_begin;
    std::span<const std::uint8_t> clusters;
    std::span<const std::uint8_t> routes;

    bool is_leaf(std::uint32_t node) const { return children[node] == 0; }
  };
  Tree operator[](std::size_t tree) const;
  std::size_t trees() const { return seeds_.size(); }
  std::size_t nodes(std::size_t tree) const { return node_begin_[tree + 1] - node_begin_[tree]; }
  std::size_t leaves(std::size_t tree) const { return leaves_[tree]; }
  std::uint32_t depth(std::size_t tree) const { return depth_[tree]; }

 private:
  std::shared_ptr<const void> owner_;
  std::span<const std::uint64_t> seeds_;
  std::span<const std::uint32_t> depth_;
  std::span<const std::uint32_t> leaves_;
  std::span<const std::uint64_t> node_begin_;
  std::span<const std::uint8_t> children_;
  std::span<const std::uint32_t> link_;
  std::span<const float> scale_;
  std::span<const std::uint64_t> code_begin_;  ///< of each node, counted in its tree
  std::span<const std::uint64_t> tree_codes_;  ///< where the codes of each tree begin, and the end of all
  std::span<const std::uint8_t> clusters_;
  std::span<const std::uint8_t> routes_;
};

}  // namespace coppice::craftml
