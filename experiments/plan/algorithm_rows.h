#pragma once

#include <optional>
#include <vector>

#include "experiments/plan/plan.h"
#include "experiments/plan/plan_checks.h"

namespace coppice {

/// All combinations of the swept values of an entry, the last axis fastest.
std::vector<AlgorithmRow> expand_sweep(const AlgorithmEntry& entry, std::size_t index);

/// The parameters of a row on data of this size; nothing where they are out of range or do not go together,
/// which is noted. Parameters to be tuned have one of their values.
std::optional<Parameters> resolve_row(const AlgorithmEntry& entry, const AlgorithmRow& row,
                                      const Dataset& dataset, const ExpressionVariables& sizes,
                                      PlanNotes& notes);

/// What is searched for a tuned row on data of this size; nothing where a value is out of range there.
std::optional<SearchSpace> resolve_space(const AlgorithmEntry& entry, const AlgorithmRow& row,
                                         const Parameters& parameters, const Dataset& dataset,
                                         const ExpressionVariables& sizes, PlanNotes& notes);

}  // namespace coppice
