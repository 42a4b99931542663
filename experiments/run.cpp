#include "experiments/run.h"

#include <algorithm>
#include <sstream>

#include <fmt/format.h>

#include "core/base/nearest_name.h"
#include "experiments/config/experiment_yaml.h"
#include "experiments/store/files.h"
#include "experiments/store/provenance.h"
#include "experiments/store/result_folder.h"

namespace coppice {

namespace {

bool names_row(const std::string& name, const Plan& plan, const AlgorithmRow& row) {
  return name == row.id || name == plan.experiment.algorithms[row.entry].id;
}

std::string counted(std::size_t count, const char* what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

void announce(const Plan& plan, std::size_t fits, std::size_t asked, std::size_t missing, int jobs) {
  const Protocol& protocol = plan.experiment.protocol;
  std::string text =
      fmt::format("{}: {} × {} × {}", plan.experiment.name, counted(plan.datasets.size(), "dataset"),
                  counted(plan.algorithms.size(), "algorithm"),
                  counted(static_cast<std::size_t>(protocol.repeats), "repeat"));
  if (plan.most_folds() > 1) text += fmt::format(" × {} folds", plan.most_folds());
  text += fmt::format(" = {}", counted(plan.trials.size(), "trial"));
  if (asked < plan.trials.size()) text += fmt::format(", {} of them selected", asked);
  if (missing < asked) text += fmt::format(", {} already done", asked - missing);
  if (missing > 0) text += fmt::format(" ({}, {} shared)", counted(fits, "fit"), missing - fits);
  fmt::print(stderr, "{}, seed {}, {}\n", text, plan.experiment.seed,
             counted(static_cast<std::size_t>(jobs), "thread"));
  for (const std::string& warning : plan.warnings) fmt::print(stderr, "note: {}\n", warning);
}

}  // namespace

TrialSelection TrialSelection::parse(const std::string& text) {
  TrialSelection selection;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, ',');) {
    if (part.starts_with("dataset="))
      selection.datasets.push_back(part.substr(8));
    else if (part.starts_with("algorithm="))
      selection.algorithms.push_back(part.substr(10));
    else
      throw Error(
          ErrorKind::usage,
          fmt::format("--only {}: expected dataset=NAME or algorithm=ID, separated by commas; found '{}'",
                      text, part));
  }
  return selection;
}

bool TrialSelection::contains(const Plan& plan, const Trial& trial) const {
  const auto any = [](const auto& names, const auto& matches) {
    return names.empty() || std::any_of(names.begin(), names.end(), matches);
  };
  return any(datasets, [&](const std::string& name) { return name == plan.datasets[trial.dataset].name; }) &&
         any(algorithms, [&](const std::string& name) {
           return names_row(name, plan, plan.algorithms[trial.algorithm]);
         });
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
    if (std::none_of(plan.algorithms.begin(), plan.algorithms.end(),
                     [&](const AlgorithmRow& row) { return names_row(name, plan, row); }))
      throw Error(ErrorKind::usage, fmt::format("--only: no algorithm '{}' in this experiment{}", name,
                                                did_you_mean(name, known)));
}

Plan plan_experiment(const std::filesystem::path& config, const std::vector<std::string>& settings,
                     const DataPath& path) {
  Problems problems;
  ConfigNode root = read_config_file(config, problems);
  if (problems.empty())
    for (const std::string& setting : settings) apply_setting(root, setting);
  // After a syntax error there is nothing more to say about the content.
  Plan plan;
  if (problems.empty()) plan = make_plan(parse_experiment(root, problems), path, problems);
  problems.raise();
  return plan;
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
  nlohmann::json previous;
  if (std::filesystem::exists(folder.provenance()))
    previous = nlohmann::json::parse(read_text(folder.provenance()), nullptr, false);
  nlohmann::ordered_json provenance = make_provenance(plan, options.command, options.jobs, previous);
  write_atomically(folder.provenance(), provenance.dump(1) + "\n");

  RunSummary summary;
  {
    Journal journal(folder.journal());
    for (const std::size_t line : journal.content().damaged_lines)
      fmt::print(stderr, "{}:{}: damaged record set aside in trials.damaged; its trial runs again\n",
                 folder.journal().string(), line);
    const auto selected = [&](const Trial& trial) { return options.only.contains(plan, trial); };
    const std::vector<Fit> fits = missing_fits(plan, journal.content(), selected);
    const auto asked =
        static_cast<std::size_t>(std::count_if(plan.trials.begin(), plan.trials.end(), selected));
    const std::size_t missing = answered_trials(plan, fits, selected);
    if (!options.quiet) announce(plan, fits.size(), asked, missing, options.jobs);
    std::size_t records = 0;
    for (const Fit& fit : fits) records += fit.trials.size();
    Progress progress(Progress::style_for(stderr, options.quiet), asked - missing + records, asked - missing);
    summary = run_fits(plan, fits, journal, progress, options.jobs, stop);
  }
  write_results(folder, described, read_journal(folder.journal()));
  finish_provenance(provenance, summary.done, summary.failed, summary.interrupted);
  write_atomically(folder.provenance(), provenance.dump(1) + "\n");
  return summary;
}

}  // namespace coppice
