#pragma once

#include "core/path/node_path.h"
#include "core/path/path_targets.h"

namespace coppice {

struct LassoOptions {
  IndicatorScale scale = IndicatorScale::centred;
  double length = 1.0;  ///< t up to which the path goes
  bool shared = false;  ///< a penalty on the Euclidean length of the weights that a node has in all outputs
  std::size_t knots = 100;  ///< penalties, in a geometric sequence
  double smallest = 1e-3;   ///< the last penalty as a share of the first
  double tolerance = 1e-8;  ///< of the duality gap, as a share of the sum of squares of the outputs
};

/// The Lasso of the square loss, |y - Xw|²/(2n) + λ|w|₁, for λ from where all weights are 0 down; X are the
/// shifted and scaled indicators and y the outputs with mean 0 and variance 1. By coordinate descent on the
/// indicators that can have a weight: which those are is told by the sums of residuals in all nodes, found by
/// walking the trees. Between two penalties the path is taken to be linear in t.
NodePath lasso_path(const NodeIndicators& indicators, const PathTargets& targets, const LassoOptions& options,
                    const Context& context);

}  // namespace coppice
