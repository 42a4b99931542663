#pragma once

#include <functional>
#include <optional>

#include "core/base/context.h"
#include "core/data/dataset.h"
#include "core/tree/pruning.h"

namespace coppice {

/// How a single tree is cut back.
struct Pruning {
  enum class Kind { none, cost_complexity, reduced_error };
  Kind kind = Kind::none;
  std::optional<double> alpha;  ///< of cost-complexity pruning; empty: chosen on the rows held back
  double validation = 0.25;     ///< the share of rows held back
};

/// Grows and prunes. Rows to be held back are drawn from the stream. Cost-complexity pruning chooses alpha
/// with them and then grows on all rows; reduced-error pruning never grows on them. The view has two rows at
/// least.
GrownTree pruned(const Pruning& pruning, const DatasetView& train, const OutputRows& outputs, Stream stream,
                 const std::function<GrownTree(const Sample&)>& grow, const Context& context);

}  // namespace coppice
