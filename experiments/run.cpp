#include "experiments/run.h"

#include <algorithm>
#include <memory>
#include <sstream>

#include <fmt/format.h>

#include "core/base/nearest_name.h"
#include "experiments/config/experiment_yaml.h"
#include "experiments/schedule/run_fit.h"
#include "experiments/store/files.h"
#include "experiments/store/provenance.h"
#include "experiments/store/result_folder.h"

namespace coppice {

namespace {

std::string counted(std::size_t count, const char* what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

/// How many of the selected trials have failed in an earlier run; with some policies they are not run again.
std::size_t failed_before(const Plan& plan, const JournalContent& journal,
                          const std::function<bool(const Trial&)>& selected) {
  return static_cast<std::size_t>(
      std::count_if(plan.trials.begin(), plan.trials.end(), [&](const Trial& trial) {
        const auto record = journal.records.find(trial.hash);
        return selected(trial) && record != journal.records.end() &&
               record->second.outcome == TrialRecord::Outcome::failed;
      }));
}

void announce(const Plan& plan, const std::vector<Fit>& fits, std::size_t asked, std::size_t missing,
              std::size_t failed, int jobs) {
  const Protocol& protocol = plan.experiment.protocol;
  std::string text =
      fmt::format("{}: {} × {} × {}", plan.experiment.name, counted(plan.datasets.size(), "dataset"),
                  counted(plan.algorithms.size(), "algorithm"),
                  counted(static_cast<std::size_t>(protocol.repeats), "repeat"));
  if (plan.most_folds() > 1) text += fmt::format(" × {} folds", plan.most_folds());
  text += fmt::format(" = {}", counted(plan.trials.size(), "trial"));
  if (asked < plan.trials.size()) text += fmt::format(", {} of them selected", asked);
  if (missing + failed < asked) text += fmt::format(", {} already done", asked - missing - failed);
  if (failed > 0) text += fmt::format(", {} failed before and left so", failed);
  if (missing > 0)
    text += fmt::format(" ({}, {} shared)", counted(fits.size(), "fit"), missing - fits.size());
  std::size_t inner = 0;
  for (const Fit& fit : fits) inner += inner_fits(plan, fit);
  if (inner > 0) text += fmt::format(", {} to tune", counted(inner, "fit"));
  fmt::print(stderr, "{}, seed {}, {}\n", text, plan.experiment.seed,
             counted(static_cast<std::size_t>(jobs), "thread"));
  for (const std::string& warning : plan.warnings) fmt::print(stderr, "note: {}\n", warning);
}

void name_damaged(const JournalContent& content, const std::filesystem::path& journal,
                  const char* consequence) {
  for (const std::size_t line : content.damaged_lines)
    fmt::print(stderr, "{}:{}: damaged record set aside in {}.damaged; {}\n", journal.string(), line,
               journal.stem().string(), consequence);
}

/// What is left for fits of the memory that all may use together with their data.
double memory_for_fits(const Plan& plan, const std::vector<Fit>& fits, double memory) {
  constexpr double least_share = 0.1;  // with more data than that the fits run one by one
  return std::max(least_share * memory, memory - data_memory(plan, fits));
}

/// Fits that need more memory than there may be used are failures at once, with the figure. Returns how many
/// trials they are.
std::size_t refuse_too_large(const Plan& plan, std::vector<Fit>& fits, double memory, double for_fits,
                             Journal& journal, Progress& progress) {
  constexpr double mebibyte = 1048576.0;
  const double data = data_memory(plan, fits);
  std::size_t refused = 0;
  std::erase_if(fits, [&](const Fit& fit) {
    const double needed = fit_memory(plan, fit);
    if (needed <= for_fits) return false;
    const std::string reason = fmt::format(
        "needs about {:.0f} MiB of memory, more than the {:.0f} MiB allowed; raise --memory or "
        "make the model smaller",
        (data + needed) / mebibyte, memory / mebibyte);
    for (const TrialRecord& record : failed_records(plan, fit, reason)) journal.append(record);
    progress.note(fmt::format("refused: {}, repeat {}, fold {}: {}", fit_name(plan, fit), fit.repeat,
                              fit.fold, reason));
    refused += fit.trials.size();
    return true;
  });
  return refused;
}

}  // namespace

TrialSelection TrialSelection::parse(const std::string& text) {
  TrialSelection selection;
  std::vector<std::string>* last = nullptr;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, ',');) {
    const std::string key = part.substr(0, part.find('='));
    const bool has_key = key.size() < part.size();
    const bool is_word = std::all_of(key.begin(), key.end(), [](char c) { return c >= 'a' && c <= 'z'; });
    if (has_key && (key == "dataset" || key == "algorithm")) {
      last = key == "dataset" ? &selection.datasets : &selection.algorithms;
      last->push_back(part.substr(key.size() + 1));
    } else if (last == nullptr || (has_key && is_word)) {
      throw Error(
          ErrorKind::usage,
          fmt::format("--only {}: expected dataset=NAME or algorithm=ID, separated by commas; found '{}'",
                      text, part));
    } else {
      last->back() += "," + part;  // the comma was part of a name
    }
  }
  return selection;
}

bool TrialSelection::contains(const std::string& dataset, const std::string& row,
                              const std::string& entry) const {
  const auto any = [](const std::vector<std::string>& names, const auto& matches) {
    return names.empty() || std::any_of(names.begin(), names.end(), matches);
  };
  return any(datasets, [&](const std::string& name) { return name == dataset; }) &&
         any(algorithms, [&](const std::string& name) { return name == row || name == entry; });
}

bool TrialSelection::contains(const Plan& plan, const Trial& trial) const {
  const AlgorithmRow& row = plan.algorithms[trial.algorithm];
  return contains(plan.datasets[trial.dataset].name, row.id, plan.experiment.algorithms[row.entry].id);
}

void TrialSelection::check(const Plan& plan) const {
  std::vector<std::string> known;
  for (const PlannedDataset& dataset : plan.datasets) known.push_back(dataset.name);
  for (const std::string& name : datasets)
    if (std::find(known.begin(), known.end(), name) == known.end())
      throw Error(ErrorKind::usage, fmt::format("--only: no dataset '{}' in this experiment{}", name,
                                                did_you_mean(name, known)));
  known.clear();
  for (const AlgorithmRow& row : plan.algorithms) known.push_back(row.id);
  for (const std::string& name : algorithms)
    if (std::none_of(plan.algorithms.begin(), plan.algorithms.end(), [&](const AlgorithmRow& row) {
          return name == row.id || name == plan.experiment.algorithms[row.entry].id;
        }))
      throw Error(ErrorKind::usage, fmt::format("--only: no algorithm '{}' in this experiment{}", name,
                                                did_you_mean(name, known)));
}

Plan plan_experiment(const std::filesystem::path& config, const std::vector<std::string>& settings,
                     const DataPath& path, const std::filesystem::path& out, bool fresh) {
  Problems problems;
  ConfigNode root = read_config_file(config, problems);
  if (problems.empty())
    for (const std::string& setting : settings) apply_setting(root, setting);
  // After a syntax error there is nothing more to say about the content.
  Plan plan;
  if (problems.empty()) {
    Experiment experiment = parse_experiment(root, problems);
    StageBudgets budgets;
    if (!fresh) budgets = StageBudgets::read(ResultFolder{results_folder(experiment, out)}.budgets());
    plan = make_plan(std::move(experiment), path, problems, std::move(budgets));
  }
  problems.raise();
  return plan;
}

std::filesystem::path results_folder(const Experiment& experiment, const std::filesystem::path& out) {
  return out.empty() ? std::filesystem::path("results") / experiment.name : out;
}

RunSummary run_experiment(const Plan& plan, const RunOptions& options, const StopFlag& stop) {
  options.only.check(plan);
  const ResultFolder folder{options.folder};
  if (!options.fresh) require_own_folder(folder, plan.experiment.name);
  make_folder(options.folder);
  const FolderLock lock(options.folder);
  if (options.fresh) clear_folder(folder);
  const nlohmann::json described = plan_json(plan);
  write_atomically(folder.plan(), described.dump() + "\n");
  write_atomically(folder.experiment(), experiment_yaml(plan));
  if (!plan.budgets->empty()) plan.budgets->write(folder.budgets());
  nlohmann::json previous;
  if (std::filesystem::exists(folder.provenance()))
    previous = nlohmann::json::parse(read_text(folder.provenance()), nullptr, false);
  nlohmann::ordered_json provenance = make_provenance(plan, options.command, options.schedule.jobs, previous);
  write_atomically(folder.provenance(), provenance.dump(1) + "\n");

  RunSummary summary;
  {
    Journal journal(folder.journal());
    name_damaged(journal.content(), folder.journal(), "its trial runs again");
    const auto selected = [&](const Trial& trial) { return options.only.contains(plan, trial); };
    std::vector<Fit> fits = missing_fits(plan, journal.content(), selected, options.retry);
    const auto asked =
        static_cast<std::size_t>(std::count_if(plan.trials.begin(), plan.trials.end(), selected));
    const std::size_t missing = answered_trials(plan, fits, selected);
    const std::size_t failed =
        options.retry == Retry::none ? failed_before(plan, journal.content(), selected) : 0;
    if (!options.quiet) announce(plan, fits, asked, missing, failed, options.schedule.jobs);
    std::size_t records = 0;
    for (const Fit& fit : fits) records += fit.trials.size();
    Progress progress(Progress::style_for(stderr, options.quiet), asked - missing + records, asked - missing);
    ScheduleOptions schedule = options.schedule;
    schedule.exclusive = schedule.exclusive || plan.experiment.exclusive_timing;
    if (schedule.memory) schedule.memory = memory_for_fits(plan, fits, *schedule.memory);
    std::size_t refused = 0;
    if (options.refuse_too_large)
      refused = refuse_too_large(plan, fits, *options.schedule.memory, *schedule.memory, journal, progress);
    // Only searches need a journal of their own.
    std::unique_ptr<JournalledInnerLog> log;
    if (std::any_of(fits.begin(), fits.end(), [](const Fit& fit) { return fit.space != nullptr; })) {
      log = std::make_unique<JournalledInnerLog>(folder.tuning());
      name_damaged(log->journal().content(), folder.tuning(), "its fit runs again");
    }
    summary = run_fits(plan, fits, journal, log.get(), progress, schedule, stop);
    summary.failed += refused;
  }
  write_results(folder, described, read_journal(folder.journal()));
  finish_provenance(provenance, summary.done, summary.failed, summary.interrupted);
  write_atomically(folder.provenance(), provenance.dump(1) + "\n");
  return summary;
}

}  // namespace coppice
