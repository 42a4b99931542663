#include "experiments/forecast/calibration.h"

#include <algorithm>
#include <cmath>

namespace coppice {

namespace {

constexpr std::size_t first_rows = 250;
constexpr std::size_t growth_of_rows = 4;
constexpr double growth_of_stages = 4.0;
// A fit on four times as many rows takes somewhat more than four times as long.
constexpr double growth_of_time = 6.0;
// Where a probe has no time at all, shorter fits than this are made twice even so.
constexpr double long_fit = 0.05;
// How far the time of a unit of work may drift from one number of rows to another.
constexpr double strongest_drift = 0.2;

/// Seconds that grow on a straight line with a size.
struct Line {
  double start = 0.0;
  double slope = 0.0;

  /// Through two measurements. Where noise would have it fall or begin below 0, it goes through the origin
  /// and the second.
  static Line through(double near_size, double near_seconds, double far_size, double far_seconds) {
    if (far_size <= near_size) return {0.0, far_seconds / far_size};
    const double slope = (far_seconds - near_seconds) / (far_size - near_size);
    const double start = near_seconds - slope * near_size;
    if (slope <= 0.0 || start < 0.0) return {0.0, far_seconds / far_size};
    return {start, slope};
  }
};

class Calibrator {
 public:
  Calibrator(const ProbeTask& task, double seconds)
      : task_(task), seconds_(seconds), near_stage_(std::min(1.0, task.last_stage)) {}

  Calibration run() {
    std::size_t rows = std::min(task_.rows, first_rows);
    near_ = measure(rows, near_stage_);
    const double first = near_.fit_seconds;
    // A fit that takes longer than all there is time for is not made twice.
    if (spent_ <= seconds_ || spent_ < long_fit) near_ = measure(rows, near_stage_);
    measure_far(rows);
    const double once = std::max(0.0, first - near_.fit_seconds);
    double drift = 0.0;
    while (rows < task_.rows && affordable(growth_of_time * level_seconds_)) {
      const double before = seconds_of_work(rows);
      const std::size_t more = std::min(task_.rows, growth_of_rows * rows);
      measure_level(more);
      drift = std::log(seconds_of_work(more) / before) /
              std::log(static_cast<double>(more) / static_cast<double>(rows));
      rows = more;
    }
    while (far_stage_ < task_.last_stage && affordable(growth_of_stages * far_.fit_seconds)) {
      far_stage_ = std::min(task_.last_stage, growth_of_stages * far_stage_);
      far_ = measure(rows, far_stage_);
    }
    return calibration(rows, once, std::clamp(drift, -strongest_drift, strongest_drift));
  }

 private:
  bool affordable(double seconds) const { return spent_ + seconds <= seconds_; }

  ProbeMeasurement measure(std::size_t rows, double stage) {
    const ProbeMeasurement found = task_.measure(rows, stage);
    spent_ += found.seconds();
    return found;
  }

  void measure_level(std::size_t rows) {
    near_ = measure(rows, near_stage_);
    measure_far(rows);
  }

  void measure_far(std::size_t rows) {
    far_stage_ = std::min(task_.last_stage, growth_of_stages * near_stage_);
    far_ = far_stage_ > near_stage_ ? measure(rows, far_stage_) : near_;
    level_seconds_ = near_.seconds() + far_.seconds();
  }

  double work(std::size_t rows, double stage) const {
    return std::max(1.0, task_.work(static_cast<double>(rows), stage));
  }
  double seconds_of_work(std::size_t rows) const { return far_.fit_seconds / work(rows, far_stage_); }

  Calibration calibration(std::size_t rows, double once, double drift) const {
    const double missing = static_cast<double>(task_.rows) / static_cast<double>(rows);
    const Line fit =
        Line::through(work(rows, near_stage_), near_.fit_seconds, work(rows, far_stage_), far_.fit_seconds);
    const Line score = Line::through(near_stage_, near_.score_seconds, far_stage_, far_.score_seconds);
    Calibration found;
    found.once = task_.made_each_time ? 0.0 : once;
    found.start = missing * fit.start + (task_.made_each_time ? once : 0.0);
    found.per_work = fit.slope * std::pow(missing, drift);
    const auto scored = static_cast<double>(std::max<std::size_t>(1, task_.scored));
    found.per_predicted = score.slope / scored;
    found.per_scored = score.start / scored;
    return found;
  }

  const ProbeTask& task_;
  double seconds_;
  double near_stage_;
  double far_stage_ = 1.0;
  double spent_ = 0.0;
  double level_seconds_ = 0.0;
  ProbeMeasurement near_;
  ProbeMeasurement far_;
};

}  // namespace

Calibration calibrate(const ProbeTask& task, double seconds) {
  return Calibrator(task, seconds).run();
}

ProblemSize size_for(const PlannedDataset& dataset, const Capabilities& capabilities, double rows) {
  ProblemSize size = dataset.size;
  const double share = size.rows > 0.0 ? rows / size.rows : 0.0;
  size.rows = rows;
  size.values *= share;
  size.labels *= share;
  if (!capabilities.categorical && size.features > 0.0) {
    size.values *= static_cast<double>(dataset.encoded_features) / size.features;
    size.features = static_cast<double>(dataset.encoded_features);
  }
  return size;
}

double stage_of(const AlgorithmEntry& entry, const Parameters& parameters) {
  const ParameterSpec* staged = entry.description.staged();
  return staged == nullptr ? 1.0 : parameters.number(staged->name);
}

double work_of(const Plan& plan, const Fit& fit, const Parameters& parameters, double rows) {
  const AlgorithmEntry& entry = plan.experiment.algorithms[fit.entry];
  const ProblemSize size = size_for(plan.datasets[fit.dataset], entry.description.capabilities, rows);
  return std::max(1.0, entry.algorithm->cost(parameters, size).work);
}

}  // namespace coppice
