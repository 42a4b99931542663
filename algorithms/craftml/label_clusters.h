#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "algorithms/craftml/options.h"
#include "algorithms/craftml/projection.h"
#include "core/base/random.h"
#include "core/data/label_sets.h"

namespace coppice::craftml {

/// Clusters rows by their labels: spherical k-means on randomly projected label vectors, started by k-means++
/// (paper 3.2, step 2). Only the labels that occur are ever looked at. Rows without labels, and rows whose
/// labels cancel each other in the projection, are alike and unlike all others.
class LabelClusters {
 public:
  /// `weights`: what each label counts, or empty if all count alike.
  LabelClusters(const Options& options, const LabelSets& labels, std::span<const float> weights);

  void start_tree(std::uint64_t seed);
  void start_node(std::uint32_t node);
  /// codes[i] becomes the cluster of the label set rows[i]. Returns the number of clusters, none of them
  /// empty; the larger a cluster, the lower its number.
  std::size_t run(std::span<const std::uint32_t> rows, Stream stream, std::span<std::uint8_t> codes);

 private:
  void read_rows(std::span<const std::uint32_t> rows);
  void add_entry(std::uint32_t slot, float value);
  void end_row();
  double squared_length(std::size_t first);
  std::uint32_t local(std::uint32_t slot);
  void index_columns();
  void mix(std::span<float> matrix, std::size_t lanes);
  void seed_similarities(std::size_t seed);
  std::optional<std::size_t> draw_seed(Stream& stream) const;
  std::size_t start_clusters(Stream& stream, std::span<std::uint8_t> codes);
  void update_centroids(std::span<const std::uint8_t> codes, std::size_t clusters);
  void assign(std::span<std::uint8_t> codes, std::size_t clusters);
  void assign_balanced(std::span<std::uint8_t> codes, std::size_t clusters);
  void score_row(std::size_t row);
  std::size_t row_count() const { return begin_.size() - 1; }

  ProjectionKind kind_;
  bool per_node_;
  bool balanced_;
  std::uint32_t dimension_;
  std::uint32_t branches_;
  std::uint32_t rows_per_branch_;
  std::uint32_t iterations_;
  std::size_t lanes_;
  const LabelSets* labels_;
  std::span<const float> weights_;
  std::uint64_t tree_seed_ = 0;
  HashProjection hashing_;

  // The rows of the node as unit vectors. Coordinates are numbered as they are met; number 0 is the direction
  // of rows without labels.
  std::vector<std::uint32_t> local_of_;  ///< by slot, the number it has in this node plus one; 0: none yet
  std::vector<std::uint32_t> slots_;
  std::vector<std::uint64_t> begin_;
  std::vector<std::uint32_t> columns_;
  std::vector<float> values_;
  std::vector<std::uint64_t> column_begin_;  ///< the same by coordinate
  std::vector<std::uint32_t> column_rows_;
  std::vector<float> column_values_;
  std::vector<std::uint32_t> place_;  ///< by local number, where the row being read has it, plus one

  std::vector<float> centroids_;
  std::vector<float> scale_;
  std::vector<float> scores_;
  std::vector<float> nearest_;  ///< for each row, the largest cosine to a seed
  std::vector<float> similarity_;
  std::vector<float> seed_;
  std::vector<float> gathered_;
  std::vector<float> projected_;
};

}  // namespace coppice::craftml
