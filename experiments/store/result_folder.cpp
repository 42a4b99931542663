#include "experiments/store/result_folder.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "core/base/context.h"
#include "core/base/error.h"
#include "experiments/store/files.h"
#include "experiments/store/json_scanner.h"
#include "experiments/tables/comparison_table.h"
#include "experiments/tables/csv.h"
#include "experiments/tables/published_table.h"

namespace coppice {

namespace {

constexpr std::array<std::string_view, 13> our_files{
    "trials.jsonl", "trials.damaged",  "tuning.jsonl",    "tuning.damaged", "budgets.json",
    "plan.json",    "experiment.yaml", "provenance.json", "results.json",   "results.csv",
    "summary.csv",  "tables",          "report.html"};

constexpr std::array<std::pair<std::string_view, TableFormat>, 5> table_files{{{"txt", TableFormat::text},
                                                                               {"md", TableFormat::markdown},
                                                                               {"csv", TableFormat::csv},
                                                                               {"tex", TableFormat::latex},
                                                                               {"html", TableFormat::html}}};

bool is_ours(const std::filesystem::path& path) {
  std::string name = path.filename().string();
  if (name.ends_with(".new")) name.resize(name.size() - 4);  // killed while it was being written
  return name == ".lock" || std::find(our_files.begin(), our_files.end(), name) != our_files.end();
}

}  // namespace

namespace {

std::string plan_text(const ResultFolder& folder) {
  if (!std::filesystem::exists(folder.plan()))
    throw Error(
        ErrorKind::usage,
        fmt::format(
            "'{}' is not a results folder (it has no plan.json); give a folder that 'coppice run' wrote, "
            "such as results/NAME",
            folder.folder.string()));
  return read_text(folder.plan());
}

[[noreturn]] void damaged_plan(const ResultFolder& folder) {
  throw Error(ErrorKind::usage,
              fmt::format("'{}' is damaged; run the experiment again, finished trials are kept",
                          folder.plan().string()));
}

bool is_plan(const nlohmann::json& plan) {
  return plan.is_object() && plan.contains("trials");
}

nlohmann::json parse_plan(const ResultFolder& folder, std::string_view text) {
  auto plan = nlohmann::json::parse(text, nullptr, false);
  if (!is_plan(plan)) damaged_plan(folder);
  return plan;
}

/// Whose results a folder holds; empty if it has no plan or a damaged one, which a run writes anew.
std::string owner_of(const ResultFolder& folder) {
  if (!std::filesystem::exists(folder.plan())) return "";
  const auto plan = nlohmann::json::parse(read_text(folder.plan()), nullptr, false);
  const auto owner = is_plan(plan) ? plan.find("experiment") : plan.end();
  return owner != plan.end() && owner->is_string() ? owner->get<std::string>() : "";
}

/// One of the plan's trials: dataset and algorithm by their places in its lists.
struct PlannedTrial {
  std::size_t dataset = 0;
  std::size_t algorithm = 0;
  int repeat = 0;
  int fold = 0;
  std::optional<double> stage;
  std::string hash;
};

std::vector<PlannedTrial> planned_trials(const nlohmann::json& plan) {
  std::vector<PlannedTrial> trials;
  for (const auto& trial : plan["trials"])
    trials.push_back({trial["dataset"], trial["algorithm"], trial["repeat"], trial["fold"],
                      trial["stage"].is_null() ? std::nullopt : std::optional(trial["stage"].get<double>()),
                      trial["trial"]});
  return trials;
}

/// The list of trials as plan_json writes it, at the end of the plan; empty if it looks otherwise.
std::optional<std::vector<PlannedTrial>> scan_trials(std::string_view list) {
  JsonScanner scanner(list);
  std::vector<PlannedTrial> trials;
  do {
    PlannedTrial& trial = trials.emplace_back();
    const bool read =
        scanner.skip("{\"algorithm\":") && scanner.number(trial.algorithm) && scanner.skip(",\"dataset\":") &&
        scanner.number(trial.dataset) && scanner.skip(",\"fold\":") && scanner.number(trial.fold) &&
        scanner.skip(",\"repeat\":") && scanner.number(trial.repeat) && scanner.skip(",\"stage\":") &&
        (scanner.skip("null") || scanner.number(trial.stage.emplace())) && scanner.skip(",\"trial\":") &&
        scanner.string(trial.hash) && scanner.skip("}");
    if (!read) return std::nullopt;
  } while (scanner.skip(","));
  return scanner.skip("]}") ? std::optional(std::move(trials)) : std::nullopt;
}

}  // namespace

nlohmann::json read_plan(const ResultFolder& folder) {
  return parse_plan(folder, plan_text(folder));
}

std::string results_json(const nlohmann::json& plan, const JournalContent& journal) {
  nlohmann::ordered_json json{
      {"experiment", plan["experiment"]}, {"seed", plan["seed"]}, {"datasets", plan["datasets"]}};
  json["algorithms"] = plan["algorithms"];
  json["metrics"] = plan["metrics"];
  json["expect"] = plan["expect"];
  json["trials"] = nlohmann::json::array();
  for (const auto& trial : plan["trials"]) {
    const std::string hash = trial["trial"];
    nlohmann::ordered_json entry{{"trial", hash},
                                 {"dataset", plan["datasets"][trial["dataset"].get<std::size_t>()]["name"]},
                                 {"algorithm", plan["algorithms"][trial["algorithm"].get<std::size_t>()]},
                                 {"repeat", trial["repeat"]},
                                 {"fold", trial["fold"]},
                                 {"stage", trial["stage"]}};
    const auto record = journal.records.find(hash);
    if (record == journal.records.end()) {
      entry["outcome"] = "missing";
    } else {
      entry["outcome"] = record->second.outcome == TrialRecord::Outcome::done ? "done" : "failed";
      if (!record->second.error.empty()) entry["error"] = record->second.error;
      entry["metrics"] = nlohmann::json::object();
      for (const auto& [name, value] : record->second.metrics)
        entry["metrics"][name] = std::isnan(value) ? nlohmann::json(nullptr) : nlohmann::json(value);
      entry["parameters"] = record->second.parameters;
      entry["details"] = record->second.details;
    }
    json["trials"].push_back(std::move(entry));
  }
  return json.dump(1) + "\n";
}

void require_own_folder(const ResultFolder& folder, const std::string& experiment) {
  namespace fs = std::filesystem;
  if (!fs::exists(folder.folder)) return;
  if (!fs::is_directory(folder.folder))
    throw Error(ErrorKind::usage,
                fmt::format("'{}' is a file; choose another folder with --out", folder.folder.string()));
  if (const std::string owner = owner_of(folder); !owner.empty()) {
    if (owner != experiment)
      throw Error(
          ErrorKind::usage,
          fmt::format("'{}' holds the results of experiment '{}', not of '{}'; choose another folder with "
                      "--out, or --fresh to discard them",
                      folder.folder.string(), owner, experiment));
    return;
  }
  for (const fs::directory_entry& entry : fs::directory_iterator(folder.folder))
    if (!is_ours(entry.path()))
      throw Error(
          ErrorKind::usage,
          fmt::format("'{}' is not empty and not a results folder (it has '{}'); choose another folder with "
                      "--out, or --fresh to use it all the same",
                      folder.folder.string(), entry.path().filename().string()));
}

void clear_folder(const ResultFolder& folder) {
  std::error_code code;
  for (const std::string_view name : our_files) {
    std::filesystem::remove_all(folder.folder / name, code);
    if (code)
      throw Error(ErrorKind::input_output,
                  fmt::format("cannot remove '{}': {}", (folder.folder / name).string(), code.message()));
  }
}

namespace {

/// What the plan tells beside the trials: sizes of datasets, where algorithms come from, published values.
void collect_details(const nlohmann::json& plan, ResultSet& results) {
  const std::string protocol = plan.value("protocol", "given");
  for (const auto& dataset : plan["datasets"]) {
    // Hold-out and folds cut up the same rows again and again, but for generators that draw new ones for each
    // repeat.
    const bool fresh = dataset["fingerprints"].size() > 1;
    const bool folds = protocol.find("kfold") != std::string::npos || dataset.value("folds", 1) > 1;
    const bool part = dataset.value("part", false);
    const bool resampled = folds || ((protocol != "given" || part) && !fresh);
    results.dataset_details.push_back({dataset["name"], dataset["task"], dataset["rows"], dataset["features"],
                                       dataset["outputs"], dataset["train"], dataset["test"], resampled,
                                       dataset.value("source", dataset["name"].get<std::string>()), part});
  }
  for (const auto& algorithm : plan.value("algorithm_details", nlohmann::json::array()))
    results.algorithm_details.push_back({algorithm["name"], algorithm["id"], algorithm["swept"]});
  results.published_source = plan["expect"]["source"];
  for (const auto& value : plan["expect"]["values"])
    results.published.push_back(
        {value["metric"], value["dataset"], value["algorithm"], value["value"],
         value["deviation"].is_null() ? std::nullopt : std::optional(value["deviation"].get<double>())});
}

/// What tuning chose for the trial, where it was tuned.
void collect_chosen(const TrialRecord& record, const Hole& place, ResultSet& results) {
  const auto tuning = record.details.find("tuning");
  if (tuning == record.details.end()) return;
  ChosenParameters chosen{place.dataset, place.algorithm, place.repeat, place.fold, {}};
  for (const auto& [name, value] : tuning->at("chosen").items())
    chosen.values.emplace_back(name, value.is_string() ? value.get<std::string>() : value.dump());
  results.chosen.push_back(std::move(chosen));
}

}  // namespace

namespace {

ResultSet collect(const nlohmann::json& plan, std::span<const PlannedTrial> trials,
                  const JournalContent& journal) {
  ResultSet results;
  collect_details(plan, results);
  for (const auto& dataset : plan["datasets"]) results.datasets.push_back(dataset["name"]);
  for (const auto& algorithm : plan["algorithms"]) results.algorithms.push_back(algorithm);
  for (const auto& metric : plan["metrics"]) results.metrics.push_back(parse_metric(metric));
  std::vector<Task> tasks;
  for (const auto& dataset : plan["datasets"])
    tasks.push_back(parse_task(dataset["task"].get<std::string>()).value());
  for (const PlannedTrial& trial : trials) {
    ++results.planned_trials;
    const Hole hole{results.datasets.at(trial.dataset), results.algorithms.at(trial.algorithm), trial.repeat,
                    trial.fold, "missing"};
    const auto found = journal.records.find(trial.hash);
    if (found == journal.records.end()) {
      results.holes.push_back(hole);
      continue;
    }
    const TrialRecord& record = found->second;
    if (record.outcome == TrialRecord::Outcome::failed) {
      ++results.failed_trials;
      results.holes.push_back(
          {hole.dataset, hole.algorithm, hole.repeat, hole.fold, "failed: " + record.error});
      continue;
    }
    ++results.finished_trials;
    collect_chosen(record, hole, results);
    const std::string stage = trial.stage ? number_text(*trial.stage) : "";
    for (const Metric& metric : results.metrics) {
      const auto value = record.metrics.find(metric.name);
      if (value != record.metrics.end() && metric.applies_to(tasks[trial.dataset]))
        results.rows.push_back(
            {hole.dataset, hole.algorithm, hole.repeat, hole.fold, stage, metric.name, value->second});
    }
  }
  return results;
}

}  // namespace

ResultSet collect_results(const nlohmann::json& plan, const JournalContent& journal) {
  return collect(plan, planned_trials(plan), journal);
}

ResultSet load_results(const std::filesystem::path& path) {
  const ResultFolder folder{path};
  nlohmann::json plan;
  std::vector<PlannedTrial> trials;
  JournalContent journal;
  const auto load_plan = [&] {
    constexpr std::string_view key = ",\"trials\":[";
    const std::string text = plan_text(folder);
    const std::size_t start = text.rfind(key);
    auto scanned = start == std::string::npos
                       ? std::nullopt
                       : scan_trials(std::string_view(text).substr(start + key.size()));
    plan = parse_plan(folder, scanned ? text.substr(0, start) + std::string(key) + "]}" : text);
    trials = scanned ? std::move(*scanned) : planned_trials(plan);
  };
  const auto load_journal = [&] { journal = read_journal(folder.journal(), RecordParts::scores); };
  try {
    parallel_for({}, 2, [&](std::size_t part) { part == 0 ? load_plan() : load_journal(); });
    return collect(plan, trials, journal);
  } catch (const nlohmann::json::exception&) {
    damaged_plan(folder);  // JSON, but not as a run writes it
  } catch (const std::out_of_range&) {
    damaged_plan(folder);
  }
}

void write_results(const ResultFolder& folder, const nlohmann::json& plan, const JournalContent& journal) {
  const ResultSet results = collect_results(plan, journal);
  write_atomically(folder.folder / "results.csv", results_csv(results));
  write_atomically(folder.folder / "summary.csv", summary_csv(results));
  write_atomically(folder.folder / "results.json", results_json(plan, journal));
  make_folder(folder.folder / "tables");
  const auto write_table = [&](const std::string& name, const Table& table) {
    for (const auto& [extension, format] : table_files)
      write_atomically(folder.folder / "tables" / fmt::format("{}.{}", name, extension),
                       render(table, format));
  };
  for (const Metric& metric : results.metrics) {
    write_table(metric.name, comparison_table(results, metric));
    if (const auto published = published_table(results, metric))
      write_table(metric.name + "-published", *published);
  }
  sync_folder(folder.folder);
}

}  // namespace coppice
