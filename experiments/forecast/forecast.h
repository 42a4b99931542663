#pragma once

#include <cstddef>
#include <vector>

#include "experiments/plan/plan.h"
#include "experiments/store/journal.h"

namespace coppice {

/// What one fit is expected to take, its search and its scoring included.
struct FitForecast {
  double cpu_seconds = 0.0;
  double bytes = 0.0;  ///< beside the data
};

/// What some fits of a plan are expected to take.
struct Forecast {
  std::vector<FitForecast> fits;  ///< in the order given
  double data_bytes = 0.0;        ///< all datasets that take part
  double disk_bytes = 0.0;
  std::size_t measured = 0;  ///< pairs of algorithm and dataset known from earlier results
  std::size_t probed = 0;    ///< pairs that a probe was made for

  double cpu_seconds() const;
  /// With so many threads; fits in processes of their own use one each.
  double wall_seconds(int jobs, bool isolated = false) const;
  double peak_bytes(int jobs) const;
};

/// Estimates from the cost model of each algorithm. Its unit is measured: in the records of the journal where
/// there are any of that algorithm and dataset, else by a probe on some rows and stages; all probes together
/// take about `probe_seconds`.
Forecast make_forecast(const Plan& plan, const std::vector<Fit>& fits, const JournalContent& journal,
                       double probe_seconds, const StopFlag& stop);

}  // namespace coppice
