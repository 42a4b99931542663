#include <cmath>
#include <limits>

#include "core/metrics/catalogue.h"

namespace coppice {

namespace {

constexpr double undefined = std::numeric_limits<double>::quiet_NaN();

/// The mean over rows and outputs of an error that was summed for each output.
template <double TargetSum::*error>
double mean_error(const Totals& totals) {
  double sum = 0.0;
  for (const TargetSum& target : totals.target_sums->sums()) sum += target.*error;
  const double values =
      static_cast<double>(totals.rows) * static_cast<double>(totals.target_sums->sums().size());
  return totals.rows == 0 ? undefined : sum / values;
}

double r2_of(const TargetSum& target) {
  if (target.deviation > 0.0) return 1.0 - target.squared_error / target.deviation;
  return target.squared_error == 0.0 ? 1.0 : 0.0;
}

double r2_macro(const Totals& totals) {
  if (totals.rows < 2) return undefined;
  double sum = 0.0;
  for (const TargetSum& target : totals.target_sums->sums()) sum += r2_of(target);
  return sum / static_cast<double>(totals.target_sums->sums().size());
}

double r2_variance(const Totals& totals) {
  if (totals.rows < 2) return undefined;
  double error = 0.0;
  double deviation = 0.0;
  for (const TargetSum& target : totals.target_sums->sums()) {
    if (target.deviation == 0.0) continue;
    error += target.squared_error;
    deviation += target.deviation;
  }
  return deviation == 0.0 ? r2_macro(totals) : 1.0 - error / deviation;
}

double rrmse(const Totals& totals) {
  double sum = 0.0;
  std::size_t outputs = 0;
  for (const TargetSum& target : totals.target_sums->sums()) {
    if (target.baseline_error == 0.0) continue;
    sum += std::sqrt(target.squared_error / target.baseline_error);
    ++outputs;
  }
  return outputs == 0 ? undefined : sum / static_cast<double>(outputs);
}

}  // namespace

std::vector<MetricEntry> regression_metrics() {
  return {
      {{.name = "mse",
        .summary = "Mean squared error over rows and outputs.",
        .definition = "Sum over rows and outputs of (true - predicted)², divided by rows × outputs. Equals "
                      "scikit-learn's mean_squared_error.",
        .reference = "thesis 2.4.4, eq. 2.70",
        .higher_is_better = false,
        .tasks = {Task::regression}},
       {.target_sums = true},
       nullptr,
       mean_error<&TargetSum::squared_error>},
      {{.name = "mae",
        .summary = "Mean absolute error over rows and outputs.",
        .definition = "Sum over rows and outputs of |true - predicted|, divided by rows × outputs. Equals "
                      "scikit-learn's mean_absolute_error.",
        .reference = "thesis 2.4.4, eq. 2.71",
        .higher_is_better = false,
        .tasks = {Task::regression}},
       {.target_sums = true},
       nullptr,
       mean_error<&TargetSum::absolute_error>},
      {{.name = "r2-macro",
        .summary = "The share of each output's variance that is explained, averaged over the outputs.",
        .definition =
            "Mean over outputs of 1 - Σ(true - predicted)² / Σ(true - mean)², the mean being that of these "
            "rows. An output that is constant on these rows counts 1 if it is predicted exactly and 0 "
            "otherwise. Undefined for fewer than two rows. Equals scikit-learn's r2_score, but that a "
            "constant is recognised also where its mean is not exact in floating point.",
        .reference = "thesis 2.4.4, eq. 2.72",
        .least_rows = 2,
        .tasks = {Task::regression}},
       {.target_sums = true},
       nullptr,
       r2_macro},
      {{.name = "r2-variance",
        .summary = "The share of the variance of all outputs together that is explained.",
        .definition =
            "1 - Σ(true - predicted)² / Σ(true - mean)², both sums over rows and outputs, the mean being "
            "that of each output over these rows: r² weighted by variance. Outputs that are constant on "
            "these rows have weight 0 and are left out of both sums; if all are, the value is r2-macro. "
            "Undefined for fewer than two rows. Equals scikit-learn's "
            "r2_score(multioutput='variance_weighted').",
        .reference = "thesis 2.4.4, eq. 2.74 and 2.76",
        .least_rows = 2,
        .tasks = {Task::regression}},
       {.target_sums = true},
       nullptr,
       r2_variance},
      {{.name = "rrmse",
        .summary =
            "Root mean squared error relative to that of the training mean, averaged over the outputs.",
        .definition =
            "Mean over outputs of √(Σ(true - predicted)² / Σ(true - training mean)²), sums over these rows: "
            "the aRRMSE of the multi-target literature. 1 is no better than predicting the mean of the "
            "training rows. An output that equals its training mean in all of these rows is left out; "
            "undefined if all do.",
        .reference = "Spyromitros-Xioufis et al. 2016 (multi-target regression via input space expansion)",
        .higher_is_better = false,
        .tasks = {Task::regression}},
       {.target_sums = true, .target_means = true},
       nullptr,
       rrmse},
  };
}

}  // namespace coppice
