#include "experiments/audit/verify.h"

#include <cmath>
#include <mutex>
#include <set>

#include <fmt/format.h>

#include "experiments/schedule/run_fit.h"
#include "experiments/store/files.h"
#include "experiments/store/result_folder.h"

namespace coppice {

namespace {

/// The plan of a results folder, from the config as it was understood then. Its files are found from where
/// the original config stands.
Plan plan_of_folder(const ResultFolder& folder, const DataPath& path) {
  std::string origin = folder.experiment().string();
  if (std::filesystem::exists(folder.provenance())) {
    const auto provenance = nlohmann::json::parse(read_text(folder.provenance()), nullptr, false);
    if (provenance.is_object()) origin = provenance.value("config", origin);
  }
  Problems problems;
  const ConfigNode root = parse_config_text(read_text(folder.experiment()), origin, problems);
  Plan plan;
  if (problems.empty())
    plan = make_plan(parse_experiment(root, problems), path, problems, StageBudgets::read(folder.budgets()));
  problems.rename_file(origin, folder.experiment().string());
  problems.raise();
  return plan;
}

bool same_number(double a, double b) {
  return a == b || (std::isnan(a) && std::isnan(b));
}

void compare(const TrialRecord& recorded, const TrialRecord& found, Verification& verification) {
  Mismatch mismatch{
      recorded.trial, recorded.dataset, recorded.algorithm, recorded.repeat, recorded.fold, "", 0.0, 0.0, ""};
  if (found.outcome == TrialRecord::Outcome::failed) {
    mismatch.error = found.error;
    verification.mismatches.push_back(mismatch);
    return;
  }
  for (const auto& [name, value] : recorded.metrics) {
    const auto again = found.metrics.find(name);
    if (again == found.metrics.end() || parse_metric(name).description->varies_between_runs) continue;
    if (same_number(value, again->second)) continue;
    mismatch.metric = name;
    mismatch.recorded = value;
    mismatch.found = again->second;
    verification.mismatches.push_back(mismatch);
  }
}

}  // namespace

Verification verify_results(const std::filesystem::path& where, std::size_t sample, std::uint64_t seed,
                            const TrialSelection& only, const DataPath& path, int jobs,
                            const StopFlag& stop) {
  const ResultFolder folder{where};
  load_results(where);  // says if it is none
  const Plan plan = plan_of_folder(folder, path);
  only.check(plan);
  const JournalContent journal = read_journal(folder.journal());
  Verification verification;

  // Those that both the journal and the plan know, each with the fit that answers it alone. A trial may have
  // several names, of which one stands in the fit.
  std::set<std::string> planned;
  std::set<std::string> wanted;
  for (const Trial& trial : plan.trials) {
    planned.insert(trial.hash);
    if (only.contains(plan, trial)) wanted.insert(trial.hash);
  }
  const auto finished_record = [&](const std::string& hash) -> const TrialRecord* {
    const auto record = journal.records.find(hash);
    const bool done = record != journal.records.end() && record->second.outcome == TrialRecord::Outcome::done;
    return done ? &record->second : nullptr;
  };
  std::vector<Fit> candidates;
  for (const Fit& fit : plan.fits)
    for (const std::size_t index : fit.trials) {
      const Trial& trial = plan.trials[index];
      if (!wanted.contains(trial.hash) || finished_record(trial.hash) == nullptr) continue;
      ++verification.finished;
      Fit alone = fit;
      alone.trials = {index};
      alone.parameters = plan.parameters_at(fit, trial);
      candidates.push_back(std::move(alone));
    }
  const nlohmann::json recorded_plan = read_plan(folder);
  for (const auto& trial : recorded_plan["trials"]) {
    const std::string hash = trial["trial"];
    const auto& algorithm = recorded_plan["algorithm_details"][trial["algorithm"].get<std::size_t>()];
    if (planned.contains(hash) || finished_record(hash) == nullptr) continue;
    if (only.contains(recorded_plan["datasets"][trial["dataset"].get<std::size_t>()]["name"],
                      algorithm["name"], algorithm["id"]))
      ++verification.unexplained;
  }

  Stream stream = Stream(seed).at("verify");
  stream.shuffle(std::span(candidates));
  if (sample > 0 && candidates.size() > sample) candidates.resize(sample);
  std::mutex mutex;
  std::atomic<std::size_t> next{0};
  run_workers(jobs, [&] {
    for (std::size_t i = next.fetch_add(1); i < candidates.size(); i = next.fetch_add(1)) {
      const std::vector<TrialRecord> records = run_fit(plan, candidates[i], stop);
      const std::scoped_lock lock(mutex);
      ++verification.verified;
      compare(*finished_record(records[0].trial), records[0], verification);
    }
  });
  std::sort(verification.mismatches.begin(), verification.mismatches.end(),
            [](const Mismatch& a, const Mismatch& b) {
              return std::tie(a.dataset, a.algorithm, a.repeat, a.fold, a.metric) <
                     std::tie(b.dataset, b.algorithm, b.repeat, b.fold, b.metric);
            });
  return verification;
}

}  // namespace coppice
