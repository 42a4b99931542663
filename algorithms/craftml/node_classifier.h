#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "algorithms/craftml/feature_values.h"
#include "algorithms/craftml/lanes.h"
#include "algorithms/craftml/options.h"
#include "algorithms/craftml/projection.h"
#include "core/data/sparse_rows.h"

namespace coppice::craftml {

/// Where an input goes in the centroids, and the value that it has there.
struct Entry {
  std::uint32_t slot;
  float value;
};

/// Whether the lengths of centroids are known from before.
enum class Lengths { unknown, known };

/// Where second routes are to be written, if they are wanted: the next best cluster of a row whose cosine
/// differs from the best by less than `margin` times the best, else no_cluster.
struct SecondRoutes {
  float margin = 0.0F;
  std::span<std::uint8_t> codes{};
};

/// Rows as a classifier takes them.
struct ClassifierRows {
  ClassifierRows(const SparseRowsView& given, bool are_coded = false) : rows(given), coded(are_coded) {}

  SparseRowsView rows;
  bool coded;  ///< columns are hash codes already, as NodeClassifier::code() gives them
};

/// What decides where a row goes in a node: the centroids of the projected features of some clusters of rows;
/// a row goes to the one with the largest cosine (paper 3.2, step 3).
///
/// Centroids are kept by coordinate, those of all clusters side by side, so that routing a row costs its
/// non-zeros times the number of clusters. One classifier serves all nodes of a tree, one after the other,
/// and only what a node touched is reset. The same rows in the same order give the same centroids to the last
/// bit, in training as in prediction: so a model need not store any.
class NodeClassifier {
 public:
  /// `values`: of all the rows that it will see.
  /// `typical_entries`: how many entries a row has on average.
  NodeClassifier(const Options& options, std::size_t features, std::size_t typical_entries,
                 FeatureValues values = {});

  /// Chooses the projections of a tree; `seed` is the tree's own.
  void start_tree(std::uint64_t seed);
  /// Projects anew where nodes have projections of their own.
  void start_node(std::uint32_t node);
  /// The hash code of a feature in this tree.
  std::uint32_t code(std::uint32_t feature) const { return hashing_.code(feature); }
  /// Whether rows that will be asked about often should be coded: looking codes up in a table that is larger
  /// than the nearest cache takes longer than what is done with them.
  bool coding_pays() const;
  /// Adds rows[ids[i]] to the centroid of cluster codes[i], for all i where it is one.
  void add(const ClassifierRows& rows, std::span<const std::uint32_t> ids,
           std::span<const std::uint8_t> codes, Lengths lengths);
  /// Makes the centroids of `clusters` clusters ready, and measures them.
  void finish(std::size_t clusters);
  /// The same where lengths are known: one over that of each centroid.
  void finish(std::span<const float> scale);
  /// One over the length of each centroid.
  std::span<const float> scale() const { return scale_; }
  /// Nothing will be routed to this cluster.
  void close(std::size_t cluster) { scale_[cluster] = std::numeric_limits<float>::quiet_NaN(); }
  /// codes[i] is the cluster of rows[ids[i]]: the one of largest cosine, of those that tie the lowest. A row
  /// without features goes to the first cluster.
  void route(const ClassifierRows& rows, std::span<const std::uint32_t> ids, std::span<std::uint8_t> codes,
             const SecondRoutes& seconds = {});
  /// Forgets the node, before another one starts. `ids` are the rows that were added, in any order.
  void end_node(const ClassifierRows& rows, std::span<const std::uint32_t> ids);

 private:
  /// What is known of the slots that the rows of a node have.
  enum class Met {
    listed,    ///< each of them, in the order in which they were met
    all,       ///< so many that all slots count as met, in their order
    unlisted,  ///< no more than the rows say
  };
  Met meeting(std::size_t count, Lengths lengths) const;
  template <bool listed, typename Coder>
  void add_coded(const SparseRowsView& rows, std::span<const std::uint32_t> ids,
                 std::span<const std::uint8_t> codes, const Coder& coder);
  template <typename Choose>
  void score(const ClassifierRows& rows, std::span<const std::uint32_t> ids, const Choose& choose);
  std::uint8_t best_open(std::span<const float> scores, std::uint8_t excluded) const;
  template <typename Body>
  void with_coder(bool coded, const Body& body) const;
  std::span<float> centroid_row(std::uint32_t slot) {
    return std::span(centroids_).subspan(slot * lanes_, lanes_);
  }
  /// The slots that this node's centroids have, unless they are unlisted.
  std::span<const std::uint32_t> active() const {
    return met_ == Met::all ? std::span(every_slot_) : std::span(active_slots_).first(active_count_);
  }
  /// Prunes and mixes what was added.
  void shape_centroids();
  void prune();
  void mix_gaussian();
  /// Rows to be routed may have features that no centroid has; a Gaussian projection mixes those, too.
  void mix_missing(const SparseRow& row);

  ProjectionKind kind_;
  bool per_node_;
  std::uint32_t dimension_;
  std::optional<std::uint32_t> entries_;
  std::size_t lanes_;
  std::size_t typical_entries_;
  std::uint64_t tree_seed_ = 0;
  HashProjection hashing_;
  FeatureValues values_;
  std::vector<std::uint32_t> codes_;     ///< of all features, where a whole tree has one hashing
  std::vector<Entry> constant_entries_;  ///< the same where a feature has one value
  std::vector<float> centroids_;         ///< by slot: a hashed coordinate, or a feature; 0 where not met
  std::vector<std::uint8_t> is_active_;  ///< whether a slot is listed
  std::vector<std::uint32_t> active_slots_;
  std::size_t active_count_ = 0;
  Met met_ = Met::listed;
  std::vector<std::uint32_t> every_slot_;  ///< hashing: 0, 1, 2, …
  std::vector<float> scale_;     ///< not a number where closed, so that no score of it is the highest
  std::vector<float> gathered_;  ///< the active rows of the centroids, for Gaussian projections
  std::vector<float> projected_;
};

}  // namespace coppice::craftml
