#include "experiments/config/schema.h"

#include <fmt/format.h>

#include "algorithms/registry.h"
#include "core/data/generators/generator.h"
#include "core/metrics/metric.h"
#include "experiments/config/protocols.h"
#include "experiments/config/tuning.h"
#include "experiments/config/value_axis.h"

namespace coppice {

namespace {

using Json = nlohmann::ordered_json;

Json value_schema(const ParameterSpec& spec) {
  Json schema{{"description", spec.meaning}};
  switch (spec.type) {
    case ParameterType::boolean:
      schema["type"] = "boolean";
      break;
    case ParameterType::choice:
      schema["enum"] = spec.choices;
      if (spec.optional) schema["enum"].push_back("none");
      break;
    case ParameterType::integer:
    case ParameterType::real:
      // A number, or an expression of n, p and d (or none) as text.
      schema["type"] = {spec.type == ParameterType::integer ? "integer" : "number", "string"};
      break;
  }
  schema["default"] = spec.default_value;
  return schema;
}

Json properties(const std::vector<ParameterSpec>& specs) {
  Json all = Json::object();
  for (const ParameterSpec& spec : specs) all[spec.name] = value_schema(spec);
  return all;
}

/// `name` alone, or `name: {…}` with these properties.
Json named(const std::string& name, const std::string& description, Json allowed, bool open) {
  return {{"type", "object"},
          {"description", description},
          {"required", {name}},
          {"additionalProperties", false},
          {"properties",
           {{name,
             {{"type", {"object", "null"}},
              {"properties", std::move(allowed)},
              {"additionalProperties", open}}}}}};
}

Json algorithm_items() {
  Json options = Json::array();
  options.push_back({{"enum", Registry::instance().names()}});
  for (const std::string& name : Registry::instance().names()) {
    const AlgorithmDescription& description = Registry::instance().get(name).description();
    Json allowed = properties(description.parameters);
    Json swept = Json::object();
    Json tuned = Json::object();
    for (const ParameterSpec& spec : description.parameters) {
      swept[spec.name] = axis_schema(value_schema(spec), true);
      tuned[spec.name] = axis_schema(value_schema(spec), false);
    }
    tuned["search"] = search_schema();
    allowed["id"] = {{"type", "string"}, {"description", "The name in the tables"}};
    allowed["sweep"] = {{"type", "object"},
                        {"description", "Every value is its own row in the tables"},
                        {"properties", swept},
                        {"additionalProperties", false}};
    if (description.staged() != nullptr)
      allowed["budget"] = {
          {"type", "object"},
          {"description", "As many stages as take so many times as long as one of another entry"},
          {"required", {"times", "of"}},
          {"properties", {{"times", {{"type", "number"}}}, {"of", {{"type", "string"}}}}},
          {"additionalProperties", false}};
    allowed["tune"] = {{"type", "object"},
                       {"description", "The best on validation parts of the training part is reported"},
                       {"properties", tuned},
                       {"additionalProperties", false}};
    options.push_back(named(name, description.summary, std::move(allowed), false));
  }
  return {{"type", "array"}, {"minItems", 1}, {"items", {{"anyOf", options}}}};
}

Json dataset_items() {
  Json options = Json::array();
  options.push_back({{"type", "string"}, {"description", "A name of the catalogue or a generator"}});
  for (const auto& generator : generators())
    options.push_back(named(generator->description().name, generator->description().summary,
                            properties(generator->description().parameters), true));
  options.push_back(
      {{"type", "object"},
       {"minProperties", 1},
       {"maxProperties", 1},
       {"description", "A name with options: a file of your own, a generator, a catalogue name"}});
  return {{"type", "array"}, {"minItems", 1}, {"items", {{"anyOf", options}}}};
}

Json metric_items() {
  Json plain = Json::array();
  Json options = Json::array();
  for (const MetricDescription& metric : metric_descriptions()) {
    const std::size_t at = metric.name.find("@K");
    if (at == std::string::npos)
      plain.push_back(metric.name);
    else
      options.push_back(
          {{"type", "string"}, {"pattern", fmt::format("^{}@[1-9][0-9]*$", metric.name.substr(0, at))}});
  }
  options.push_back({{"enum", plain}});
  return {{"type", "array"}, {"minItems", 1}, {"uniqueItems", true}, {"items", {{"anyOf", options}}}};
}

}  // namespace

Json config_schema() {
  return {
      {"$schema", "https://json-schema.org/draft/2020-12/schema"},
      {"title", "coppice experiment"},
      {"type", "object"},
      {"required", {"name", "seed", "datasets", "algorithms", "metrics"}},
      {"additionalProperties", false},
      {"properties",
       {{"name",
         {{"type", "string"},
          {"pattern", "^[A-Za-z0-9_-][A-Za-z0-9_.-]*$"},
          {"description", "Results go to results/<name>"}}},
        {"seed", {{"type", "integer"}, {"minimum", 0}, {"description", "All randomness follows from it"}}},
        {"datasets", dataset_items()},
        {"absent",
         {{"enum", {"error", "skip"}},
          {"default", "error"},
          {"description", "What to do about catalogued datasets whose files are not on this machine"}}},
        {"include",
         {{"description", "Files whose content holds unless it is given here"},
          {"anyOf",
           Json::array({{{"type", "string"}}, {{"type", "array"}, {"items", {{"type", "string"}}}}})}}},
        {"plugins",
         {{"type", "array"},
          {"items", {{"type", "string"}}},
          {"description", "Shared libraries with algorithms of your own"}}},
        {"timing",
         {{"enum", {"shared", "exclusive"}},
          {"default", "shared"},
          {"description", "exclusive: one trial at a time, for benchmarks"}}},
        {"protocol", protocol_schema()},
        {"algorithms", algorithm_items()},
        {"metrics", metric_items()},
        {"expect",
         {{"type", "object"},
          {"description",
           "Published figures: metric: {dataset: {algorithm: value ± deviation}}, and their source"}}}}}};
}

}  // namespace coppice
