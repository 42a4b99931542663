#include "algorithms/forest/out_of_bag.h"

#include <algorithm>
#include <optional>

#include "core/metrics/metric.h"
#include "core/tree/pruning.h"
#include "core/tree/row_blocks.h"

namespace coppice {

namespace {

std::vector<Metric> metrics_of(Task task) {
  if (task == Task::multilabel) return {parse_metric("lrap"), parse_metric("hamming-loss")};
  if (task == Task::multiclass) return {parse_metric("accuracy"), parse_metric("log-loss")};
  return {parse_metric("r2-macro"), parse_metric("mse")};
}

}  // namespace

OutOfBag::OutOfBag(const ForestModel& model, const DatasetView& train,
                   const std::function<Sample(std::size_t)>& sample_of)
    : model_(&model), train_(&train), rows_(Sample::of(train).rows) {
  for (std::size_t tree = 0; tree < model.parts().trees.trees(); ++tree)
    seen_.push_back(sample_of(tree).weights);
}

std::map<std::string, double> OutOfBag::scores(const Context& context) const {
  const ForestParts& parts = model_->parts();
  const std::size_t trees = parts.trees.trees();
  const std::size_t groups = model_->trees_per_stage();
  const DatasetView all(train_->shared_dataset(), rows_);
  const RowBlocks blocks(all, {}, ScoreBlock::most_rows(parts.outputs));
  // Rows that every tree of some output has seen are left out; the others are scored block by block, in
  // order.
  std::vector<Rows> scored(blocks.count());
  std::vector<Predictions> means(blocks.count());
  blocks.visit(context, [&](std::size_t number, const RowBlock& block) {
    ScoreBlock sums(block.rows(), parts.outputs);
    std::vector<double> counts(block.rows() * groups, 0.0);
    std::vector<std::uint32_t> leaves(block.rows());
    for (std::size_t tree = 0; tree < trees; ++tree) {
      parts.trees.leaves_of(tree, tree + 1, block, leaves.data());
      for (std::size_t i = 0; i < block.rows(); ++i) {
        if (seen_[tree][rows_[block.first() + i]] != 0) continue;
        model_->add_leaf(sums, i, tree, leaves[i]);
        counts[i * groups + tree % groups] += 1.0;
      }
    }
    Predictions& result = means[number] = Predictions::make_sparse(parts.outputs);
    for (std::size_t i = 0; i < block.rows(); ++i) {
      const auto count = std::span(counts).subspan(i * groups, groups);
      if (std::find(count.begin(), count.end(), 0.0) != count.end()) continue;
      std::vector<std::uint32_t> outputs;
      std::vector<double> values;
      sums.list(i, outputs, values);
      for (std::size_t e = 0; e < outputs.size(); ++e) values[e] /= count[outputs[e] % groups];
      result.add_row(outputs, values);
      scored[number].push_back(rows_[block.first() + i]);
    }
  });
  Scorer scorer(metrics_of(parts.task), ScoringContext::of(*train_));
  bool any = false;
  for (std::size_t number = 0; number < scored.size(); ++number) {
    if (scored[number].empty()) continue;
    any = true;
    scorer.add(DatasetView(train_->shared_dataset(), scored[number]), means[number]);
  }
  return any ? scorer.values() : std::map<std::string, double>{};
}

double OutOfBag::error(ScoreBlock& scratch, std::size_t tree, std::uint32_t leaf, std::uint32_t row) const {
  const ForestParts& parts = model_->parts();
  std::optional<std::uint32_t> only;
  if (parts.separate) only = static_cast<std::uint32_t>(tree % parts.outputs);
  scratch.clear();
  model_->add_leaf(scratch, 0, tree, leaf);
  double error = 0.0;
  for (const double sum : scratch.sums(0)) error += sum * sum;
  OutputRows(train_->dataset(), only).each(row, [&](std::uint32_t output, double value) {
    error += value * (value - 2.0 * scratch.sums(0)[output]);
  });
  return error;
}

std::vector<double> OutOfBag::tree_importances(std::size_t tree, const Context& context) const {
  const ForestParts& parts = model_->parts();
  const Features& features = train_->dataset().features();
  std::vector<double> increase(parts.features, 0.0);
  Rows unseen;
  for (const std::uint32_t row : rows_)
    if (seen_[tree][row] == 0) unseen.push_back(row);
  std::vector<std::uint32_t> used;
  for (std::uint32_t i = 0; i < parts.trees.nodes(tree); ++i)
    if (const auto node = parts.trees.node(tree, i); node.feature >= 0)
      used.push_back(static_cast<std::uint32_t>(node.feature));
  std::sort(used.begin(), used.end());
  used.erase(std::unique(used.begin(), used.end()), used.end());
  if (unseen.empty() || used.empty()) return increase;
  std::vector<Rows> shuffled(used.size(), unseen);
  for (std::size_t u = 0; u < used.size(); ++u)
    context.stream.at("permute", tree).at("feature", used[u]).shuffle(std::span(shuffled[u]));
  const DatasetView view(train_->shared_dataset(), unseen);
  const RowBlocks blocks(view);
  std::vector<std::vector<double>> by_block(blocks.count());
  blocks.visit(context, [&](std::size_t number, const RowBlock& block) {
    ScoreBlock scratch(1, parts.outputs);
    std::vector<float> inputs(parts.features);
    by_block[number].assign(used.size(), 0.0);
    for (std::size_t i = 0; i < block.rows(); ++i) {
      const std::uint32_t row = unseen[block.first() + i];
      for (std::size_t j = 0; j < parts.features; ++j) inputs[j] = block[i][j * RowBundle::rows];
      const std::uint32_t leaf = parts.trees.leaf(tree, inputs.data());
      const double before = error(scratch, tree, leaf, row);
      for (std::size_t u = 0; u < used.size(); ++u) {
        const float own = inputs[used[u]];
        inputs[used[u]] = features.column(used[u]).at(shuffled[u][block.first() + i]);
        const std::uint32_t other = parts.trees.leaf(tree, inputs.data());
        if (other != leaf) by_block[number][u] += error(scratch, tree, other, row) - before;
        inputs[used[u]] = own;
      }
    }
  });
  for (std::size_t u = 0; u < used.size(); ++u)
    for (const auto& block : by_block) increase[used[u]] += block[u] / static_cast<double>(unseen.size());
  return increase;
}

std::vector<double> OutOfBag::permutation_importances(const Context& context) const {
  const std::size_t trees = model_->parts().trees.trees();
  std::vector<double> mean(model_->parts().features, 0.0);
  for (std::size_t tree = 0; tree < trees; ++tree) {
    const auto increase = tree_importances(tree, context);
    for (std::size_t j = 0; j < mean.size(); ++j)
      mean[j] += increase[j] / static_cast<double>(trees / model_->trees_per_stage());
  }
  return mean;
}

}  // namespace coppice
