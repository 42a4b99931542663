#include "experiments/config/experiment_yaml.h"

#include <filesystem>
#include <map>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/base/version.h"
#include "experiments/config/yaml_text.h"
#include "experiments/data/file_options.h"

namespace coppice {

namespace {

/// The parameters of every row on every dataset, in its first trial.
class ResolvedRows {
 public:
  explicit ResolvedRows(const Plan& plan) : plan_(plan) {
    std::map<std::string, const Fit*> fits;  // a trial may be answered by the fit of another row
    for (const Fit& fit : plan.fits)
      for (const std::size_t index : fit.trials) fits.emplace(plan.trials[index].hash, &fit);
    for (const Trial& trial : plan.trials) {
      const auto [place, fresh] = parameters_.try_emplace({trial.algorithm, trial.dataset});
      if (fresh) place->second = plan.parameters_at(*fits.at(trial.hash), trial);
    }
  }

  /// The value of a parameter on every dataset: `friedman1-chain 2, yeast 10`, or one value if they agree.
  std::string text(std::size_t row, const std::string& parameter) const {
    std::string text;
    std::set<std::string> distinct;
    for (std::size_t dataset = 0; dataset < plan_.datasets.size(); ++dataset) {
      const auto found = parameters_.find({row, dataset});
      if (found == parameters_.end()) continue;
      const std::string value = parameter_text(found->second.values().at(parameter));
      distinct.insert(value);
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ", plan_.datasets[dataset].name, value);
    }
    return distinct.size() == 1 ? *distinct.begin() : text;
  }

 private:
  const Plan& plan_;
  std::map<std::pair<std::size_t, std::size_t>, Parameters> parameters_;
};

/// A path of the config as it is found from the config's folder, wherever it stood: in an included file of
/// another folder, or on the command line.
std::string path_from_config(const Experiment& experiment, const Location& location,
                             const std::string& path) {
  const std::filesystem::path folder = std::filesystem::path(location.file).parent_path();
  if (folder == std::filesystem::path(experiment.file).parent_path()) return path;
  return std::filesystem::absolute(folder / path).lexically_normal().string();
}

bool has_task(const Plan& plan, bool regression) {
  for (const PlannedDataset& dataset : plan.datasets)
    if ((dataset.task == Task::regression) == regression) return true;
  return false;
}

std::string algorithm_yaml(const Plan& plan, const ResolvedRows& rows, std::size_t entry_index,
                           std::size_t first_row) {
  const AlgorithmEntry& entry = plan.experiment.algorithms[entry_index];
  const AlgorithmDescription& description = entry.description;
  std::string yaml = fmt::format("  - {}:\n      id: {}\n", description.name, yaml_scalar(entry.id));
  for (const ParameterSpec& spec : description.parameters) {
    const bool swept = std::any_of(entry.sweep.begin(), entry.sweep.end(),
                                   [&](const SweepAxis& axis) { return axis.parameter == spec.name; });
    if (swept || entry.is_tuned(spec.name) || (entry.budget && spec.staged)) continue;
    const auto given = entry.parameters.find(spec.name);
    std::string text = given != entry.parameters.end() ? given->second.text : spec.default_value;
    const bool differs_by_task =
        given == entry.parameters.end() && !spec.regression_default.empty() && has_task(plan, true);
    if (differs_by_task) text = spec.regression_default;
    const std::string resolved = rows.text(first_row, spec.name);
    const std::string comment = resolved == text ? "" : fmt::format("  # {}", resolved);
    // One key cannot hold two defaults: with both kinds of task it stays a default, shown as a comment.
    const bool only_comment = differs_by_task && has_task(plan, false);
    yaml += only_comment ? fmt::format("      # {}: {} ({} for regression): {}\n", spec.name,
                                       spec.default_value, spec.regression_default, resolved)
                         : fmt::format("      {}: {}{}\n", spec.name, yaml_scalar(text), comment);
  }
  if (entry.budget)
    yaml += fmt::format("      budget: {{times: {}, of: {}}}\n", entry.budget->times,
                        yaml_scalar(entry.budget->of));
  if (entry.tune) {
    yaml += "      tune:\n";
    for (const ValueAxis& axis : entry.tune->axes)
      yaml += fmt::format("        {}: {}\n", axis.parameter, axis_text(axis));
    yaml += fmt::format("        search: {}\n", search_text(entry.tune->search));
  }
  if (!entry.sweep.empty()) {
    yaml += "      sweep:\n";
    for (const SweepAxis& axis : entry.sweep) {
      yaml += fmt::format("        {}: [", axis.parameter);
      for (std::size_t i = 0; i < axis.values.size(); ++i)
        yaml += (i > 0 ? ", " : "") + yaml_scalar(axis.values[i].text);
      yaml += "]\n";
    }
  }
  return yaml;
}

}  // namespace

std::string experiment_yaml(const Plan& plan) {
  const Experiment& experiment = plan.experiment;
  std::string yaml = fmt::format("# As understood by coppice {}.\nname: {}\nseed: {}\ndatasets:\n",
                                 version_text(), yaml_scalar(experiment.name), experiment.seed);
  for (std::size_t i = 0; i < experiment.datasets.size(); ++i) {
    const DatasetEntry& entry = experiment.datasets[i];
    const PlannedDataset& planned = plan.datasets[i];
    yaml += fmt::format("  - {}", yaml_scalar(entry.name));
    std::vector<std::string> options;
    for (const auto& [key, option] : entry.options) {
      std::vector<std::string> items;
      for (const DatasetOption& item : option.items) items.push_back(yaml_scalar(item.text));
      const bool is_path =
          std::find(file_options().begin(), file_options().end(), key) != file_options().end();
      const std::string text =
          is_path ? path_from_config(experiment, entry.location, option.text) : option.text;
      options.push_back(fmt::format(
          "{}: {}", key, items.empty() ? yaml_scalar(text) : fmt::format("[{}]", fmt::join(items, ", "))));
    }
    if (!options.empty()) yaml += fmt::format(": {{{}}}", fmt::join(options, ", "));
    yaml +=
        fmt::format("  # {}: {} train and {} test rows, {} features, {} outputs\n", task_name(planned.task),
                    planned.train, planned.test, planned.features, planned.outputs);
  }
  for (const DatasetEntry& entry : plan.absent)
    yaml += fmt::format("  - {}  # absent: its files were not on this machine\n", yaml_scalar(entry.name));
  if (experiment.skip_absent) yaml += "absent: skip\n";
  if (experiment.exclusive_timing) yaml += "timing: exclusive\n";
  if (!experiment.plugins.empty()) {
    yaml += "plugins:\n";
    for (const std::string& plugin : experiment.plugins) yaml += fmt::format("  - {}\n", yaml_scalar(plugin));
  }
  Protocol protocol = experiment.protocol;
  if (!protocol.file.empty()) protocol.file = path_from_config(experiment, protocol.location, protocol.file);
  yaml += "protocol:\n" + protocol.yaml() + "algorithms:\n";
  const ResolvedRows rows(plan);
  std::size_t first_row = 0;
  for (std::size_t entry = 0; entry < experiment.algorithms.size(); ++entry) {
    while (plan.algorithms[first_row].entry != entry) ++first_row;
    yaml += algorithm_yaml(plan, rows, entry, first_row);
  }
  yaml += "metrics: [";
  for (std::size_t i = 0; i < experiment.metrics.size(); ++i)
    yaml += (i > 0 ? ", " : "") + yaml_scalar(experiment.metrics[i].name);
  yaml += "]\n";
  if (!experiment.expected.empty()) {
    yaml += fmt::format("expect:\n  source: {}\n", yaml_scalar(experiment.expect_source));
    std::map<std::string, std::map<std::string, std::string>> values;
    for (const ExpectedValue& expected : experiment.expected) {
      std::string& line = values[expected.metric][expected.dataset];
      line +=
          fmt::format("{}{}: {}", line.empty() ? "" : ", ", yaml_scalar(expected.algorithm), expected.value);
      if (expected.deviation) line += fmt::format(" ± {}", *expected.deviation);
    }
    for (const auto& [metric, datasets] : values) {
      yaml += fmt::format("  {}:\n", yaml_scalar(metric));
      for (const auto& [dataset, line] : datasets)
        yaml += fmt::format("    {}: {{{}}}\n", yaml_scalar(dataset), line);
    }
  }
  return yaml;
}

}  // namespace coppice
