#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/base/context.h"
#include "experiments/data/source.h"
#include "experiments/plan/plan.h"
#include "experiments/schedule/schedule.h"

namespace coppice {

/// Which trials to run: empty lists mean all.
struct TrialSelection {
  std::vector<std::string> datasets;
  std::vector<std::string> algorithms;  ///< ids, with or without swept values

  /// From `dataset=a,algorithm=b`; names may hold commas. Throws Error(usage).
  static TrialSelection parse(const std::string& text);
  /// By the names of a dataset, of a row of the tables and of the entry of the config that it belongs to.
  bool contains(const std::string& dataset, const std::string& row, const std::string& entry) const;
  bool contains(const Plan& plan, const Trial& trial) const;
  /// Throws Error(usage) for a name that selects nothing.
  void check(const Plan& plan) const;
};

/// Reads, checks and plans an experiment; throws Error(config) with every problem.
/// What time budgets came to in an earlier run is taken from its folder (`out`, or results/NAME), unless a
/// fresh start is wanted.
Plan plan_experiment(const std::filesystem::path& config, const std::vector<std::string>& settings,
                     const DataPath& path, const std::filesystem::path& out = {}, bool fresh = false);

/// Where the results of an experiment go: `out`, or results/NAME.
std::filesystem::path results_folder(const Experiment& experiment, const std::filesystem::path& out);

/// How to run an experiment.
struct RunOptions {
  std::filesystem::path folder;
  ScheduleOptions schedule;
  bool fresh = false;
  bool quiet = false;
  TrialSelection only;
  std::string command;  ///< as typed, for the provenance
  Retry retry = Retry::failed;
  bool refuse_too_large = false;  ///< fits that need more than schedule.memory fail, else they run alone
};

/// Runs what is missing and writes all result files. An interruption leaves everything finished saved.
RunSummary run_experiment(const Plan& plan, const RunOptions& options, const StopFlag& stop);

}  // namespace coppice
