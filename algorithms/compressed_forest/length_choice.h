#pragma once

#include <cstddef>
#include <vector>

namespace coppice {

/// How t is chosen: the loss on held-back rows at t = 0, ε, 2ε…, averaged over folds. A bound on t that is
/// smaller looks at the first of them only, so that one curve answers for every bound. Without a curve, t is
/// the bound itself.
struct LengthChoice {
  double step = 0.01;                   ///< ε
  std::vector<double> losses;           ///< mean over the folds, or empty
  std::vector<double> standard_errors;  ///< of those means; empty with a single validation part
  bool one_standard_error = false;      ///< the smallest t within one standard error of the best

  double at(double bound) const;
  /// The largest t that any bound up to this one leads to.
  double largest(double bound) const;
};

}  // namespace coppice
