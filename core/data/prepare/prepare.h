#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/data/dataset.h"

namespace coppice {

/// What may be done to a dataset before anything is learnt. Whatever is estimated is estimated on the
/// training rows only.
enum class PrepareStep {
  impute,               ///< missing inputs: the median, or the most frequent category
  standardise_inputs,   ///< mean 0 and deviation 1; sparse columns are scaled only, so that zeros stay zeros
  standardise_targets,  ///< real outputs likewise (the thesis' "pre-whitened")
  unit_rows,            ///< every row of inputs to Euclidean length 1
  idf,                  ///< inputs times ln((1 + n) / (1 + rows with the feature)) + 1
  tf_idf,               ///< idf, then unit-rows
  drop_empty_labels,    ///< labels without a training row
};

/// What is known of a step, for `describe` and the config check.
struct PrepareDescription {
  PrepareStep step;
  std::string name;  ///< as in a config
  std::string summary;
};

/// In the order of the enumeration.
const std::vector<PrepareDescription>& prepare_steps();
std::optional<PrepareStep> parse_prepare_step(std::string_view name);
std::string_view prepare_step_name(PrepareStep step);

/// The dataset after the steps, in their order, fitted on `train`. Rows, their order and the given split
/// stay. Throws Error(data) if a step does not apply (targets of a classification task, missing values where
/// lengths are needed).
Dataset prepare(const Dataset& dataset, std::span<const std::uint32_t> train,
                std::span<const PrepareStep> steps);

}  // namespace coppice
