#include "experiments/run.h"

#include <filesystem>
#include <memory>
#include <set>

#include <fmt/format.h>

#include "experiments/store/result_folder.h"
#include "experiments/tables/comparison_table.h"
#include "tools/cli.h"
#include "tools/experiment_options.h"

namespace coppice {

namespace {

struct Options {
  ExperimentOptions experiment;
  std::string out;
  int jobs = default_jobs();
  bool fresh = false;
  bool quiet = false;
  std::string only;
};

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
  print(fmt::format("\n{}: results.csv  summary.csv  results.json  tables/\n", folder.string()));
}

int run(const Options& options, const Session& session) {
  if (options.jobs < 1)
    throw Error(ErrorKind::usage, fmt::format("--jobs: expected 1 or more, found {}", options.jobs));
  RunOptions run_options;
  run_options.only = TrialSelection::parse(options.only);
  const Plan plan = options.experiment.plan();
  run_options.folder = options.out.empty() ? std::filesystem::path("results") / plan.experiment.name
                                           : std::filesystem::path(options.out);
  run_options.jobs = options.jobs;
  run_options.fresh = options.fresh;
  run_options.quiet = options.quiet;
  run_options.command = session.command;
  catch_interrupts();
  const RunSummary summary = run_experiment(plan, run_options, stop_flag());
  if (summary.interrupted) {
    fmt::print(stderr,
               "interrupted; everything finished is saved in {}. Run the same command again to go on.\n",
               run_options.folder.string());
    return 130;
  }
  if (!options.quiet) show_results(plan, run_options.folder);
  if (summary.failed == 0) return 0;
  fmt::print(stderr, "{} trial{} failed; see {}. Run the same command again to retry.\n", summary.failed,
             summary.failed == 1 ? "" : "s", (run_options.folder / "results.json").string());
  return 1;
}

}  // namespace

void add_run(CLI::App& app, Session& session) {
  CLI::App* verb = app.add_subcommand("run", "Run what is missing of an experiment and print its tables");
  const auto options = std::make_shared<Options>();
  options->experiment.add_to(*verb);
  verb->add_option("--out", options->out, "Where results go; results/NAME by default");
  verb->add_option("--jobs,-j", options->jobs, "Threads; all cores by default. Results do not depend on it");
  verb->add_flag("--fresh", options->fresh, "Discard what an earlier run left in the folder");
  verb->add_option("--only", options->only, "Run a part: dataset=NAME,algorithm=ID, each as often as wanted");
  verb->add_flag("--quiet,-q", options->quiet, "Print nothing but errors");
  verb->callback([options, &session] { session.exit_code = run(*options, session); });
}

}  // namespace coppice
