#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "algorithms/craftml/label_clusters.h"
#include "algorithms/craftml/near_rows.h"
#include "algorithms/craftml/node_classifier.h"
#include "algorithms/craftml/options.h"
#include "core/base/context.h"
#include "core/data/sparse_rows.h"

namespace coppice::craftml {

/// A tree that has been grown. Nodes are numbered as they are made: the children of a node follow each other.
/// What an inner node learnt is not its centroids but which rows they are the centroids of: a byte a row.
struct GrownTree {
  std::uint64_t seed = 0;              ///< of the projection of features
  std::vector<std::uint8_t> children;  ///< of each node; 0 for leaves
  std::vector<std::uint32_t> link;     ///< of an inner node its first child; of a leaf its number
  std::vector<float> scale;  ///< one over the length of the centroid that leads to each node; root: 0
  std::vector<std::uint64_t> code_begin;  ///< for each node, where the codes of its rows begin (leaves: end)
  std::vector<std::uint8_t> clusters;     ///< for each row of an inner node, the cluster it was put in
  std::vector<std::uint8_t> routes;       ///< for each row of an inner node, the cluster it was routed to
  std::vector<std::uint32_t> leaf_end;    ///< where in `rows` those of each leaf end
  std::vector<std::uint32_t> rows;        ///< the rows, leaf by leaf
  std::uint32_t depth = 0;
};

/// What trees grow from. Row i of the inputs has the label set `label_rows[i]` of `labels`.
struct TrainingData {
  SparseRowsView inputs;
  const LabelSets* labels = nullptr;
  std::span<const std::uint32_t> label_rows;
  std::span<const float> label_weights;
  std::size_t features = 0;
  FeatureValues values;  ///< of the inputs
};

/// Grows trees one after the other (paper, algorithms 1 and 2); its buffers are reused.
class TreeGrower {
 public:
  TreeGrower(const Options& options, const TrainingData& data);

  GrownTree grow(const Stream& stream, const Context& context);

 private:
  struct Open {
    std::uint32_t node;
    std::size_t begin;
    std::size_t end;
    std::uint32_t depth;
    Stream stream;
  };
  bool stops(std::span<const std::uint32_t> rows) const;
  /// Where the rows of the node go, in routes_; false if they cannot be told apart.
  bool split(const Open& open);
  void draw_sample(std::span<const std::uint32_t> rows, Stream stream);
  void make_leaf(const Open& open);
  void make_children(const Open& open);
  void add_node(float scale);

  const Options* options_;
  TrainingData data_;
  LabelClusters label_clusters_;
  NodeClassifier classifier_;
  NearRows near_;
  GrownTree tree_;
  std::vector<Open> open_;
  std::vector<std::uint32_t> order_;  ///< all rows, those of a node side by side
  std::vector<std::uint32_t> sorted_;
  std::vector<std::uint32_t> sample_;         ///< places in the node of the rows that are clustered
  std::vector<std::uint32_t> sample_labels_;  ///< their label sets
  std::vector<std::uint8_t> sample_codes_;
  std::vector<std::uint8_t> clusters_;
  std::vector<std::uint8_t> routes_;
};

/// The number of rows that go to each cluster.
std::vector<std::size_t> route_counts(std::span<const std::uint8_t> routes);

/// Sorts `rows` by their routes, keeping the order of rows of the same route. `counts` is what route_counts
/// says.
void sort_by_route(std::span<std::uint32_t> rows, std::span<const std::uint8_t> routes,
                   std::span<const std::size_t> counts, std::vector<std::uint32_t>& buffer);

}  // namespace coppice::craftml
