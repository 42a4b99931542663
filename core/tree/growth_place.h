#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/base/random.h"
#include "core/tree/split_candidate.h"
#include "core/tree/tree_shape.h"

namespace coppice {

/// A categorical feature that gets a branch for each category. The branches come off one by one.
struct CategoryChain {
  std::uint32_t feature = 0;
  bool incomplete = false;          ///< some category does not occur
  std::vector<std::uint32_t> rows;  ///< then: the dataset's rows of the node that is split
};

/// Where in the tree a node is, and the randomness that belongs to it.
struct GrowthPlace {
  std::uint32_t node = TreeShape::root;
  std::uint32_t depth = 0;
  Stream stream{0};
  std::shared_ptr<const CategoryChain>
      chain;  ///< the categorical feature that has to be split further, or none

  GrowthPlace child(std::uint32_t which, std::uint32_t side) const {
    return {which, depth + 1, stream.at("child", side), nullptr};
  }
};

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
