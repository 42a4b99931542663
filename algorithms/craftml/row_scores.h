#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "algorithms/craftml/craftml_model.h"
#include "algorithms/forest/leaf_means.h"
#include "algorithms/forest/score_sums.h"
#include "core/base/context.h"
#include "core/model/predictions.h"

namespace coppice::craftml {

/// The scores of some rows while trees are added to them: for each row only the labels that leaves mentioned.
/// With early exit a row is left alone once its best labels have stopped changing.
class ScoreTable {
 public:
  ScoreTable(const ForestParts& parts, SparseRows rows);

  /// Adds what the trees [first, last) say, where first is the number of trees added so far.
  void add_trees(std::size_t first, std::size_t last, const Context& context);
  /// Ends rows whose five best labels are those of the last call, in the same order.
  void end_settled_rows();
  /// The mean over the trees added.
  Predictions predictions(const Context& context) const;

 private:
  struct RowState {
    std::vector<std::uint32_t> labels;  ///< ascending
    std::vector<double> sums;
    std::vector<std::uint32_t> best;  ///< as of the last look
    std::size_t trees = 0;
  };
  void add_leaf(ScoreSums& sums, std::size_t tree, std::uint32_t leaf, double weight) const;
  /// The same for leaves that keep their most frequent labels only.
  void add_best_labels(ScoreSums& sums, LeafMean& mean, std::size_t tree, std::uint32_t leaf,
                       double weight) const;

  const ForestParts* parts_;
  SparseRows rows_;
  FeatureValues values_;  ///< of the training rows and these
  std::vector<RowState> states_;
  std::vector<std::uint32_t> open_;  ///< rows that still go down trees
};

}  // namespace coppice::craftml
