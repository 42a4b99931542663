#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "experiments/forecast/calibration.h"
#include "experiments/store/journal.h"

namespace coppice {

/// What one fit is expected to take, its search and its scoring included.
struct FitForecast {
  double cpu_seconds = 0.0;
  double bytes = 0.0;      ///< of a model, beside the data
  std::size_t models = 1;  ///< that are fitted, at the same time if there are threads for it
};

/// What some fits of a plan are expected to take.
struct Forecast {
  std::vector<FitForecast> fits;  ///< in the order given
  double start_seconds = 0.0;  ///< CPU time before the fits: to plan, and what is made once for each dataset
  double data_bytes = 0.0;     ///< all datasets that take part
  double disk_bytes = 0.0;
  std::size_t measured = 0;  ///< settings on a dataset known from earlier results
  std::size_t probed = 0;    ///< settings on a dataset that a probe was made for

  double cpu_seconds() const;
  /// With so many threads; fits in processes of their own use one each.
  double wall_seconds(int jobs, bool isolated = false) const;
  double peak_bytes(int jobs) const;
};

/// Measures a fit of the plan with some parameters, for about so many seconds.
using Prober = std::function<Calibration(const Fit& fit, const Parameters& parameters, double seconds)>;

/// Estimates from the cost model of each algorithm. Its unit is measured: in the records of the journal where
/// there are any of that algorithm and dataset, else by a probe; all probes together take about
/// `probe_seconds`, or as long as the shortest ones take.
Forecast make_forecast(const Plan& plan, const std::vector<Fit>& fits, const JournalContent& journal,
                       double probe_seconds, const Prober& probe);

/// With probes that fit on some rows and stages.
Forecast make_forecast(const Plan& plan, const std::vector<Fit>& fits, const JournalContent& journal,
                       double probe_seconds, const StopFlag& stop);

}  // namespace coppice
