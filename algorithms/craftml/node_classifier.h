#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "algorithms/craftml/lanes.h"
#include "algorithms/craftml/options.h"
#include "algorithms/craftml/projection.h"
#include "core/data/sparse_rows.h"

namespace coppice::craftml {

/// What decides where a row goes in a node: the centroids of the projected features of some clusters of rows;
/// a row goes to the one with the largest cosine (paper 3.2, step 3).
///
/// Centroids are kept by coordinate, those of all clusters side by side, so that routing a row costs its
/// non-zeros times the number of clusters. One classifier serves all nodes of a tree, one after the other,
/// and only what a node touched is reset. The same rows in the same order give the same centroids to the last
/// bit, in training as in prediction: so a model need not store any.
class NodeClassifier {
 public:
  NodeClassifier(const Options& options, std::size_t features);

  /// Chooses the projections of a tree; `seed` is the tree's own.
  void start_tree(std::uint64_t seed);
  /// Forgets the node before, and projects anew where nodes have projections of their own.
  void start_node(std::uint32_t node);
  /// Adds rows[ids[i]] to the centroid of cluster codes[i], for all i where it is one.
  void add(const SparseRowsView& rows, std::span<const std::uint32_t> ids,
           std::span<const std::uint8_t> codes);
  /// Makes the centroids ready for `clusters` clusters.
  void finish(std::size_t clusters);
  /// Nothing will be routed to this cluster.
  void close(std::size_t cluster) { open_[cluster] = false; }
  /// codes[i] is the cluster of rows[ids[i]]: the one of largest cosine, of those that tie the lowest. A row
  /// without features goes to the first cluster.
  void route(const SparseRowsView& rows, std::span<const std::uint32_t> ids, std::span<std::uint8_t> codes);

 private:
  template <bool tracked, typename Coder>
  void add_coded(const SparseRowsView& rows, std::span<const std::uint32_t> ids,
                 std::span<const std::uint8_t> codes, const Coder& coder);
  template <typename Coder>
  void route_coded(const SparseRowsView& rows, std::span<const std::uint32_t> ids,
                   std::span<std::uint8_t> codes, const Coder& coder);
  template <typename Body>
  void with_coder(const Body& body);
  std::span<float> centroid_row(std::uint32_t slot) {
    return std::span(centroids_).subspan(slot * lanes_, lanes_);
  }
  /// Whether the centroids of so many rows have so many entries that all slots may as well count as met.
  bool meets_all(const SparseRowsView& rows, std::size_t count) const;
  /// The slots that this node's centroids have, in the order in which they were met.
  std::span<const std::uint32_t> active() const {
    return all_active_ ? std::span(every_slot_) : std::span(active_slots_).first(active_count_);
  }
  void prune();
  void mix_gaussian();
  /// Rows to be routed may have features that no centroid has; a Gaussian projection mixes those, too.
  void mix_missing(const SparseRow& row);

  ProjectionKind kind_;
  bool per_node_;
  std::uint32_t dimension_;
  std::optional<std::uint32_t> entries_;
  std::size_t lanes_;
  std::uint64_t tree_seed_ = 0;
  HashProjection hashing_;
  std::vector<std::uint32_t> codes_;     ///< of all features, where a whole tree has one hashing
  std::vector<float> centroids_;         ///< by slot: a hashed coordinate, or a feature; 0 where not active
  std::vector<std::uint8_t> is_active_;  ///< not kept up where all_active_
  std::vector<std::uint32_t> active_slots_;
  std::size_t active_count_ = 0;
  bool all_active_ = false;                ///< all slots count as met, in their order
  std::vector<std::uint32_t> every_slot_;  ///< hashing: 0, 1, 2, …
  std::vector<float> scale_;               ///< one over the length of each centroid
  std::vector<bool> open_;
  std::vector<float> gathered_;  ///< the active rows of the centroids, for Gaussian projections
  std::vector<float> projected_;
};

}  // namespace coppice::craftml
