#include "experiments/tuning/chosen_table.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/base/error.h"
#include "experiments/store/result_folder.h"
#include "experiments/tables/csv.h"

namespace coppice {

namespace {

std::string value_text(const nlohmann::json& value) {
  if (value.is_null()) return "none";
  if (value.is_string()) return value.get<std::string>();
  return value.is_number_float() ? fmt::format("{:.4g}", value.get<double>()) : value.dump();
}

std::size_t failed_settings(const nlohmann::json& tuning) {
  const auto& tried = tuning["tried"];
  return static_cast<std::size_t>(
      std::count_if(tried.begin(), tried.end(), [](const auto& one) { return one.contains("error"); }));
}

}  // namespace

Table chosen_table(const std::filesystem::path& path) {
  load_results(path);  // says if it is no results folder
  const ResultFolder folder{path};
  const nlohmann::json plan = read_plan(folder);
  const JournalContent journal = read_journal(folder.journal());
  std::vector<std::string> parameters;
  struct Row {
    std::string name;
    nlohmann::json tuning;
  };
  std::vector<Row> rows;
  for (std::size_t algorithm = 0; algorithm < plan["algorithms"].size(); ++algorithm)
    for (const auto& trial : plan["trials"]) {
      if (trial["algorithm"] != algorithm) continue;
      const auto record = journal.records.find(trial["trial"].get<std::string>());
      if (record == journal.records.end() || !record->second.details.contains("tuning")) continue;
      const nlohmann::json& tuning = record->second.details["tuning"];
      rows.push_back(
          {fmt::format("{}, {}, repeat {}, fold {}", plan["algorithms"][algorithm].get<std::string>(),
                       plan["datasets"][trial["dataset"].get<std::size_t>()]["name"].get<std::string>(),
                       trial["repeat"].dump(), trial["fold"].dump()),
           tuning});
      for (const auto& [name, value] : tuning["chosen"].items())
        if (std::find(parameters.begin(), parameters.end(), name) == parameters.end())
          parameters.push_back(name);
    }
  if (rows.empty())
    throw Error(ErrorKind::usage,
                fmt::format("'{}' has no finished trial with 'tune'; leave --chosen out", path.string()));
  Table table;
  table.title = "chosen on validation parts of the training rows";
  table.row_kind = "algorithm, dataset, repeat, fold";
  for (const std::string& parameter : parameters) table.columns.push_back({parameter});
  for (const char* column : {"metric", "score", "tried"}) table.columns.push_back({column});
  const bool any_failed =
      std::any_of(rows.begin(), rows.end(), [](const Row& row) { return failed_settings(row.tuning) > 0; });
  if (any_failed) table.columns.push_back({"failed"});
  for (const Row& row : rows) {
    table.rows.push_back({row.name});
    std::vector<TableCell>& cells = table.cells.emplace_back();
    for (const std::string& parameter : parameters)
      cells.push_back(
          {row.tuning["chosen"].contains(parameter) ? value_text(row.tuning["chosen"][parameter]) : ""});
    cells.push_back({row.tuning["metric"].get<std::string>()});
    cells.push_back({value_text(row.tuning["score"])});
    cells.push_back({std::to_string(row.tuning["tried"].size())});
    if (any_failed) cells.push_back({std::to_string(failed_settings(row.tuning))});
  }
  return table;
}

}  // namespace coppice
