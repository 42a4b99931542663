#include "algorithms/boosting/weak_tree.h"

#include "core/tree/real_grid.h"
#include "core/tree/sample.h"

namespace coppice {

WeakTrees::WeakTrees(const DatasetView& train, std::span<const std::uint32_t> rows,
                     const GrowthOptions& options, const Context& context)
    : rows_(rows),
      dataset_rows_(train.dataset().rows()),
      options_(options),
      inputs_(CodedInputs::of(train.shared_dataset(), dense_use(options.rule), context)) {
  place_.reserve(rows.size());
  for (const std::uint32_t row : rows) {
    if (distinct_.empty() || distinct_.back() != row) distinct_.push_back(row);
    place_.push_back(static_cast<std::uint32_t>(distinct_.size() - 1));
  }
  if (RepeatedGrower::suits(*inputs_, options_))
    repeated_ = std::make_unique<RepeatedGrower>(inputs_, distinct_, options_);
}

WeakTree WeakTrees::grow(const TargetColumns& targets, std::span<const std::uint32_t> drawn,
                         const Stream& stream, const Context& context, WeakTreeMemory& memory) const {
  WeakTree grown = repeated_ ? grow_repeated(targets, drawn, stream, context, memory)
                             : grow_any(targets, drawn, stream, context);
  if (!drawn.empty()) grown.leaf = leaves(grown.tree, rows_);
  return grown;
}

WeakTree WeakTrees::grow_repeated(const TargetColumns& targets, std::span<const std::uint32_t> drawn,
                                  const Stream& stream, const Context& context,
                                  WeakTreeMemory& memory) const {
  std::vector<std::uint32_t> weights;
  if (!drawn.empty() || distinct_.size() < rows_.size()) {
    weights.assign(distinct_.size(), 0);
    if (drawn.empty())
      for (const std::uint32_t place : place_) ++weights[place];
    else
      for (const std::uint32_t i : drawn) ++weights[place_[i]];
  }
  const std::uint64_t total = drawn.empty() ? rows_.size() : drawn.size();
  if (memory.targets == nullptr)
    memory.targets = std::make_unique<BlockedTargets>(distinct_.size(), targets.outputs);
  parallel_blocks(context, targets.outputs, memory.targets->lanes(),
                  [&](std::size_t first, std::size_t last) {
                    std::vector<double> values(rows_.size());
                    for (std::size_t output = first; output < last; ++output) {
                      targets.fill(output, values);
                      if (distinct_.size() < rows_.size())
                        for (std::size_t i = 0; i < rows_.size(); ++i) values[place_[i]] = values[i];
                      memory.targets->set(output, std::span(values).first(distinct_.size()), weights, total);
                    }
                  });
  RepeatedTree repeated = repeated_->grow(*memory.targets, weights, stream, memory.growth, context);
  WeakTree grown;
  grown.tree = std::move(repeated.tree);
  if (distinct_.size() == rows_.size()) {
    grown.leaf = std::move(repeated.leaf);
  } else {
    grown.leaf.resize(rows_.size());
    for (std::size_t i = 0; i < rows_.size(); ++i) grown.leaf[i] = repeated.leaf[place_[i]];
  }
  return grown;
}

WeakTree WeakTrees::grow_any(const TargetColumns& targets, std::span<const std::uint32_t> drawn,
                             const Stream& stream, const Context& context) const {
  Sample sample;
  sample.weights.assign(dataset_rows_, 0);
  const auto add = [&](std::uint32_t i) {
    if (sample.weights[rows_[i]]++ == 0) sample.rows.push_back(rows_[i]);
    ++sample.total;
  };
  if (drawn.empty())
    for (std::uint32_t i = 0; i < rows_.size(); ++i) add(i);
  else
    for (const std::uint32_t i : drawn) add(i);
  std::vector<double> values(dataset_rows_ * targets.outputs, 0.0);
  std::vector<double> column(rows_.size());
  for (std::size_t output = 0; output < targets.outputs; ++output) {
    targets.fill(output, column);
    for (std::size_t i = 0; i < rows_.size(); ++i) values[rows_[i] * targets.outputs + output] = column[i];
  }
  const RealGrid grid(values, targets.outputs, sample);
  WeakTree grown;
  grown.tree = grow_tree(*inputs_, &grid, sample, options_, stream, context);
  const auto leaf_of = grown.tree.leaf_of_rows(dataset_rows_);
  grown.leaf.resize(rows_.size());
  for (std::size_t i = 0; i < rows_.size(); ++i) grown.leaf[i] = leaf_of[rows_[i]];
  grown.tree.rows = {};
  return grown;
}

std::vector<std::uint32_t> WeakTrees::leaves(const GrownTree& tree,
                                             std::span<const std::uint32_t> rows) const {
  std::vector<std::uint32_t> found(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    std::uint32_t node = 0;
    while (tree.feature[node] >= 0) {
      const auto feature = static_cast<std::size_t>(tree.feature[node]);
      node = inputs_->value(feature, rows[i]) <= tree.threshold[node] ? node + 1 : tree.next[node];
    }
    found[i] = tree.next[node];
  }
  return found;
}

}  // namespace coppice
