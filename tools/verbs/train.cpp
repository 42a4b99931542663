#include <chrono>
#include <memory>

#include <fmt/format.h>

#include "algorithms/registry.h"
#include "core/base/nearest_name.h"
#include "core/base/version.h"
#include "core/data/encode.h"
#include "experiments/store/files.h"
#include "tools/cli.h"
#include "tools/single_dataset.h"

namespace coppice {

namespace {

struct TrainArguments {
  std::string algorithm;
  SingleDataset dataset;
  std::vector<std::string> settings;
  std::string out = "model.coppice";
};

/// The setting of `base`, which decides what others there are.
RawParameters base_setting(const std::vector<std::string>& settings) {
  constexpr std::string_view key = "base=";
  for (const std::string& setting : settings)
    if (setting.starts_with(key)) return {{"base", setting.substr(key.size())}};
  return {};
}

RawParameters parse_settings(const AlgorithmDescription& description,
                             const std::vector<std::string>& settings) {
  RawParameters raw;
  std::vector<std::string> known;
  for (const ParameterSpec& spec : description.parameters) known.push_back(spec.name);
  for (const std::string& setting : settings) {
    const std::size_t equals = setting.find('=');
    const std::string name = setting.substr(0, equals);
    if (equals == std::string::npos)
      throw Error(ErrorKind::usage, fmt::format("--set {}: expected parameter=value", setting));
    if (description.find(name) == nullptr)
      throw Error(ErrorKind::usage, fmt::format("{} has no parameter '{}'{}", description.name, name,
                                                did_you_mean(name, known)));
    raw[name] = setting.substr(equals + 1);
  }
  return raw;
}

void train(const TrainArguments& options, const Session& session) {
  const Algorithm& algorithm = Registry::instance().get(options.algorithm);
  const AlgorithmDescription description = algorithm.description_for(base_setting(options.settings));
  const RawParameters raw = parse_settings(description, options.settings);
  auto dataset = options.dataset.load();
  const std::string fingerprint = dataset->fingerprint().text();
  const auto& tasks = description.capabilities.tasks;
  if (std::find(tasks.begin(), tasks.end(), dataset->task()) == tasks.end())
    throw Error(ErrorKind::usage, fmt::format("{} cannot do {}, the task of '{}'", description.name,
                                              task_name(dataset->task()), dataset->name()));
  if (dataset->features().has_missing() &&
      !description.handles_missing(raw.contains("missing") ? raw.at("missing") : ""))
    throw Error(ErrorKind::data,
                fmt::format("'{}' has {} missing values, which {} does not handle; fill them in first{}",
                            dataset->name(), dataset->features().missing(), description.name,
                            description.find("missing") != nullptr ? ", or set missing=learn" : ""));
  if (!description.capabilities.categorical && dataset->features().categorical_columns() > 0)
    dataset = std::make_shared<const Dataset>(one_hot_encoded(*dataset));
  const DatasetView rows = options.dataset.view(dataset);
  const ExpressionVariables sizes{static_cast<double>(rows.size()),
                                  static_cast<double>(dataset->feature_count()),
                                  static_cast<double>(dataset->output_count())};
  const Parameters parameters = resolve(description.parameters, raw, dataset->task(), sizes);
  if (const auto problem = algorithm.check(parameters, sizes))
    throw Error(ErrorKind::config, problem->message);
  catch_interrupts();
  const auto start = std::chrono::steady_clock::now();
  const Context context{Stream(options.dataset.seed).at("algorithm", std::string_view(description.name)),
                        &stop_flag(), nullptr};
  const auto model = algorithm.fit(rows, parameters, context);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  const nlohmann::json provenance{{"coppice", version_text()},  {"command", session.command},
                                  {"dataset", dataset->name()}, {"fingerprint", fingerprint},
                                  {"rows", rows.size()},        {"seed", options.dataset.seed}};
  const std::string bytes =
      model_bytes(*model, description.name, parameters, ModelSchema::of(*dataset), provenance);
  write_atomically(options.out, bytes);
  print(fmt::format("{} on {} rows of {} in {:.2f} s: {} ({} bytes)\n", description.name, rows.size(),
                    dataset->name(), seconds, options.out, bytes.size()));
}

}  // namespace

void add_train(CLI::App& app, Session& session) {
  CLI::App* verb = app.add_subcommand("train", "Fit one model and save it");
  const auto options = std::make_shared<TrainArguments>();
  verb->add_option("ALGORITHM", options->algorithm, "As in 'coppice list algorithms'")->required();
  options->dataset.add_to(*verb, "train");
  verb->add_option("--set", options->settings, "A parameter: trees=10")->allow_extra_args(false);
  verb->add_option("--out", options->out, "The model file; model.coppice by default");
  verb->callback([options, &session] { train(*options, session); });
}

}  // namespace coppice
