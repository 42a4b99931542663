#include "algorithms/registry.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "core/base/error.h"
#include "core/base/nearest_name.h"

namespace coppice {

const ParameterSpec* AlgorithmDescription::staged() const {
  for (const ParameterSpec& spec : parameters)
    if (spec.staged) return &spec;
  return nullptr;
}

const ParameterSpec* AlgorithmDescription::find(const std::string& parameter) const {
  for (const ParameterSpec& spec : parameters)
    if (spec.name == parameter) return &spec;
  return nullptr;
}

Registry& Registry::instance() {
  static Registry registry = [] {
    Registry made;
    register_builtin(made);
    return made;
  }();
  return registry;
}

void Registry::add(std::unique_ptr<Algorithm> algorithm) {
  const AlgorithmDescription& description = algorithm->description();
  if (find(description.name) != nullptr)
    throw Error(ErrorKind::usage, fmt::format("there is already an algorithm '{}'", description.name));
  std::set<std::string> seen;
  for (const ParameterSpec& spec : description.parameters) {
    if (!seen.insert(spec.name).second)
      throw Error(ErrorKind::usage, fmt::format("{} declares '{}' twice", description.name, spec.name));
    const std::string& for_regression =
        spec.regression_default.empty() ? spec.default_value : spec.regression_default;
    for (const std::string& fallback : {spec.default_value, for_regression}) {
      const std::string problem = check_raw_value(spec, fallback);
      if (!problem.empty())
        throw Error(ErrorKind::usage,
                    fmt::format("{} declares a wrong default: {}", description.name, problem));
    }
  }
  algorithms_.push_back(std::move(algorithm));
}

void Registry::remove(const std::string& name) {
  std::erase_if(algorithms_, [&](const auto& algorithm) { return algorithm->description().name == name; });
}

const Algorithm* Registry::find(const std::string& name) const {
  for (const auto& algorithm : algorithms_)
    if (algorithm->description().name == name) return algorithm.get();
  return nullptr;
}

const Algorithm& Registry::get(const std::string& name) const {
  if (const Algorithm* found = find(name)) return *found;
  const std::vector<std::string> known = names();
  throw Error(ErrorKind::usage, fmt::format("no algorithm '{}'{}", name, did_you_mean(name, known)));
}

std::vector<std::string> Registry::names() const {
  std::vector<std::string> all;
  for (const auto& algorithm : algorithms_) all.push_back(algorithm->description().name);
  std::sort(all.begin(), all.end());
  return all;
}

std::string model_bytes(const Model& model, const std::string& algorithm, const Parameters& parameters,
                        const ModelSchema& schema, const nlohmann::json& provenance) {
  ModelWriter writer;
  model.save(writer);
  return writer.bytes({{"algorithm", algorithm},
                       {"parameters", parameters.json()},
                       {"task", task_name(schema.task)},
                       {"features", schema.features},
                       {"outputs", schema.outputs},
                       {"provenance", provenance}});
}

SavedModel load_model(const std::filesystem::path& path) {
  return load_model(ModelReader::open(path));
}

SavedModel load_model(const std::shared_ptr<const ModelReader>& reader) {
  SavedModel saved;
  saved.bytes = reader->size();
  const nlohmann::json& about = reader->about();
  try {
    saved.algorithm = about.at("algorithm");
    saved.parameters = Parameters::from_json(about.at("parameters"));
    saved.schema.features = about.at("features");
    saved.schema.outputs = about.at("outputs");
    saved.provenance = about.at("provenance");
    const auto task = parse_task(about.at("task").get<std::string>());
    if (!task) reader->fail("names an unknown task");
    saved.schema.task = *task;
  } catch (const nlohmann::json::exception& problem) {
    reader->fail(fmt::format("has a malformed header: {}", problem.what()));
  }
  const Algorithm* algorithm = Registry::instance().find(saved.algorithm);
  if (algorithm == nullptr)
    reader->fail(fmt::format("was made by '{}', which this coppice does not have{}", saved.algorithm,
                             did_you_mean(saved.algorithm, Registry::instance().names())));
  saved.model = algorithm->load(reader);
  return saved;
}

}  // namespace coppice
