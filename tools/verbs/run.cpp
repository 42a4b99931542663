#include "experiments/run.h"

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <set>

#include <fmt/format.h>

#include "experiments/forecast/forecast.h"
#include "experiments/store/result_folder.h"
#include "experiments/tables/comparison_table.h"
#include "tools/cli.h"
#include "tools/experiment_options.h"
#include "tools/quantities.h"

namespace coppice {

namespace {

struct RunArguments {
  ExperimentOptions experiment;
  std::string out;
  int jobs = default_jobs();
  bool fresh = false;
  bool quiet = false;
  std::string only;
  std::string retry = "failed";
  bool isolate = false;
  std::string time_limit;
  std::string memory;
  std::string budget;
};

/// Gives the run the time that it may take and what every fit is expected to take of it. Where all of them
/// would take longer it is said how far the run will get: the first ones make a complete coarse table.
void keep_to_budget(const Plan& plan, const std::string& budget, RunOptions& options) {
  const double seconds = parse_duration(budget, "--budget");
  options.schedule.run_seconds = seconds;
  const JournalContent journal = read_journal(ResultFolder{options.folder}.journal());
  const auto selected = [&](const Trial& trial) { return options.only.contains(plan, trial); };
  const std::vector<Fit> fits = missing_fits(plan, journal, selected, options.retry);
  const Forecast forecast = make_forecast(plan, fits, journal, std::min(3.0, 0.1 * seconds), stop_flag());
  for (std::size_t i = 0; i < fits.size(); ++i)
    options.schedule.expected_seconds[plan.trials[fits[i].trials[0]].hash] = forecast.fits[i].cpu_seconds;
  const double expected = forecast.wall_seconds(options.schedule.jobs, options.schedule.isolate);
  if (expected <= seconds) return;
  double so_far = 0.0;
  std::size_t within = 0;
  for (; within < fits.size(); ++within) {
    so_far += forecast.fits[within].cpu_seconds / options.schedule.jobs;
    if (so_far > seconds) break;
  }
  fmt::print(stderr,
             "note: everything would take about {}; in {} about {} of {} fits can be had, the first of every "
             "dataset and algorithm before the others. Run the same command again to go on\n",
             duration_text(expected), duration_text(seconds), within, fits.size());
}

/// For every kind of task in the experiment, the first metric of the config that scores it.
std::vector<Metric> headline_metrics(const Plan& plan) {
  std::vector<Metric> metrics;
  std::set<Task> covered;
  for (const Metric& metric : plan.experiment.metrics) {
    if (metric.description->cost) continue;
    bool adds = false;
    for (const PlannedDataset& dataset : plan.datasets)
      if (metric.applies_to(dataset.task)) adds = covered.insert(dataset.task).second || adds;
    if (adds) metrics.push_back(metric);
  }
  if (metrics.empty()) metrics.push_back(plan.experiment.metrics[0]);
  return metrics;
}

void show_results(const Plan& plan, const std::filesystem::path& folder) {
  const ResultSet results = load_results(folder);
  const TextLayout layout = stdout_layout();
  for (const Metric& metric : headline_metrics(plan))
    print("\n" + render_text(comparison_table(results, metric), layout));
  // The script that set everything up says how it was called.
  const char* command = std::getenv("COPPICE_COMMAND");
  print(fmt::format("\n{0}: results.csv  summary.csv  results.json  tables/  (report: {1} report {0})\n",
                    folder.string(), command != nullptr ? command : "coppice"));
}

int run(const RunArguments& options, const Session& session) {
  require_jobs(options.jobs);
  RunOptions run_options;
  run_options.only = TrialSelection::parse(options.only);
  const Plan plan = options.experiment.plan(options.out, options.fresh);
  run_options.folder = results_folder(plan.experiment, options.out);
  run_options.schedule.jobs = options.jobs;
  run_options.schedule.isolate = options.isolate;
  run_options.retry = parse_retry(options.retry);
  if (!options.time_limit.empty())
    run_options.schedule.trial_seconds = parse_duration(options.time_limit, "--time-limit");
  const bool budget_is_memory = looks_like_bytes(options.budget);
  run_options.schedule.memory = default_memory();
  if (budget_is_memory) run_options.schedule.memory = parse_bytes(options.budget, "--budget");
  if (!options.memory.empty()) run_options.schedule.memory = parse_bytes(options.memory, "--memory");
  run_options.refuse_too_large = budget_is_memory || !options.memory.empty();
  run_options.fresh = options.fresh;
  run_options.quiet = options.quiet;
  run_options.command = session.command;
  catch_interrupts();
  if (!options.budget.empty() && !budget_is_memory) keep_to_budget(plan, options.budget, run_options);
  const RunSummary summary = run_experiment(plan, run_options, stop_flag());
  if (summary.interrupted) {
    fmt::print(stderr,
               "interrupted; everything finished is saved in {}. Run the same command again to go on.\n",
               run_options.folder.string());
    return 130;
  }
  if (!options.quiet) show_results(plan, run_options.folder);
  if (summary.not_started > 0)
    fmt::print(
        stderr,
        "{} trials were not started: there was no time left for them. Run the same command again to go "
        "on.\n",
        summary.not_started);
  if (summary.failed == 0) return 0;
  fmt::print(stderr, "{} trial{} failed; see {}. Run the same command again to retry.\n", summary.failed,
             summary.failed == 1 ? "" : "s", (run_options.folder / "results.json").string());
  return 1;
}

}  // namespace

void add_run(CLI::App& app, Session& session) {
  CLI::App* verb = app.add_subcommand("run", "Run what is missing of an experiment and print its tables");
  const auto options = std::make_shared<RunArguments>();
  options->experiment.add_to(*verb);
  verb->add_option("--out", options->out, "Where results go; results/NAME by default");
  verb->add_option("--jobs,-j", options->jobs, "Threads; all cores by default. Results do not depend on it");
  verb->add_flag("--fresh", options->fresh, "Discard what an earlier run left in the folder");
  verb->add_option("--only", options->only, "Run a part: dataset=NAME,algorithm=ID, each as often as wanted");
  verb->add_option("--retry", options->retry,
                   "Which trials of an earlier run to run again: failed (the default), none or all");
  verb->add_flag("--isolate", options->isolate,
                 "Run each trial in a process of its own: a crash is then a recorded failure");
  verb->add_option(
      "--time-limit", options->time_limit,
      "The longest a trial may take, such as 90s or 2h. One that does not listen is stopped with "
      "--isolate only");
  verb->add_option(
      "--memory", options->memory,
      "Memory that trials may use together with their data, such as 8GiB; a trial that needs more is "
      "refused. By default 80 % of the machine's, and a larger trial runs alone");
  verb->add_option(
      "--budget", options->budget,
      "Time for the whole run, such as 2h: nothing is started that is expected to take longer. Or memory, as "
      "--memory");
  verb->add_flag("--quiet,-q", options->quiet, "Print nothing but errors");
  verb->callback([options, &session] { session.exit_code = run(*options, session); });
}

}  // namespace coppice
