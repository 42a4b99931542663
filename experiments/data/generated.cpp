#include "experiments/data/generated.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/base/nearest_name.h"
#include "core/parameters/parameters.h"

namespace coppice {

namespace {

class GeneratedSource : public DatasetSource {
 public:
  GeneratedSource(std::string name, const Generator& generator, Parameters parameters)
      : name_(std::move(name)), generator_(generator), parameters_(std::move(parameters)) {}

  const std::string& name() const override { return name_; }
  bool fresh_for_each_repeat() const override { return !parameters_.optional_integer("seed"); }

  std::shared_ptr<const Dataset> load(const Stream& repeat_stream) const override {
    return std::make_shared<const Dataset>(generator_.generate(parameters_, repeat_stream));
  }
  std::shared_ptr<const Dataset> load_without_noise(const Stream& repeat_stream) const override {
    if (generator_.description().task != Task::regression || !parameters_.has("noise")) return nullptr;
    Parameters clean = parameters_;
    clean.set_number("noise", 0.0);
    return std::make_shared<const Dataset>(generator_.generate(clean, repeat_stream));
  }

 private:
  std::string name_;
  const Generator& generator_;
  Parameters parameters_;
};

/// Options that speak of the entry, not of the generator.
bool is_own_option(const std::string& option) {
  return option == "generator";
}

/// What is wrong with an option's value, or nothing. An expression cannot speak of data that is yet to be
/// made.
std::string check_option(const ParameterSpec& spec, const DatasetOption& option) {
  if (!option.items.empty()) return fmt::format("{}: expected one value, found a list", spec.name);
  const std::string reason = check_raw_value(spec, option.text);
  const bool number = spec.type == ParameterType::integer || spec.type == ParameterType::real;
  if (!reason.empty() || !number || (spec.optional && option.text == "none")) return reason;
  if (Expression::parse(option.text).is_constant()) return "";
  return fmt::format("{}: expected a number; {} speaks of data that is yet to be made", spec.name,
                     option.text);
}

}  // namespace

std::optional<Parameters> generator_parameters(const DatasetEntry& entry, const Generator& generator,
                                               Problems& problems) {
  const GeneratorDescription& description = generator.description();
  std::vector<std::string> names;
  for (const ParameterSpec& spec : description.parameters) names.push_back(spec.name);
  const std::size_t before = problems.count();
  RawParameters raw;
  for (const auto& [name, option] : entry.options) {
    if (is_own_option(name)) continue;
    const auto spec = std::find_if(description.parameters.begin(), description.parameters.end(),
                                   [&](const ParameterSpec& candidate) { return candidate.name == name; });
    if (spec == description.parameters.end()) {
      problems.add(option.location, fmt::format("{} has no parameter '{}'{}", description.name, name,
                                                did_you_mean(name, names)));
      continue;
    }
    if (const std::string reason = check_option(*spec, option); !reason.empty())
      problems.add(option.location, reason);
    raw[name] = option.text;
  }
  if (problems.count() > before) return std::nullopt;
  try {
    Parameters parameters = resolve(description.parameters, raw, description.task, {});
    generator.check(parameters);
    return parameters;
  } catch (const Error& error) {
    problems.add(entry.location, fmt::format("{}: {}", entry.name, error.message()));
    return std::nullopt;
  }
}

std::unique_ptr<DatasetSource> make_generated_source(const DatasetEntry& entry, const Generator& generator,
                                                     Problems& problems) {
  auto parameters = generator_parameters(entry, generator, problems);
  if (!parameters) return nullptr;
  return std::make_unique<GeneratedSource>(entry.name, generator, std::move(*parameters));
}

}  // namespace coppice
