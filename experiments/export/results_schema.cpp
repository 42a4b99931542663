#include "experiments/export/results_schema.h"

#include <string>
#include <vector>

namespace coppice {

namespace {

using Json = nlohmann::ordered_json;

Json described(const char* type, const std::string& description) {
  return {{"type", type}, {"description", description}};
}

Json nullable_number(const std::string& description) {
  return {{"type", Json::array({"number", "null"})}, {"description", description}};
}

Json object_of(const Json& properties, const std::vector<std::string>& required,
               const std::string& description) {
  return {{"type", "object"},
          {"description", description},
          {"properties", properties},
          {"required", required},
          {"additionalProperties", false}};
}

Json list_of(const Json& items) {
  return {{"type", "array"}, {"items", items}};
}

Json dataset_schema() {
  Json properties{{"name", described("string", "As in the tables")}};
  properties["source"] =
      described("string", "The generator, the name in the catalogue or the file it is from");
  properties["part"] = described("boolean", "Whether it trains on part of the training rows only");
  properties["location"] = described("string", "Its place in the config: file:line:column");
  properties["task"] = described("string", "multi-label, multi-class or regression");
  for (const char* size : {"rows", "features", "outputs"})
    properties[size] = described("integer", "Of the whole");
  for (const char* part : {"train", "test"})
    properties[part] = described("integer", "Rows of the first split");
  properties["folds"] = described("integer", "Splits of a repeat");
  properties["fingerprints"] = list_of(described("string", "Of the content; one, or one for each repeat"));
  return object_of(properties, {"name", "task", "rows", "features", "outputs", "train", "test", "folds"},
                   "A dataset of the experiment");
}

Json expected_schema() {
  const Json value = object_of({{"metric", described("string", "Name")},
                                {"dataset", described("string", "Name")},
                                {"algorithm", described("string", "Name")},
                                {"value", described("number", "What the paper reports")},
                                {"deviation", nullable_number("Its standard deviation")}},
                               {"metric", "dataset", "algorithm", "value"}, "A published figure");
  return object_of({{"source", described("string", "Where they are from")}, {"values", list_of(value)}},
                   {"source", "values"}, "Published figures");
}

Json trial_schema() {
  Json properties{{"trial", described("string", "Hash of everything that determines it")},
                  {"dataset", described("string", "Name")},
                  {"algorithm", described("string", "The config's id, with swept values")},
                  {"repeat", described("integer", "From 0")},
                  {"fold", described("integer", "From 0")},
                  {"stage", nullable_number("The value of the staged parameter")}};
  properties["outcome"] = {{"enum", Json::array({"done", "failed", "missing"})},
                           {"description", "missing: planned, not run yet"}};
  properties["error"] = described("string", "Why it failed");
  properties["metrics"] = {{"type", "object"},
                           {"description", "Values by name; null where undefined"},
                           {"additionalProperties", nullable_number("Value")}};
  properties["parameters"] = described("object", "Resolved, by name");
  properties["details"] =
      described("object", "Times, build, dataset fingerprint, what tuning tried and chose");
  return object_of(properties, {"trial", "dataset", "algorithm", "repeat", "fold", "stage", "outcome"},
                   "One trial; metrics, parameters and details where it ran");
}

}  // namespace

Json results_schema() {
  const Json properties{{"experiment", described("string", "The config's name")},
                        {"seed", described("integer", "The config's seed")},
                        {"datasets", list_of(dataset_schema())},
                        {"algorithms", list_of(described("string", "Rows of the tables, in order"))},
                        {"metrics", list_of(described("string", "In order"))},
                        {"expect", expected_schema()},
                        {"trials", list_of(trial_schema())}};
  Json schema{{"$schema", "https://json-schema.org/draft/2020-12/schema"},
              {"title", "results.json of coppice"}};
  schema.update(object_of(properties,
                          {"experiment", "seed", "datasets", "algorithms", "metrics", "expect", "trials"},
                          "All trials of an experiment"));
  return schema;
}

}  // namespace coppice
