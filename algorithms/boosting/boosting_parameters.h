#pragma once

#include <optional>
#include <string>
#include <vector>

#include "algorithms/algorithm.h"
#include "core/losses/loss.h"
#include "core/projections/projection.h"
#include "core/tree/grower.h"

namespace coppice {

/// What a boosted model is a sum of.
enum class BoostingForm {
  separate,  ///< weak models for each output: single target, binary relevance
  joint,     ///< weak models that tell a vector (thesis Algorithms 6.1 and 6.3)
  shared,    ///< weak models that tell a number, times a vector over the outputs (Algorithm 6.2)
};

/// What distinguishes the boosting algorithms.
struct BoostingKind {
  std::string name;
  std::string summary;
  std::string reference;
  bool chooses_outputs = false;  ///< has the parameter `outputs`
  bool joint = false;            ///< grows on all outputs
  bool projects = false;         ///< has the parameters of projections, and `relabel`
  bool knows_structure = false;  ///< has the parameter `structure`
};

/// How to boost, resolved for one dataset.
struct BoostingOptions {
  BoostingForm form = BoostingForm::separate;
  std::size_t iterations = 100;
  double learning_rate = 0.1;
  const Loss* loss = nullptr;
  double huber_delta = 1.0;
  bool ridge = false;  ///< weak models are linear, not trees
  double penalty = 1.0;
  GrowthOptions growth;
  double subsample_rows = 1.0;
  std::optional<std::size_t> patience;  ///< of early stopping
  double validation = 0.2;
  std::string projection;  ///< empty: weak models see the outputs themselves
  ProjectionSetting projection_setting;
};

std::vector<ParameterSpec> boosting_parameters(const BoostingKind& kind);
/// What is wrong with values that are fine one by one.
std::optional<ParameterProblem> boosting_problem(const BoostingKind& kind, const Parameters& parameters,
                                                 std::size_t outputs);
/// Throws Error(fit) if the loss is not for the task.
BoostingOptions boosting_options(const BoostingKind& kind, const Parameters& parameters,
                                 const Dataset& dataset);

}  // namespace coppice
