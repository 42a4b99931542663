#include "algorithms/forest/tree_pruning.h"

#include <algorithm>

#include "core/tree/apply.h"

namespace coppice {

GrownTree pruned(const Pruning& pruning, const DatasetView& train, const OutputRows& outputs, Stream stream,
                 const std::function<GrownTree(const Sample&)>& grow, const Context& context) {
  if (pruning.kind == Pruning::Kind::cost_complexity && pruning.alpha)
    return prune_cost_complexity(grow(Sample::of(train)), *pruning.alpha);
  Rows shuffled(train.rows().begin(), train.rows().end());
  stream.shuffle(std::span(shuffled));
  const auto wanted = static_cast<std::size_t>(pruning.validation * static_cast<double>(shuffled.size()));
  const std::size_t held = std::clamp<std::size_t>(wanted, 1, shuffled.size() - 1);
  const Rows validation(shuffled.begin(), shuffled.begin() + static_cast<std::ptrdiff_t>(held));
  const Rows rest(shuffled.begin() + static_cast<std::ptrdiff_t>(held), shuffled.end());
  const GrownTree tree = grow(Sample::of(DatasetView(train.shared_dataset(), rest)));
  const auto leaves = apply_trees(TreeSet(std::span(&tree, 1)), 0, 1,
                                  DatasetView(train.shared_dataset(), validation), context);
  if (pruning.kind == Pruning::Kind::reduced_error)
    return prune_reduced_error(tree, outputs, validation, leaves);
  return prune_cost_complexity(grow(Sample::of(train)), best_alpha(tree, outputs, validation, leaves));
}

}  // namespace coppice
