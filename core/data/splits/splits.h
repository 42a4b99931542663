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

/// Random parts of these sizes, disjoint; how a given split is drawn anew with its sizes kept. Throws
/// Error(data) if there are not as many rows.
Split random_split(std::size_t rows, std::size_t train_size, std::size_t test_size, const Stream& stream);

/// `folds` splits whose test parts are disjoint, cover all rows and differ in size by one at most. Throws
/// Error(data) with fewer rows than folds.
std::vector<Split> k_fold(std::size_t rows, std::size_t folds, const Stream& stream);

/// Row `index` to test on and all others to train on; `index` goes through all rows. Throws Error(data) with
/// fewer than two rows.
Split leave_one_out(std::size_t rows, std::size_t index);

/// As many rows as there are, drawn with replacement, to train on (a row may stand there several times), and
/// the rows that were not drawn to test on. Throws Error(data) with fewer than two rows.
Split bootstrap(std::size_t rows, const Stream& stream);

/// The .632 estimate (Efron 1983) of a score or error from that on the training rows and that on the rows out
/// of the bag.
double estimate_632(double training, double out_of_bag);

/// Splits that never separate rows of one group (`groups` has the number of the group of every row). Folds
/// are as even in rows as whole groups allow. Throws Error(data) with fewer groups than folds.
std::vector<Split> group_k_fold(std::span<const std::uint32_t> groups, std::size_t folds,
                                const Stream& stream);
/// Whole groups, drawn at random, to test on: as many as come nearest to the asked share of rows, at least
/// one.
Split group_holdout(std::span<const std::uint32_t> groups, double test_fraction, const Stream& stream);

/// The number of groups that have rows.
std::size_t group_count(std::span<const std::uint32_t> groups);
/// The group that is `index`-th in the order of their numbers to test on, all others to train on. Throws
/// Error(data) with fewer than two groups.
Split leave_one_group_out(std::span<const std::uint32_t> groups, std::size_t index);
/// Like bootstrap(), but whole groups are drawn, as many as there are, and those not drawn are tested on.
Split group_bootstrap(std::span<const std::uint32_t> groups, const Stream& stream);

/// `count` of the rows, drawn at random. With the same stream a smaller part lies within a larger one.
/// Throws Error(data) if there are not as many rows.
Rows random_part(std::span<const std::uint32_t> rows, std::size_t count, const Stream& stream);

/// A split of positions in `rows` as a split of what stands there: how the training part of an outer split is
/// split again.
Split within(const Split& positions, std::span<const std::uint32_t> rows);

/// For every row the part (0 … parts-1) it was put in as `parts` splits, each of which tests on one part.
std::vector<Split> splits_of_parts(std::span<const std::uint32_t> part_of_row, std::size_t parts);

}  // namespace coppice
