#pragma once

#include <cstdint>
#include <memory>

#include "core/base/random.h"
#include "core/tree/category_chain.h"
#include "core/tree/tree_shape.h"

namespace coppice {

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

}  // namespace coppice
