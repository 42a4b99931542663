#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "algorithms/craftml/node_classifier.h"
#include "algorithms/craftml/tree_store.h"

namespace coppice::craftml {

/// Finds the leaves that rows come to. All rows go down a tree together: the centroids of a node are made
/// once, from the training rows that they are the centroids of, for all the rows that pass through it.
class TreeWalker {
 public:
  /// `rows`: those whose leaves will be asked for; `values`: of both.
  TreeWalker(const Options& options, std::size_t features, const SparseRowsView& training,
             const SparseRowsView& rows, const FeatureValues& values);

  /// leaves[i] becomes the leaf of rows[ids[i]].
  void walk(const TreeStore::Tree& tree, std::span<const std::uint32_t> ids, std::span<std::uint32_t> leaves);

 private:
  struct Open {
    std::uint32_t node;
    std::size_t training_begin;
    std::size_t training_end;
    std::size_t begin;
    std::size_t end;
  };
  void pass(const TreeStore::Tree& tree, const Open& open);
  void finish(const TreeStore::Tree& tree, std::uint32_t node, std::span<const std::size_t> training_counts);

  NodeClassifier classifier_;
  SparseRowsView training_;
  SparseRowsView rows_;
  std::vector<Open> open_;
  std::vector<std::uint32_t> training_order_;
  std::vector<std::uint32_t> places_;  ///< indices into ids, those of a node side by side
  std::vector<std::uint32_t> row_ids_;
  std::vector<std::uint32_t> buffer_;
  std::vector<std::uint8_t> routes_;
  std::vector<float> scale_;
};

}  // namespace coppice::craftml
