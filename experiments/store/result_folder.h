#pragma once

#include <filesystem>
#include <string>

#include <nlohmann/json.hpp>

#include "experiments/plan/plan.h"
#include "experiments/results/result_set.h"
#include "experiments/store/journal.h"

namespace coppice {

/// The files of a results folder.
struct ResultFolder {
  std::filesystem::path folder;

  std::filesystem::path journal() const { return folder / "trials.jsonl"; }
  std::filesystem::path tuning() const { return folder / "tuning.jsonl"; }
  std::filesystem::path budgets() const { return folder / "budgets.json"; }
  std::filesystem::path plan() const { return folder / "plan.json"; }
  std::filesystem::path experiment() const { return folder / "experiment.yaml"; }
  std::filesystem::path provenance() const { return folder / "provenance.json"; }
};

/// Refuses a folder that belongs to another experiment or is not a results folder: Error(usage).
void require_own_folder(const ResultFolder& folder, const std::string& experiment);

/// Removes what an earlier run left. Files that are not coppice's are never touched.
void clear_folder(const ResultFolder& folder);

/// The plan of a results folder; throws Error(usage) if it is none or its plan is damaged.
nlohmann::json read_plan(const ResultFolder& folder);

/// All trials with everything known about them, machine-readable: the content of results.json, described by
/// results_schema().
std::string results_json(const nlohmann::json& plan, const JournalContent& journal);

/// Puts plan and journal together.
ResultSet collect_results(const nlohmann::json& plan, const JournalContent& journal);

/// Reads a results folder, finished or not; throws Error(usage) if it is none.
ResultSet load_results(const std::filesystem::path& folder);

/// Writes results.csv, results.json, summary.csv and tables/.
void write_results(const ResultFolder& folder, const nlohmann::json& plan, const JournalContent& journal);

}  // namespace coppice
