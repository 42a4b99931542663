#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace coppice {

/// The rows of a node that have one category.
struct CategoryGroup {
  std::uint32_t category = 0;
  std::size_t begin = 0;  ///< its rows among those of all groups
  std::size_t end = 0;
};

/// A number for each group of rows, so that the best of all subsets of categories is likely a prefix in their
/// order. For a single output it is the mean, and the best subset is surely a prefix (thesis 3.2.1; Breiman
/// et al. 1984, 4.2.2). For several outputs it is the projection of the group's mean on the direction in
/// which the means differ most (the first principal component of the means, weighted by the groups).
///
/// `sums` has the sum of the outputs of each group, `dimension` numbers each; `weights` what groups weigh.
std::vector<double> category_positions(std::span<const double> sums, std::size_t dimension,
                                       std::span<const double> weights);

}  // namespace coppice
