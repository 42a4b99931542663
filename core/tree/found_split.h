#pragma once

#include <utility>

#include "core/tree/grower.h"
#include "core/tree/split_candidate.h"

namespace coppice {

/// A split and by how much it decreases the impurity of the sample.
struct FoundSplit {
  SplitCandidate split;
  double gain = 0.0;

  /// The split of a node that gains so much more than none, in a sample of that weight; not found if that is
  /// less than the options ask for.
  static FoundSplit of(SplitCandidate split, double gain, double total, const GrowthOptions& options) {
    FoundSplit found{std::move(split), gain > 0.0 ? gain / total : 0.0};
    if (found.gain < options.min_impurity_decrease) found.split.found = false;
    return found;
  }
};

}  // namespace coppice
