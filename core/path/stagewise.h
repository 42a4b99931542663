#pragma once

#include "core/path/node_path.h"
#include "core/path/path_targets.h"

namespace coppice {

struct StagewiseOptions {
  IndicatorScale scale = IndicatorScale::centred;
  double step = 0.01;   ///< ε
  double length = 1.0;  ///< t up to which the path goes
  bool shared = false;  ///< all outputs move along one node in a step; else each along its own
};

/// Monotone incremental forward stagewise regression (Hastie et al. 2007, algorithm 2 on the indicators and
/// their negatives, whose coefficients only grow): in every step the indicator that correlates most with the
/// residuals moves its weight by ε; of equal ones that which keeps the fewest test nodes. Outputs are brought
/// to variance 1 before, but for the logistic loss, whose residuals are y - p. With `shared`, the step of
/// size ε goes in the direction of steepest descent of the group of weights that a node has, one for each
/// output (Tibshirani 2015). The path ends at `length`, or before if no step reduces the loss.
///
/// A step costs what the rows of its node cost: sums of residuals are brought up to date where they change,
/// by walking the trees from the leaves up.
NodePath stagewise_path(const NodeIndicators& indicators, const PathTargets& targets,
                        const StagewiseOptions& options, const Context& context);

}  // namespace coppice
