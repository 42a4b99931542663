#include "algorithms/craftml/craftml.h"

#include <algorithm>

#include "algorithms/cost.h"
#include "algorithms/craftml/craftml_model.h"
#include "algorithms/craftml/inputs.h"
#include "algorithms/craftml/lanes.h"
#include "algorithms/craftml/options.h"
#include "algorithms/craftml/tree_grower.h"
#include "algorithms/input_checks.h"

namespace coppice {

namespace {

/// The leaves of trees in terms of the rows of the dataset.
LeafRows label_leaves(std::vector<craftml::GrownTree>& trees, const DatasetView& train) {
  std::vector<coppice::GrownTree> leaves(trees.size());
  for (std::size_t t = 0; t < trees.size(); ++t) {
    leaves[t].leaf_end = trees[t].leaf_end;
    leaves[t].rows = std::move(trees[t].rows);
    for (std::uint32_t& row : leaves[t].rows) row = train[row];
  }
  return {leaves, train};
}

/// The memory of a fit and of a batch that is predicted. Scores of a batch are listed, so they are not what
/// takes most memory when labels are many, as with other forests.
double bytes_of_fit(const Parameters& parameters, const ProblemSize& size) {
  const double trees = number_or(parameters, "trees", 1.0);
  const double leaf_size = number_or(parameters, "leaf_size", 1.0);
  const double lanes = static_cast<double>(
      craftml::lanes_for(static_cast<std::size_t>(number_or(parameters, "branches", 2.0))));
  const double levels = TreeShape::of(parameters, size, std::max(1.0, size.rows)).levels;
  // The weighted rows, and copies of them near each other.
  constexpr double bytes_of_value = 16.0;
  // A tree as it grew beside the tree as it is stored: two bytes a row and level, and the row in its leaf.
  const double bytes_of_row = 2.0 * (2.0 * levels + 4.0);
  // Sums over trees, a mark, and the mean of a leaf.
  constexpr double bytes_of_output = 17.0;
  constexpr double batch_rows = 4096.0;
  constexpr double bytes_of_score = 24.0;
  const double listed = std::min(size.outputs, trees * leaf_size * size.labels / std::max(1.0, size.rows));
  return bytes_of_value * size.values + 16.0 * size.labels +
         trees * (bytes_of_tree + bytes_of_row * size.rows) +
         4.0 * lanes * number_or(parameters, "feature_dimension", 1.0) + bytes_of_output * size.outputs +
         bytes_of_score * batch_rows * listed;
}

class Craftml : public Algorithm {
 public:
  Craftml() {
    description_.name = "craftml";
    description_.summary =
        "Extreme multi-label forest: k-ary trees that cluster rows by randomly projected labels and route "
        "them "
        "by the cosine to the clusters' centroids of projected features.";
    description_.reference = "Siblini et al. 2018, algorithms 1 and 2";
    description_.version = 2;
    description_.capabilities.tasks = {Task::multilabel, Task::multiclass};
    description_.parameters = craftml::parameter_specs();
  }

  const AlgorithmDescription& description() const override { return description_; }

  std::unique_ptr<Model> fit(const DatasetView& train, const Parameters& parameters,
                             const Context& context) const override {
    require_rows(train, "craftml");
    require_no_missing(train, "craftml");
    const Dataset& dataset = train.dataset();
    craftml::ForestParts parts;
    parts.task = dataset.task();
    parts.features = dataset.feature_count();
    parts.outputs = dataset.output_count();
    parts.options = craftml::Options::of(parameters);
    const auto rows = std::make_shared<SparseRows>(SparseRows::of(train));
    parts.weights = craftml::InputWeights::fit(parts.options, *rows, parts.features);
    parts.weights.apply(*rows);
    parts.training = rows->view();
    parts.training_owner = rows;
    std::vector<float> weights;
    if (parts.options.tail_labels) weights = craftml::label_weights(dataset.labels(), train.rows());
    const craftml::TrainingData data{
        parts.training, &dataset.labels(), train.rows(),
        weights,        parts.features,    craftml::FeatureValues::of({parts.training}, parts.features)};
    std::vector<craftml::GrownTree> trees(parts.options.trees);
    parallel_for(context, trees.size(), [&](std::size_t t) {
      trees[t] = craftml::TreeGrower(parts.options, data).grow(context.stream.at("tree", t), context);
    });
    // Neither looks at what the other takes from a tree.
    parallel_for(context, 2, [&](std::size_t part) {
      if (part == 0)
        parts.trees = craftml::TreeStore(trees);
      else
        parts.leaves = label_leaves(trees, train);
    });
    return std::make_unique<craftml::CraftmlModel>(std::move(parts));
  }

  FitCost cost(const Parameters& parameters, const ProblemSize& size) const override {
    FitCost cost = Algorithm::cost(parameters, size);
    cost.bytes = bytes_of_fit(parameters, size);
    return cost;
  }

  std::unique_ptr<Model> load(const std::shared_ptr<const ModelReader>& reader) const override {
    return craftml::CraftmlModel::load(reader);
  }

 private:
  AlgorithmDescription description_;
};

}  // namespace

std::unique_ptr<Algorithm> make_craftml() {
  return std::make_unique<Craftml>();
}

}  // namespace coppice
