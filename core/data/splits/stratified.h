#pragma once

#include <span>
#include <vector>

#include "core/base/random.h"
#include "core/data/dataset.h"

namespace coppice {

/// Puts every row in one of several parts with the asked shares of rows such that every label has about its
/// share of rows in every part: iterative stratification (Sechidis, Tsoumakas and Vlahavas 2011). The label
/// with fewest rows left is served first; each of its rows goes to the part that lacks the label most, then
/// to the part that lacks rows most, then to any. With one label a row this is ordinary stratification.
std::vector<std::uint32_t> stratified_parts(const LabelSets& labels, std::span<const double> shares,
                                            const Stream& stream);

/// Like holdout() and k_fold(), stratified by label sets or classes.
Split stratified_holdout(const LabelSets& labels, double test_fraction, const Stream& stream);
std::vector<Split> stratified_k_fold(const LabelSets& labels, std::size_t folds, const Stream& stream);

/// The label sets of some rows, in their order: to stratify a part of a dataset.
LabelSets select_rows(const LabelSets& labels, std::span<const std::uint32_t> rows);

}  // namespace coppice
