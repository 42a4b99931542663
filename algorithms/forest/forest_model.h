#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "algorithms/forest/forest_sums.h"
#include "algorithms/forest/leaf_means.h"
#include "algorithms/forest/row_order.h"
#include "algorithms/forest/score_block.h"
#include "core/model/model.h"
#include "core/model/model_file.h"
#include "core/tree/category_codes.h"
#include "core/tree/leaf_rows.h"
#include "core/tree/row_blocks.h"
#include "core/tree/tree_set.h"

namespace coppice {

/// One number for each leaf of each tree.
class LeafValues {
 public:
  LeafValues() = default;
  explicit LeafValues(const std::vector<std::vector<double>>& trees);

  void save(ModelWriter& writer) const;
  static LeafValues load(const std::shared_ptr<const ModelReader>& reader, const TreeSet& trees);

  double value(std::size_t tree, std::uint32_t leaf) const { return values_[begin_[tree] + leaf]; }

 private:
  std::shared_ptr<const void> owner_;
  std::span<const std::uint64_t> begin_;
  std::span<const double> values_;
};

/// What a forest is made of.
struct ForestParts {
  Task task = Task::multilabel;
  std::size_t features = 0;
  std::size_t outputs = 0;
  bool separate = false;  ///< one forest for each output; tree t of output j is number t·outputs + j
  TreeSet trees;
  LeafRows leaf_rows;               ///< leaves of joint trees
  LeafValues leaf_values;           ///< leaves of separate trees
  std::vector<double> importances;  ///< mean decrease of impurity of each feature (thesis 3.22), per tree
  std::vector<double> permutation;  ///< importance of each feature by shuffling it, or empty
  std::map<std::string, double> out_of_bag;  ///< scores on rows that trees have not seen, by metric
  bool missing = false;                      ///< trees know where missing values go
  CategoryCodes categories;
};

/// An average of trees: the score of an output is the mean over the trees of the mean of the training outputs
/// in the leaf that a row comes to. Staged in the number of trees.
class ForestModel : public Model {
 public:
  explicit ForestModel(ForestParts parts) : parts_(std::move(parts)) {}
  static std::unique_ptr<ForestModel> load(const std::shared_ptr<const ModelReader>& reader);

  Predictions predict(const DatasetView& rows, const Context& context) const override;
  void predict_staged(const DatasetView& rows, std::span<const double> stages, const Emit& emit,
                      const Context& context) const override;
  std::map<std::string, double> facts() const override;
  std::map<std::string, double> facts_at(double stage) const override;
  void save(ModelWriter& writer) const override;
  std::string describe(const ModelSchema& schema) const override;

  const ForestParts& parts() const { return parts_; }
  void set_permutation(std::vector<double> importances) { parts_.permutation = std::move(importances); }
  void set_out_of_bag(std::map<std::string, double> scores) { parts_.out_of_bag = std::move(scores); }
  /// Label scores of few labels, and real outputs, are dense.
  bool dense_scores() const;
  /// Adds what a leaf of a tree says to the scores of a row.
  void add_leaf(ScoreBlock& scores, std::size_t row, std::size_t tree, std::uint32_t leaf) const;
  /// For each of some trees the leaf of every row of a block.
  using LeavesOfTrees = std::vector<std::span<const std::uint32_t>>;
  /// The same for all rows of a block and the trees from `first` on; `means` may be null.
  void add_leaves(ScoreBlock& scores, std::size_t first, const LeavesOfTrees& leaves,
                  const LeafMeans* means) const;
  /// The means of the leaves of real outputs, made on first use; null if they are not worth it.
  const LeafMeans* leaf_means(const Context& context) const;
  /// The leaf of each row in the trees [first, last), as apply_trees gives it.
  std::vector<std::uint32_t> leaves_of(const DatasetView& rows, std::size_t first, std::size_t last,
                                       const Context& context) const;
  /// The number of trees an output is averaged over.
  std::size_t trees_per_stage() const { return parts_.separate ? parts_.outputs : 1; }
  std::size_t stages() const { return parts_.trees.trees() / trees_per_stage(); }

 private:
  /// Throws Error(fit) if trees cannot be applied to these rows.
  void check_inputs(const DatasetView& rows) const;
  /// The order in which the trees [first, last) best predict the rows of some blocks.
  RowOrder order_rows(const RowBlocks& blocks, std::size_t rows, std::size_t first, std::size_t last,
                      const Context& context) const;
  /// The sums `before` (of the trees before `first`, or null) and what the trees [first, last) say;
  /// `no_more`: only their means are wanted.
  ForestSums add_trees(const DatasetView& rows, const ForestSums* before, std::size_t first, std::size_t last,
                       bool no_more, const Context& context) const;

  /// The means of large leaves of label sets, made on first use.
  const LargeLeaves& large_leaves(const Context& context) const;

  ForestParts parts_;
  mutable std::once_flag large_made_;
  mutable std::unique_ptr<const LargeLeaves> large_;
  mutable std::once_flag means_made_;
  mutable std::unique_ptr<const LeafMeans> means_;
};

}  // namespace coppice
