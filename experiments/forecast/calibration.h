#pragma once

#include <cstddef>
#include <functional>

#include "experiments/plan/plan.h"

namespace coppice {

/// CPU seconds of an algorithm at one setting on a dataset: a fit is `start` and then `per_work` for each
/// unit of its cost model; a prediction goes with rows and stages, scoring with rows.
struct Calibration {
  double once = 0.0;   ///< what the first fit on the data makes for all of them
  double start = 0.0;  ///< of every fit, whatever its stages
  double per_work = 0.0;
  double per_predicted = 0.0;  ///< of one row at one stage
  double per_scored = 0.0;     ///< of one row

  double fit_seconds(double work) const { return start + per_work * work; }
};

/// What one fit of a probe took.
struct ProbeMeasurement {
  double fit_seconds = 0.0;
  double score_seconds = 0.0;  ///< to predict and score

  double seconds() const { return fit_seconds + score_seconds; }
};

/// What can be probed: fits on some of the rows with some of the stages.
struct ProbeTask {
  std::size_t rows = 0;         ///< all there are to train on
  double last_stage = 1.0;      ///< of the fit in question; 1 without stages
  std::size_t scored = 0;       ///< rows that each measurement scores
  bool made_each_time = false;  ///< whether every fit of the run makes what a probe makes once
  std::function<double(double rows, double stage)> work;
  std::function<ProbeMeasurement(std::size_t rows, double stage)> measure;
};

/// Measures on more and more rows, at each of two numbers of stages, then with more and more stages, for
/// about `seconds`; what is beyond follows from the cost model, corrected by how the measurements grew beside
/// it.
Calibration calibrate(const ProbeTask& task, double seconds);

/// The size of a part of so many rows of a planned dataset, as the algorithm gets it.
ProblemSize size_for(const PlannedDataset& dataset, const Capabilities& capabilities, double rows);

/// The value of the staged parameter; 1 for an algorithm that has none.
double stage_of(const AlgorithmEntry& entry, const Parameters& parameters);

/// The work of a fit on so many rows of a dataset, by its algorithm's cost model.
double work_of(const Plan& plan, const Fit& fit, const Parameters& parameters, double rows);

}  // namespace coppice
