#include "algorithms/random_decision_trees/powerset_model.h"

#include <algorithm>

#include "algorithms/random_decision_trees/unnecessary_nodes.h"

namespace coppice {

PowersetModel::PowersetModel(std::unique_ptr<ForestModel> forest) : forest_(std::move(forest)) {
  const LeafRows& leaves = forest_->parts().leaf_rows;
  LabelSets sets(static_cast<std::uint32_t>(forest_->parts().outputs));
  for (std::uint32_t row = 0; row < leaves.train_rows(); ++row) sets.add_row(leaves.labels(row));
  const RowClasses classes = RowClasses::of_sets(sets);
  row_with_set_.resize(classes.count());
  for (std::uint32_t row = 0; row < leaves.train_rows(); ++row) {
    set_of_row_.push_back(classes[row][0]);
    row_with_set_[classes[row][0]] = row;
  }
}

LabelSets PowersetModel::decide(const std::vector<std::uint32_t>& leaves, std::size_t rows, std::size_t trees,
                                const Context& context) const {
  const ForestParts& parts = forest_->parts();
  const std::size_t stride = parts.trees.trees();
  std::vector<std::uint32_t> best(rows);
  parallel_blocks(context, rows, 64, [&](std::size_t begin, std::size_t end) {
    std::vector<double> mass(row_with_set_.size(), 0.0);
    std::vector<std::uint32_t> met;
    for (std::size_t i = begin; i < end; ++i) {
      for (std::size_t tree = 0; tree < trees; ++tree) {
        const NarrowArray leaf = parts.leaf_rows.rows(tree, leaves[i * stride + tree]);
        const double share = 1.0 / static_cast<double>(leaf.size());
        leaf.each([&](std::uint32_t row) {
          double& sum = mass[set_of_row_[row]];
          if (sum == 0.0) met.push_back(set_of_row_[row]);
          sum += share;
        });
      }
      best[i] = met[0];
      for (const std::uint32_t set : met)
        if (mass[set] > mass[best[i]] || (mass[set] == mass[best[i]] && set < best[i])) best[i] = set;
      for (const std::uint32_t set : met) mass[set] = 0.0;
      met.clear();
    }
  });
  LabelSets decisions(static_cast<std::uint32_t>(parts.outputs));
  for (const std::uint32_t set : best) decisions.add_row(parts.leaf_rows.labels(row_with_set_[set]));
  return decisions;
}

Predictions PowersetModel::predict(const DatasetView& rows, const Context& context) const {
  Predictions predictions = forest_->predict(rows, context);
  const std::size_t trees = forest_->stages();
  predictions.set_decisions(decide(forest_->leaves_of(rows, 0, trees, context), rows.size(), trees, context));
  return predictions;
}

void PowersetModel::predict_staged(const DatasetView& rows, std::span<const double> stages, const Emit& emit,
                                   const Context& context) const {
  const auto leaves = forest_->leaves_of(rows, 0, forest_->stages(), context);
  forest_->predict_staged(
      rows, stages,
      [&](std::size_t index, const Predictions& scores) {
        Predictions predictions = scores;
        predictions.set_decisions(
            decide(leaves, rows.size(), static_cast<std::size_t>(stages[index]), context));
        emit(index, predictions);
      },
      context);
}

}  // namespace coppice
