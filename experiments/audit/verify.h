#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "core/base/context.h"
#include "experiments/run.h"

namespace coppice {

/// A metric of a trial that came out differently.
struct Mismatch {
  std::string trial;
  std::string dataset;
  std::string algorithm;
  int repeat = 0;
  int fold = 0;
  std::string metric;
  double recorded = 0.0;
  double found = 0.0;
  std::string error;  ///< instead of values: why it could not be computed
};

/// What a verification found.
struct Verification {
  std::size_t finished = 0;     ///< trials with a result
  std::size_t verified = 0;     ///< of them, run again
  std::size_t unexplained = 0;  ///< finished trials that the config no longer leads to: changed data or code
  std::vector<Mismatch> mismatches;
};

/// Runs a sample of the finished trials of a folder again, in memory, and compares every metric that is not
/// measured by a clock. `sample` 0 means all. Which ones are drawn follows from `seed`.
Verification verify_results(const std::filesystem::path& folder, std::size_t sample, std::uint64_t seed,
                            const TrialSelection& only, const DataPath& path, int jobs, const StopFlag& stop);

}  // namespace coppice
