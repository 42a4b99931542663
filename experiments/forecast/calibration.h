#pragma once

#include <optional>

#include "experiments/plan/plan.h"
#include "experiments/store/journal.h"

namespace coppice {

/// CPU seconds of an algorithm on a dataset: a fit is `start` and then `per_work` for each unit of its cost
/// model; a prediction goes with rows and stages, scoring with rows.
struct Calibration {
  double start = 0.0;
  double per_work = 0.0;
  double per_predicted = 0.0;  ///< of one row at one stage
  double per_scored = 0.0;     ///< of one row

  double fit_seconds(double work) const { return start + per_work * work; }
};

/// The size of a part of so many rows of a planned dataset, as the algorithm gets it.
ProblemSize size_for(const PlannedDataset& dataset, const Capabilities& capabilities, double rows);

/// From records of that algorithm entry on that dataset, if there is one.
std::optional<Calibration> calibrate_by_results(const Plan& plan, std::size_t entry, std::size_t dataset,
                                                const JournalContent& journal);

/// By fitting on more and more rows, then with more and more stages, for about that long.
Calibration calibrate_by_probe(const Plan& plan, const Fit& fit, double seconds, const StopFlag& stop);

}  // namespace coppice
