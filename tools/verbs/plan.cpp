#include <algorithm>
#include <ctime>
#include <filesystem>
#include <memory>

#include <fmt/format.h>

#include "experiments/forecast/forecast.h"
#include "experiments/store/result_folder.h"
#include "tools/cli.h"
#include "tools/experiment_options.h"
#include "tools/quantities.h"

namespace coppice {

namespace {

struct PlanArguments {
  ExperimentOptions experiment;
  std::string out;
  int jobs = default_jobs();
  double probe = 2.0;
  std::string only;
  std::string budget;
  bool json = false;
};

/// Which of the limits are exceeded, in words; empty if none is.
std::string over_budget(const PlanArguments& options, const Forecast& forecast) {
  if (options.budget.empty()) return "";
  if (looks_like_bytes(options.budget)) {
    const double allowed = parse_bytes(options.budget, "--budget");
    const double needed = forecast.peak_bytes(options.jobs);
    return needed <= allowed
               ? ""
               : fmt::format("needs about {}, more than {}", bytes_text(needed), bytes_text(allowed));
  }
  const double allowed = parse_duration(options.budget, "--budget");
  const double needed = forecast.wall_seconds(options.jobs);
  return needed <= allowed
             ? ""
             : fmt::format("takes about {}, more than {}", duration_text(needed), duration_text(allowed));
}

int show(const PlanArguments& options) {
  require_jobs(options.jobs);
  require_probe(options.probe);
  const Plan plan = options.experiment.plan(options.out);
  const std::filesystem::path folder = results_folder(plan.experiment, options.out);
  const JournalContent journal = read_journal(ResultFolder{folder}.journal());
  const TrialSelection only = TrialSelection::parse(options.only);
  only.check(plan);
  const auto selected = [&](const Trial& trial) { return only.contains(plan, trial); };
  const auto asked =
      static_cast<std::size_t>(std::count_if(plan.trials.begin(), plan.trials.end(), selected));
  const std::vector<Fit> fits = missing_fits(plan, journal, selected);
  const std::size_t missing = answered_trials(plan, fits, selected);
  const double planning = static_cast<double>(std::clock()) / CLOCKS_PER_SEC;  // the run does it as well
  Forecast forecast = make_forecast(plan, fits, journal, options.probe, stop_flag());
  if (!fits.empty()) forecast.start_seconds += planning;
  std::size_t inner = 0;
  for (const Fit& fit : fits) inner += inner_fits(plan, fit);
  const std::string over = over_budget(options, forecast);

  if (options.json) {
    nlohmann::ordered_json json{{"experiment", plan.experiment.name}, {"folder", folder.string()}};
    json["datasets"] = plan_json(plan)["datasets"];
    json["absent"] = nlohmann::json::array();
    for (const DatasetEntry& entry : plan.absent) json["absent"].push_back(entry.name);
    for (const AlgorithmRow& row : plan.algorithms) json["algorithms"].push_back(row.id);
    json["repeats"] = plan.experiment.protocol.repeats;
    json["folds"] = plan.most_folds();
    json["trials"] = asked;
    json["trials-done"] = asked - missing;
    json["trials-to-run"] = missing;
    json["fits-to-run"] = fits.size();
    json["fits-saved-by-staging"] = missing - fits.size();
    json["fits-to-tune"] = inner;
    json["forecast"] = {{"cpu-seconds", forecast.cpu_seconds()},
                        {"wall-seconds", forecast.wall_seconds(options.jobs)},
                        {"jobs", options.jobs},
                        {"peak-memory-bytes", forecast.peak_bytes(options.jobs)},
                        {"disk-bytes", forecast.disk_bytes},
                        {"from-earlier-results", forecast.measured},
                        {"from-probes", forecast.probed}};
    json["warnings"] = plan.warnings;
    if (!over.empty()) json["over-budget"] = over;
    print_json(json);
    return over.empty() ? 0 : 1;
  }
  std::string text = fmt::format("{} (seed {}) → {}\n\ndatasets\n", plan.experiment.name,
                                 plan.experiment.seed, folder.string());
  std::vector<std::pair<std::string, std::string>> lines;
  for (const PlannedDataset& dataset : plan.datasets)
    lines.emplace_back(
        "  " + dataset.name,
        fmt::format("{}: {} train and {} test rows, {} features, {} outputs", task_name(dataset.task),
                    dataset.train, dataset.test, dataset.features, dataset.outputs));
  for (const DatasetEntry& entry : plan.absent)
    lines.emplace_back("  " + entry.name, "absent: its files are not on this machine");
  text += two_columns(lines) + "\nalgorithms\n";
  for (const AlgorithmRow& row : plan.algorithms) text += fmt::format("  {}\n", row.id);
  const Protocol& protocol = plan.experiment.protocol;
  text += fmt::format("\nprotocol: test {}, {} repeat{}\n", protocol.test_text(), protocol.repeats,
                      protocol.repeats == 1 ? "" : "s");
  text += fmt::format("{} trials: {} already done, {} to run in {} fits ({} fits saved by staging)\n", asked,
                      asked - missing, missing, fits.size(), missing - fits.size());
  if (inner > 0) text += fmt::format("{} fits to tune, inside the training parts\n", inner);
  if (!fits.empty())
    text +=
        fmt::format("about {} of CPU time, {} with {} thread{}; {} of memory, {} on disk\n",
                    duration_text(forecast.cpu_seconds()), duration_text(forecast.wall_seconds(options.jobs)),
                    options.jobs, options.jobs == 1 ? "" : "s", bytes_text(forecast.peak_bytes(options.jobs)),
                    bytes_text(forecast.disk_bytes));
  for (const std::string& warning : plan.warnings) text += fmt::format("note: {}\n", warning);
  if (!over.empty()) text += fmt::format("over budget: it {}\n", over);
  print(text);
  return over.empty() ? 0 : 1;
}

}  // namespace

void add_plan(CLI::App& app, Session& session) {
  CLI::App* verb =
      app.add_subcommand("plan", "Show what would run: datasets, trials, fits saved, time and memory");
  const auto options = std::make_shared<PlanArguments>();
  options->experiment.add_to(*verb);
  verb->add_option("--out", options->out,
                   "The results folder to look for finished trials in; results/NAME by default");
  verb->add_option("--jobs,-j", options->jobs, "Threads that the run would have; all cores by default");
  verb->add_option("--probe", options->probe,
                   "Seconds to spend on measuring algorithms that have no earlier results; 2 by default");
  verb->add_option("--only", options->only,
                   "Plan a part: dataset=NAME,algorithm=ID, each as often as wanted");
  verb->add_option("--budget", options->budget,
                   "Time (2h) or memory (8GiB) that the run must keep to: exit code 1 if it would not");
  verb->add_flag("--json", options->json, "Machine-readable");
  verb->callback([options, &session] { session.exit_code = show(*options); });
}

}  // namespace coppice
