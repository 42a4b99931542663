#pragma once

#include <cstddef>
#include <limits>

#include <nlohmann/json.hpp>

#include "core/base/context.h"
#include "experiments/plan/plan.h"
#include "experiments/tuning/inner_log.h"

namespace coppice {

/// Of models that are fitted at the same time.
inline constexpr std::size_t any_number = std::numeric_limits<std::size_t>::max();

/// What a search found.
struct TuningResult {
  Parameters parameters;  ///< complete
  Rows rows;              ///< to fit them on: the whole training part, or what the comparison left of it
  Stream stream;          ///< to fit them with
  nlohmann::json report;  ///< what was tried and chosen, for the record of the trial
};

/// Finds the parameters of a tuned fit (thesis 2.5.1): every setting that its search proposes is fitted and
/// scored on the inner splits of the training part; test rows are never looked at. Scores are taken from
/// `log` where they are there, and added to it where not; it may be null. Throws Error(fit) if no setting
/// could be scored. At most `models_at_once` are fitted at the same time.
TuningResult tune(const Plan& plan, const Fit& fit, InnerLog* log, const Context& context,
                  std::size_t models_at_once = any_number);

}  // namespace coppice
