#pragma once

#include <chrono>
#include <cstddef>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "experiments/schedule/schedule.h"

namespace coppice {

/// The fits of a run that wait, and what became of the others. Thread-safe.
class FitQueue {
 public:
  FitQueue(const Plan& plan, const std::vector<Fit>& fits, Journal& journal, Progress& progress,
           const ScheduleOptions& options);

  /// The next fit whose memory is free, announced as started; it must be given back by finish() or drop().
  /// Fits keep their order but for those that must wait for memory, or would take longer than there is time;
  /// one that needs more memory than there is runs alone. Nothing if none can start now: `starved` tells
  /// whether some will later.
  std::optional<std::size_t> take();
  bool starved() const;
  const Fit& fit(std::size_t index) const { return fits_[index]; }
  /// How many models of a search may be fitted at the same time.
  std::size_t models_at_once(std::size_t index) const { return models_[index]; }

  /// Saves the records of a fit.
  void finish(std::size_t index, const std::vector<TrialRecord>& records);
  /// A fit that gave nothing because the run was stopped.
  void drop(std::size_t index);
  /// Nothing is started any more.
  void close();

  /// What was done so far.
  RunSummary summary() const;

 private:
  void release(std::size_t index);
  void leave_out_rest();
  /// Whether a fit that starts now is expected to end within the time of the run.
  bool has_time(std::size_t index) const;

  const Plan& plan_;
  const std::vector<Fit>& fits_;
  Journal& journal_;
  Progress& progress_;
  ScheduleOptions options_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  mutable std::mutex mutex_;
  std::vector<double> memory_;  ///< estimate of every fit
  std::vector<std::size_t> models_;
  std::vector<std::size_t> waiting_;
  std::size_t running_ = 0;
  double reserved_ = 0.0;
  RunSummary summary_;
};

}  // namespace coppice
