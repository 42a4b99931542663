#pragma once

#include <string>
#include <vector>

#include "experiments/statistics/compare.h"
#include "experiments/tables/score_grid.h"

namespace coppice {

/// What a reader of the comparison must know before believing it: what was left out, tests that cannot find
/// anything with so few datasets, samples that are not independent, bars that overlap.
std::vector<std::string> guard_warnings(const Comparison& comparison, const ResultSet& results,
                                        const ScoreGrid& grid);

}  // namespace coppice
