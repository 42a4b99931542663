#include "experiments/audit/explain.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/base/error.h"
#include "core/base/nearest_name.h"
#include "experiments/plan/plan.h"
#include "experiments/store/files.h"
#include "experiments/store/result_folder.h"
#include "experiments/store/shell_word.h"
#include "experiments/tables/csv.h"

namespace coppice {

namespace {

using Json = nlohmann::ordered_json;

/// The parts of `dataset,algorithm,metric`; an algorithm's name may hold commas.
struct Cell {
  std::string dataset;
  std::string algorithm;
  std::string metric;
};

Cell parse_cell(const std::string& text) {
  const std::size_t first = text.find(',');
  const std::size_t last = text.rfind(',');
  if (first == std::string::npos || first == last)
    throw Error(ErrorKind::usage,
                fmt::format("--cell {}: expected dataset,algorithm,metric, such as yeast,RF,lrap", text));
  return {text.substr(0, first), text.substr(first + 1, last - first - 1), text.substr(last + 1)};
}

/// The place of a name in a list of the plan; throws if it is not there.
std::size_t find_name(const std::vector<std::string>& known, const std::string& name, const char* what) {
  const auto found = std::find(known.begin(), known.end(), name);
  if (found != known.end()) return static_cast<std::size_t>(found - known.begin());
  throw Error(ErrorKind::usage,
              fmt::format("no {} '{}' in these results{}", what, name, did_you_mean(name, known)));
}

Json trial_json(const nlohmann::json& trial, const nlohmann::json& plan, const Cell& cell,
                const std::string& algorithm, const JournalContent& journal) {
  Json json{{"trial", trial["trial"]}, {"repeat", trial["repeat"]}, {"fold", trial["fold"]}};
  const Stream stream = model_stream(plan["seed"], trial["repeat"], trial["fold"], algorithm);
  json["stream"] = fmt::format("{:016x}{:016x}", stream.key()[0], stream.key()[1]);
  const auto found = journal.records.find(trial["trial"].get<std::string>());
  if (found == journal.records.end()) {
    json["outcome"] = "missing";
    return json;
  }
  const TrialRecord& record = found->second;
  json["outcome"] = record.outcome == TrialRecord::Outcome::done ? "done" : "failed";
  if (!record.error.empty()) json["error"] = record.error;
  if (const auto value = record.metrics.find(cell.metric); value != record.metrics.end())
    json["value"] = std::isnan(value->second) ? nlohmann::json(nullptr) : nlohmann::json(value->second);
  json["parameters"] = record.parameters;
  for (const char* key :
       {"dataset", "coppice", "host", "fit-seconds", "fit-cpu-seconds", "shared-by", "tuning"})
    if (record.details.contains(key))
      json[key == std::string("dataset") ? "data" : key] = record.details[key];
  return json;
}

}  // namespace

Json explain_cell(const std::filesystem::path& path, const std::string& text) {
  const ResultFolder folder{path};
  const ResultSet results = load_results(path);
  const nlohmann::json plan = read_plan(folder);
  const JournalContent journal = read_journal(folder.journal());
  const Cell cell = parse_cell(text);
  const std::size_t dataset = find_name(results.datasets, cell.dataset, "dataset");
  const std::size_t algorithm = find_name(results.algorithms, cell.algorithm, "algorithm");
  std::vector<std::string> metrics;
  for (const Metric& metric : results.metrics) metrics.push_back(metric.name);
  const std::size_t metric = find_name(metrics, cell.metric, "metric");

  const nlohmann::json& details = plan["algorithm_details"][algorithm];
  const std::string name = details.value("algorithm", "");
  Json json{{"dataset", cell.dataset}, {"algorithm", cell.algorithm}, {"metric", cell.metric}};
  json["config"] = {{"dataset", plan["datasets"][dataset].value("location", "")},
                    {"algorithm", details.value("location", "")},
                    {"seed", plan.value("seed_location", "")}};
  if (plan.contains("metric_locations")) json["config"]["metric"] = plan["metric_locations"][metric];
  json["seed"] = plan["seed"];
  json["protocol"] = plan.value("protocol", "");
  json["fingerprints"] = plan["datasets"][dataset]["fingerprints"];
  const auto provenance = std::filesystem::exists(folder.provenance())
                              ? nlohmann::json::parse(read_text(folder.provenance()), nullptr, false)
                              : nlohmann::json();
  if (provenance.is_object()) {
    for (const char* key : {"coppice", "commit", "compiler", "flags"})
      if (provenance.contains(key)) json["build"][key] = provenance[key];
    if (provenance.contains("runs") && !provenance["runs"].empty()) json["run"] = provenance["runs"].back();
  }
  json["trials"] = Json::array();
  for (const auto& trial : plan["trials"])
    if (trial["dataset"] == dataset && trial["algorithm"] == algorithm)
      json["trials"].push_back(trial_json(trial, plan, cell, name, journal));
  json["recompute"] =
      fmt::format("coppice verify {} --sample 0 --only {}", shell_word(path.string()),
                  shell_word(fmt::format("dataset={},algorithm={}", cell.dataset, cell.algorithm)));
  return json;
}

std::string explanation_text(const Json& json) {
  std::string text = fmt::format("{} of {} on {}\n\n", json["metric"].get<std::string>(),
                                 json["algorithm"].get<std::string>(), json["dataset"].get<std::string>());
  const auto line = [&](const std::string& name, const std::string& value) {
    if (!value.empty()) text += fmt::format("{:<14}{}\n", name, value);
  };
  for (const auto& [what, where] : json["config"].items())
    line("config",
         where.get<std::string>().empty() ? "" : fmt::format("{} ({})", where.get<std::string>(), what));
  line("seed", json["seed"].dump());
  line("protocol", json["protocol"].get<std::string>());
  for (const auto& fingerprint : json["fingerprints"]) line("data", fingerprint.get<std::string>());
  if (json.contains("build"))
    line("build", fmt::format("{}, commit {}, {}", json["build"].value("coppice", ""),
                              json["build"].value("commit", ""), json["build"].value("compiler", "")));
  if (json.contains("run")) {
    const auto& machine = json["run"]["machine"];
    line("machine", fmt::format("{} ({}), load {:.1f} at the start", machine.value("host", ""),
                                machine.value("processor", ""), machine.value("load-at-start", 0.0)));
  }
  text += "\n";
  for (const auto& trial : json["trials"]) {
    std::string value = trial["outcome"];
    if (trial.contains("value"))
      value = trial["value"].is_null() ? "undefined" : number_text(trial["value"].get<double>());
    if (trial.contains("error")) value += ": " + trial["error"].get<std::string>();
    text += fmt::format("repeat {} fold {}  {}  trial {}  stream {}\n", trial["repeat"].dump(),
                        trial["fold"].dump(), value, trial["trial"].get<std::string>(),
                        trial["stream"].get<std::string>());
    if (trial.contains("tuning"))
      text += fmt::format("    chosen {} by {} = {} over {} fits\n", trial["tuning"]["chosen"].dump(),
                          trial["tuning"]["metric"].get<std::string>(), trial["tuning"]["score"].dump(),
                          trial["tuning"]["fits"].dump());
  }
  if (!json["trials"].empty() && json["trials"][0].contains("parameters"))
    text += fmt::format("\nparameters of the first: {}\n", json["trials"][0]["parameters"].dump());
  return text + fmt::format("\ncompute it again: {}\n", json["recompute"].get<std::string>());
}

}  // namespace coppice
