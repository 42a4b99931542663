#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "algorithms/forest/forest_model.h"
#include "core/tree/sample.h"

namespace coppice {

/// What the trees of a bootstrapped forest say about the training rows they have not seen (Breiman 2001).
class OutOfBag {
 public:
  /// `sample_of` gives the sample that a tree was grown on.
  OutOfBag(const ForestModel& model, const DatasetView& train,
           const std::function<Sample(std::size_t tree)>& sample_of);

  /// The usual metrics of the task over the rows that at least one tree has not seen.
  std::map<std::string, double> scores(const Context& context) const;
  /// For each feature, by how much the squared error of a tree on the rows it has not seen grows when the
  /// feature's values are shuffled among those rows: the mean over trees, per row.
  std::vector<double> permutation_importances(const Context& context) const;

 private:
  /// The squared error of the outputs that a tree predicts, for one row in one of its leaves.
  double error(ScoreBlock& scratch, std::size_t tree, std::uint32_t leaf, std::uint32_t row) const;
  std::vector<double> tree_importances(std::size_t tree, const Context& context) const;

  const ForestModel* model_;
  const DatasetView* train_;
  std::vector<std::uint32_t> rows_;               ///< the dataset's rows, each once, ascending
  std::vector<std::vector<std::uint32_t>> seen_;  ///< for each tree, what the dataset's rows weigh in it
};

}  // namespace coppice
