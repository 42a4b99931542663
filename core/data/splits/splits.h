#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/base/random.h"
#include "core/data/dataset.h"

namespace coppice {

// Splits are over row numbers 0 … rows-1; each part ascends, so that memory is walked in order. The same
// stream gives the same split, whatever else is drawn.

/// A random part to test on, of round(test_fraction · rows) rows, at least one; at least one is left to train
/// on. Throws Error(data) with fewer than two rows.
Split holdout(std::size_t rows, double test_fraction, const Stream& stream);

/// `folds` splits whose test parts are disjoint, cover all rows and differ in size by one at most. Throws
/// Error(data) with fewer rows than folds.
std::vector<Split> k_fold(std::size_t rows, std::size_t folds, const Stream& stream);

/// A split of positions in `rows` as a split of what stands there: how the training part of an outer split is
/// split again.
Split within(const Split& positions, std::span<const std::uint32_t> rows);

}  // namespace coppice
