#pragma once

#include <chrono>
#include <map>
#include <string>
#include <vector>

#include "core/metrics/metric.h"
#include "core/model/model.h"

namespace coppice {

/// One entry for each stage, or one in all for a model without stages.
struct ModelScores {
  std::vector<std::map<std::string, double>> metrics;
  std::vector<double> predict_seconds;
};

/// Scores a model on some rows, at every stage asked for (ascending). Predictions go from stage to stage, so
/// that a whole curve costs one walk through the model.
ModelScores score_model(const Model& model, const DatasetView& train, const DatasetView& test,
                        const std::vector<Metric>& metrics, const std::vector<double>& stages,
                        const Context& context);

double seconds_since(std::chrono::steady_clock::time_point start);

}  // namespace coppice
