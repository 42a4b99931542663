#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "algorithms/craftml/near_rows.h"
#include "algorithms/craftml/node_classifier.h"
#include "algorithms/craftml/tree_store.h"

namespace coppice::craftml {

/// Of rows that come to one leaf only.
inline constexpr std::uint32_t no_leaf = 0xFFFFFFFF;

/// The leaves of a tree that a row comes to: a second one if it went two ways.
struct Arrival {
  std::uint32_t leaf = no_leaf;
  std::uint32_t second = no_leaf;
};

/// Finds the leaves that rows come to. All rows go down a tree together: the centroids of a node are made
/// once, from the training rows that they are the centroids of, for all the rows that pass through it.
class TreeWalker {
 public:
  /// `rows`: those whose leaves will be asked for; `values`: of both.
  TreeWalker(const Options& options, std::size_t features, const SparseRowsView& training,
             const SparseRowsView& rows, const FeatureValues& values);

  /// arrivals[i] becomes what rows[ids[i]] comes to.
  void walk(const TreeStore::Tree& tree, std::span<const std::uint32_t> ids, std::span<Arrival> arrivals);

 private:
  /// What a traveller may still do, and which leaf of its row it finds.
  enum class Way : std::uint8_t { undivided, first, second };
  /// A row on its way down, or one of the two that it has become.
  struct Traveller {
    std::uint32_t place;  ///< in `ids`
    Way way;
  };
  struct Open {
    std::uint32_t node;
    std::size_t training_begin;
    std::size_t training_end;
    std::size_t begin;  ///< its travellers are those from here on, once it is the last open node
  };
  void arrive(std::uint32_t leaf, std::size_t begin, std::span<Arrival> arrivals);
  void pass(const TreeStore::Tree& tree, std::span<const std::uint32_t> ids, const Open& open);
  void finish(const TreeStore::Tree& tree, std::uint32_t node, std::span<const std::size_t> training_counts);
  void choose_ways(std::span<const std::uint32_t> ids, std::size_t begin);
  std::vector<std::size_t> send(std::size_t begin, std::size_t clusters);

  NodeClassifier classifier_;
  NearRows near_;      ///< of the training rows
  bool many_ = false;  ///< whether so many rows are on their way that it is worth bringing those near
  float second_route_;
  SparseRowsView training_;
  SparseRowsView rows_;
  std::vector<Open> open_;
  std::vector<std::uint32_t> training_order_;
  std::vector<Traveller> travellers_;  ///< those of each open node side by side, those of the last one last
  std::vector<Traveller> leaving_;
  std::vector<std::uint32_t> row_ids_;
  std::vector<std::uint32_t> buffer_;
  std::vector<std::uint8_t> routes_;
  std::vector<std::uint8_t> seconds_;
  std::vector<float> scale_;
};

}  // namespace coppice::craftml
