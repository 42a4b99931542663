#include <filesystem>
#include <memory>

#include <fmt/format.h>

#include "experiments/store/result_folder.h"
#include "tools/cli.h"
#include "tools/experiment_options.h"

namespace coppice {

namespace {

struct Options {
  ExperimentOptions experiment;
  std::string out;
  bool json = false;
};

void show(const Options& options) {
  const Plan plan = options.experiment.plan();
  const std::filesystem::path folder = options.out.empty()
                                           ? std::filesystem::path("results") / plan.experiment.name
                                           : std::filesystem::path(options.out);
  const JournalContent journal = read_journal(ResultFolder{folder}.journal());
  const auto all = [](const Trial&) { return true; };
  const std::vector<Fit> fits = missing_fits(plan, journal, all);
  const std::size_t missing = answered_trials(plan, fits, all);

  if (options.json) {
    nlohmann::ordered_json json{{"experiment", plan.experiment.name}, {"folder", folder.string()}};
    json["datasets"] = plan_json(plan)["datasets"];
    json["absent"] = nlohmann::json::array();
    for (const DatasetEntry& entry : plan.absent) json["absent"].push_back(entry.name);
    for (const AlgorithmRow& row : plan.algorithms) json["algorithms"].push_back(row.id);
    json["repeats"] = plan.experiment.protocol.repeats;
    json["folds"] = plan.most_folds();
    json["trials"] = plan.trials.size();
    json["trials-done"] = plan.trials.size() - missing;
    json["trials-to-run"] = missing;
    json["fits-to-run"] = fits.size();
    json["fits-saved-by-staging"] = missing - fits.size();
    json["warnings"] = plan.warnings;
    print_json(json);
    return;
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
  text += fmt::format("{} trials: {} already done, {} to run in {} fits ({} fits saved by staging)\n",
                      plan.trials.size(), plan.trials.size() - missing, missing, fits.size(),
                      missing - fits.size());
  for (const std::string& warning : plan.warnings) text += fmt::format("note: {}\n", warning);
  print(text);
}

}  // namespace

void add_plan(CLI::App& app, Session& /*session*/) {
  CLI::App* verb = app.add_subcommand("plan", "Show what would run: datasets, trials, fits saved");
  const auto options = std::make_shared<Options>();
  options->experiment.add_to(*verb);
  verb->add_option("--out", options->out,
                   "The results folder to look for finished trials in; results/NAME by default");
  verb->add_flag("--json", options->json, "Machine-readable");
  verb->callback([options] { show(*options); });
}

}  // namespace coppice
