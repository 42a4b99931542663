#include <algorithm>
#include <filesystem>
#include <string>

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "experiments/export/mlflow.h"
#include "experiments/export/results_schema.h"
#include "experiments/export/tidy.h"
#include "experiments/run.h"
#include "experiments/store/files.h"
#include "tests/support/experiment.h"
#include "tests/support/temporary_folder.h"

using namespace coppice;
using coppice::testing::TemporaryFolder;

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

bool has_type(const Json& value, const std::string& type) {
  return (type == "object" && value.is_object()) || (type == "array" && value.is_array()) ||
         (type == "string" && value.is_string()) || (type == "integer" && value.is_number_integer()) ||
         (type == "number" && value.is_number()) || (type == "boolean" && value.is_boolean()) ||
         (type == "null" && value.is_null());
}

/// What a value has against a schema; only the keywords that ours uses.
std::vector<std::string> violations(const Json& value, const Json& schema, const std::string& place = "") {
  std::vector<std::string> found;
  const auto add = [&](const Json& part, const Json& part_schema, const std::string& name) {
    const auto more = violations(part, part_schema, place + "/" + name);
    found.insert(found.end(), more.begin(), more.end());
  };
  if (schema.contains("enum")) {
    if (std::find(schema["enum"].begin(), schema["enum"].end(), value) == schema["enum"].end())
      found.push_back(place + ": not one of the values");
    return found;
  }
  const Json types = schema["type"].is_array() ? schema["type"] : Json::array({schema["type"]});
  if (std::none_of(types.begin(), types.end(), [&](const Json& type) { return has_type(value, type); }))
    found.push_back(place + ": wrong type");
  if (value.is_array() && schema.contains("items"))
    for (std::size_t i = 0; i < value.size(); ++i) add(value[i], schema["items"], std::to_string(i));
  if (!value.is_object()) return found;
  for (const auto& name : schema.value("required", Json::array()))
    if (!value.contains(name)) found.push_back(fmt::format("{}: lacks {}", place, name.get<std::string>()));
  for (const auto& [name, part] : value.items()) {
    if (schema.contains("properties") && schema["properties"].contains(name)) {
      add(part, schema["properties"][name], name);
    } else if (schema.contains("additionalProperties")) {
      if (schema["additionalProperties"].is_object())
        add(part, schema["additionalProperties"], name);
      else
        found.push_back(fmt::format("{}: {} is not known", place, name));
    }
  }
  return found;
}

void run_small(const fs::path& folder) {
  RunOptions options;
  options.folder = folder;
  options.quiet = true;
  run_experiment(testing::plan_of(testing::small_experiment +
                                  "expect: {source: x, lrap: {multilabel: {ET: 0.5 ± 0.1}}}\n"),
                 options, {});
}

}  // namespace

TEST_CASE("results.json is as its published schema says") {
  const TemporaryFolder folder;
  run_small(folder.path());
  Json results = Json::parse(read_text(folder.path() / "results.json"));
  const Json schema = results_schema();
  CHECK(violations(results, schema) == std::vector<std::string>{});
  results["trials"][0]["surprise"] = 1;
  results["trials"][1]["outcome"] = "lost";
  results["datasets"][0].erase("task");
  CHECK(violations(results, schema).size() == 3);
}

TEST_CASE("swept values can be joined to the results") {
  const TemporaryFolder folder;
  run_small(folder.path());
  CHECK(algorithms_csv(load_results(folder.path())) ==
        "algorithm,id,parameter,value\nconstant,constant,,\nRF trees=2,RF,trees,2\nRF trees=5,RF,trees,5\n"
        "ET,ET,,\n");
}

TEST_CASE("an export for MLflow has a run for each trial") {
  const TemporaryFolder folder;
  run_small(folder.path() / "results");
  const ResultFolder results{folder.path() / "results"};
  const fs::path store = folder.path() / "mlruns";
  CHECK(export_mlflow(results, store) == 24);
  CHECK(export_mlflow(results, store) == 24);  // again: replaced, not doubled
  std::size_t runs = 0;
  REQUIRE(std::distance(fs::directory_iterator(store), fs::directory_iterator()) == 1);
  const fs::path experiment = *fs::directory_iterator(store);
  CHECK(read_text(experiment / "meta.yaml").find("name: \"small\"") != std::string::npos);
  for (const auto& entry : fs::directory_iterator(experiment)) {
    if (!entry.is_directory()) continue;
    ++runs;
    const fs::path run = entry.path();
    CHECK(run.filename().string().size() == 32);
    const std::string meta = read_text(run / "meta.yaml");
    CHECK(meta.find(fmt::format("run_id: \"{}\"", run.filename().string())) != std::string::npos);
    CHECK(meta.find("status: 3\n") != std::string::npos);
    const bool labels = read_text(run / "params" / "dataset") == "multilabel";
    CHECK(fs::exists(run / "metrics" / (labels ? "lrap" : "r2-macro")));
    CHECK(fs::exists(run / "tags" / "mlflow.runName"));
  }
  CHECK(runs == 24);
}
