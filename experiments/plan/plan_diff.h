#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "experiments/plan/plan.h"

namespace coppice {

/// How the trials of one dataset and algorithm change from one plan to another.
struct CellDiff {
  std::string dataset;
  std::string algorithm;
  std::size_t added = 0;     ///< only in the second plan: to be run
  std::size_t reused = 0;    ///< in both: their records serve
  std::size_t orphaned = 0;  ///< only in the first: their records are kept but not shown
};

struct PlanDiff {
  std::vector<CellDiff> cells;  ///< in the order of the second plan, then of the first
  std::size_t added = 0;
  std::size_t reused = 0;
  std::size_t orphaned = 0;
  std::vector<Fit> added_fits;  ///< of the second plan, with the added trials only
};

/// Trials are the same if their hashes are, whatever they are called.
PlanDiff diff_plans(const Plan& before, const Plan& after);

}  // namespace coppice
