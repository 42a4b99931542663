#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/parameters/parameters.h"

namespace coppice::craftml {

/// How inputs are weighted before anything else.
enum class InputWeighting {
  automatic,  ///< idf for sparse counts, else none
  none,
  idf,       ///< times ln((n + 1) / (rows with the feature + 1))
  sqrt_idf,  ///< the square root of that
  tf_idf,    ///< the logarithm of counts, 1 + ln(value), times idf
};

/// A random projection of a space.
enum class ProjectionKind {
  hashing,   ///< every coordinate goes to one of the new ones, with a random sign
  gaussian,  ///< every coefficient is standard normal
};

/// The hyper-parameters of CRAFTML (paper 4.3) and what goes beyond the paper.
struct Options {
  std::size_t trees = 50;
  std::uint32_t leaf_size = 10;
  std::uint32_t branches = 10;
  std::uint32_t rows_per_branch = 1;  ///< a node with few rows has fewer branches
  std::uint32_t feature_dimension = 10000;
  std::uint32_t label_dimension = 10000;
  std::size_t sample_size = 20000;
  std::uint32_t iterations = 2;
  ProjectionKind projection = ProjectionKind::hashing;
  bool features_per_node = false;  ///< Dx: another projection of the features in each node
  bool labels_per_node = false;    ///< Dy
  InputWeighting inputs = InputWeighting::automatic;
  bool unit_rows = false;
  bool tail_labels = false;   ///< rare labels weigh more in the clustering
  bool balanced = false;      ///< clusters of about equal sizes
  double second_route = 0.0;  ///< how near, as a share of the best cosine, the second best has to be
  std::optional<std::uint32_t> centroid_entries;
  std::optional<std::uint32_t> leaf_labels;
  std::optional<std::uint32_t> early_exit;
  std::optional<std::uint32_t> top_labels;

  static Options of(const Parameters& parameters);
};

/// Declarations of all of them.
std::vector<ParameterSpec> parameter_specs();

/// Most branches of a node: a byte names one of them, or none.
inline constexpr std::uint32_t most_branches = 255;
/// Largest dimension of a projection: a hash code is a coordinate of 31 bits and a sign.
inline constexpr std::uint32_t most_dimensions = 0x80000000;
/// The code of a row that takes part in no cluster.
inline constexpr std::uint8_t no_cluster = 255;

}  // namespace coppice::craftml
