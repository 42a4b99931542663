#include "experiments/plan/plan.h"

#include <algorithm>
#include <array>
#include <map>
#include <mutex>
#include <set>

#include <fmt/format.h>

#include "algorithms/registry.h"
#include "core/base/context.h"
#include "core/base/nearest_name.h"
#include "core/data/encode.h"
#include "experiments/data/info.h"

namespace coppice {

namespace {

/// All combinations of the swept values of an entry, the last axis fastest.
std::vector<AlgorithmRow> expand(const AlgorithmEntry& entry, std::size_t index) {
  AlgorithmRow first{entry.id, index, {}};
  for (const auto& [name, setting] : entry.parameters) first.parameters[name] = setting.text;
  std::vector<AlgorithmRow> rows{first};
  for (const SweepAxis& axis : entry.sweep) {
    std::vector<AlgorithmRow> next;
    for (const AlgorithmRow& row : rows)
      for (const Setting& value : axis.values) {
        AlgorithmRow expanded = row;
        expanded.id += fmt::format(" {}={}", axis.parameter, value.text);
        expanded.parameters[axis.parameter] = value.text;
        next.push_back(std::move(expanded));
      }
    rows = std::move(next);
  }
  return rows;
}

/// The place in the config of a parameter's value, for messages.
Location parameter_location(const AlgorithmEntry& entry, const AlgorithmRow& row,
                            const std::string& parameter) {
  if (const auto found = entry.parameters.find(parameter); found != entry.parameters.end())
    return found->second.location;
  for (const SweepAxis& axis : entry.sweep)
    for (const Setting& value : axis.values)
      if (axis.parameter == parameter && row.parameters.at(parameter) == value.text) return value.location;
  return entry.location;
}

std::string trial_hash(const AlgorithmDescription& algorithm, const Parameters& parameters,
                       const Fingerprint& dataset, const std::vector<PrepareStep>& preparation,
                       const Split& split, const Stream& stream, const Protocol& protocol) {
  Fingerprinter fingerprinter;
  fingerprinter.add(static_cast<std::uint64_t>(result_format_version));
  fingerprinter.add(algorithm.name)
      .add(static_cast<std::uint64_t>(algorithm.version))
      .add(parameters.json().dump());
  fingerprinter.add(dataset.high).add(dataset.low);
  for (const PrepareStep step : preparation) fingerprinter.add(prepare_step_name(step));
  fingerprinter.add_array(std::span<const std::uint32_t>(split.train));
  fingerprinter.add_array(std::span<const std::uint32_t>(split.test));
  fingerprinter.add(stream.key()[0]).add(stream.key()[1]);
  if (protocol.estimate_632) fingerprinter.add(".632");
  if (const auto& setting = protocol.bias_variance)
    fingerprinter.add("bias-variance")
        .add(static_cast<std::uint64_t>(setting->learning_sets))
        .add(static_cast<std::uint64_t>(setting->projections))
        .add(static_cast<std::uint64_t>(setting->seeds));
  return fingerprinter.value().text();
}

/// Builds a plan step by step; each step adds its problems.
class Planner {
 public:
  Planner(Experiment experiment, const DataPath& path, Problems& problems) : problems_(problems) {
    plan_.experiment = std::move(experiment);
    if (plan_.experiment.skip_absent) leave_out_absent(path);
    std::vector<std::unique_ptr<DatasetSource>> sources;
    for (const DatasetEntry& entry : plan_.experiment.datasets) {
      auto source = make_source(entry, path, problems_);
      if (source == nullptr) continue;
      sources.push_back(std::move(source));
      locations_.push_back(entry.location);
    }
    plan_.pool = std::make_shared<DatasetPool>(std::move(sources), plan_.experiment.seed,
                                               plan_.experiment.protocol.repeats);
    plan_.splits = std::make_shared<SplitPool>(plan_.experiment.protocol, plan_.experiment.seed);
  }

  Plan make() {
    for (std::size_t i = 0; i < plan_.experiment.algorithms.size(); ++i) {
      const auto rows = expand(plan_.experiment.algorithms[i], i);
      plan_.algorithms.insert(plan_.algorithms.end(), rows.begin(), rows.end());
    }
    check_ids();
    load_datasets();
    std::sort(plan_.warnings.begin(), plan_.warnings.end());
    check_metrics();
    check_bias_variance();
    if (!problems_.empty()) return std::move(plan_);
    for (int repeat = 0; repeat < plan_.experiment.protocol.repeats; ++repeat) plan_repeat(repeat);
    return std::move(plan_);
  }

 private:
  void leave_out_absent(const DataPath& path) {
    auto& entries = plan_.experiment.datasets;
    const auto here = [&](const DatasetEntry& entry) { return !is_absent(entry, path); };
    const auto first_absent = std::stable_partition(entries.begin(), entries.end(), here);
    plan_.absent.assign(first_absent, entries.end());
    for (const DatasetEntry& entry : plan_.absent)
      plan_.warnings.push_back(
          fmt::format("dataset '{}' is absent (its files are not on this machine) and left out", entry.name));
    if (first_absent == entries.begin() && !entries.empty())
      problems_.add(entries.front().location,
                    "absent: none of the datasets is on this machine; point --data or COPPICE_DATA at their "
                    "folder");
    entries.erase(first_absent, entries.end());
  }

  void plan_repeat(int repeat) {
    std::vector<std::size_t> folds;
    for (std::size_t dataset = 0; dataset < plan_.datasets.size(); ++dataset)
      folds.push_back(fold_count(dataset, repeat));
    for (std::size_t fold = 0; fold < *std::max_element(folds.begin(), folds.end()); ++fold)
      for (std::size_t dataset = 0; dataset < plan_.datasets.size(); ++dataset)
        if (fold < folds[dataset]) plan_part(dataset, repeat, static_cast<int>(fold));
  }

  std::size_t fold_count(std::size_t dataset, int repeat) {
    try {
      return plan_.splits->get(plan_.datasets[dataset].name, *plan_.pool->get(dataset, repeat), repeat)
          ->count();
    } catch (const Error& error) {
      problems_.add(locations_[dataset],
                    fmt::format("dataset '{}': {}", plan_.datasets[dataset].name, error.what()));
      return 0;
    }
  }

  void check_ids() {
    std::set<std::string> seen;
    std::vector<std::string> known;
    for (const AlgorithmRow& row : plan_.algorithms) {
      known.push_back(row.id);
      if (!seen.insert(row.id).second)
        problems_.add(plan_.experiment.algorithms[row.entry].location,
                      fmt::format("two algorithms are called '{}'; tell them apart with 'id'", row.id));
    }
    for (const ExpectedValue& expected : plan_.experiment.expected)
      if (!seen.contains(expected.algorithm))
        problems_.add(expected.location,
                      fmt::format("expect: no algorithm '{}' in this experiment{}", expected.algorithm,
                                  did_you_mean(expected.algorithm, known)));
  }

  void load_datasets() {
    plan_.datasets.resize(plan_.pool->dataset_count());
    std::mutex mutex;
    parallel_for({}, plan_.datasets.size(), [&](std::size_t i) {
      try {
        load_dataset(i);
      } catch (const Error& error) {
        const std::scoped_lock lock(mutex);
        const Location& where = locations_[i];
        problems_.add(where, fmt::format("dataset '{}': {}", plan_.pool->source(i).name(), error.what()));
      }
    });
  }

  void load_dataset(std::size_t index) {
    const Protocol& protocol = plan_.experiment.protocol;
    PlannedDataset& planned = plan_.datasets[index];
    planned.name = plan_.pool->source(index).name();
    const int versions = plan_.pool->source(index).fresh_for_each_repeat() ? protocol.repeats : 1;
    for (int repeat = 0; repeat < versions; ++repeat) {
      const auto dataset = plan_.pool->get(index, repeat);
      planned.fingerprints.push_back(dataset->fingerprint().text());
      if (repeat > 0) continue;
      planned.task = dataset->task();
      planned.rows = dataset->rows();
      planned.features = dataset->feature_count();
      planned.outputs = dataset->output_count();
      planned.encoded_features = encoded_feature_count(dataset->features());
      planned.notes = plan_.pool->source(index).notes();
      const auto splits = plan_.splits->get(planned.name, *dataset, 0);
      const Split split = (*splits)[0];
      planned.folds = splits->count();
      planned.train = split.train.size();
      planned.test = split.test.size();
      check_splits(index, *dataset, *splits);
      check_capabilities(*dataset, plan_.pool->source(index).preparation(), locations_[index]);
    }
  }

  /// How small test parts are, and which labels they and the training parts lack: worth a word, but a fold
  /// without any label to learn is refused.
  void check_splits(std::size_t index, const Dataset& dataset, const Splits& splits) {
    PlannedDataset& planned = plan_.datasets[index];
    planned.smallest_test = planned.test;
    // Left out one by one, all parts are alike, and no row has all labels.
    if (plan_.experiment.protocol.test == Protocol::Test::leave_one_out && dataset.groups().empty()) return;
    std::size_t unlearnt = 0;
    std::size_t untested = 0;
    for (std::size_t fold = 0; fold < splits.count(); ++fold) {
      const Split split = splits[fold];
      planned.smallest_test = std::min(planned.smallest_test, split.test.size());
      if (!has_labels(dataset.task())) continue;
      const FoldSupport support = label_support(dataset, split);
      unlearnt = std::max(unlearnt, support.labels_without_train);
      untested = std::max(untested, support.labels_without_test);
      if (support.labels_without_train == dataset.output_count())
        return add_locked(
            locations_[index],
            fmt::format("dataset '{}': no training row of fold {} has a label", planned.name, fold));
    }
    if (unlearnt == 0 && untested == 0) return;
    std::string lacking;
    if (unlearnt > 0) lacking = fmt::format("{} have no training row", unlearnt);
    if (untested > 0)
      lacking += fmt::format("{}{} have no test row", lacking.empty() ? "" : " and ", untested);
    const std::scoped_lock lock(mutex_);
    plan_.warnings.push_back(
        fmt::format("dataset '{}': of {} labels{} {}{}", planned.name, dataset.output_count(),
                    splits.count() > 1 ? ", in the worst fold," : "", lacking,
                    advise_stratifying() ? "; 'stratify: true' in protocol.test spreads them evenly" : ""));
  }

  bool advise_stratifying() const {
    const Protocol& protocol = plan_.experiment.protocol;
    return !protocol.stratify &&
           (protocol.test == Protocol::Test::kfold || protocol.test == Protocol::Test::holdout);
  }

  void check_capabilities(const Dataset& dataset, const std::vector<PrepareStep>& steps,
                          const Location& where) {
    const bool imputed = std::find(steps.begin(), steps.end(), PrepareStep::impute) != steps.end();
    for (const AlgorithmEntry& entry : plan_.experiment.algorithms) {
      const AlgorithmDescription& description = entry.description;
      const auto& tasks = description.capabilities.tasks;
      if (std::find(tasks.begin(), tasks.end(), dataset.task()) == tasks.end())
        add_locked(entry.location, fmt::format("{} cannot do {}, the task of dataset '{}'", description.name,
                                               task_name(dataset.task()), dataset.name()));
      if (dataset.features().has_missing() && !imputed && !handles_missing(entry))
        add_locked(
            where,
            fmt::format("dataset '{}' has {} missing values, which {} does not handle; fill them in with "
                        "'prepare: [impute]'{}",
                        dataset.name(), dataset.features().missing(), description.name,
                        description.find("missing") != nullptr ? ", or set 'missing: learn'" : ""));
    }
  }

  /// Where `missing` is swept the trials themselves tell.
  static bool handles_missing(const AlgorithmEntry& entry) {
    const auto chosen = entry.parameters.find("missing");
    const bool swept = std::any_of(entry.sweep.begin(), entry.sweep.end(),
                                   [](const SweepAxis& axis) { return axis.parameter == "missing"; });
    return swept || entry.algorithm->description().handles_missing(
                        chosen == entry.parameters.end() ? "" : chosen->second.text);
  }

  void add_locked(const Location& location, const std::string& message) {
    const std::scoped_lock lock(mutex_);
    problems_.add(location, message);
  }

  void check_metrics() {
    const Experiment& experiment = plan_.experiment;
    for (std::size_t i = 0; i < experiment.metrics.size(); ++i) {
      const Metric& metric = experiment.metrics[i];
      bool used = plan_.datasets.empty();
      for (const PlannedDataset& dataset : plan_.datasets) {
        used = used || dataset.rows == 0 || metric.applies_to(dataset.task);
        if (metric.k > dataset.outputs && dataset.outputs > 0 && metric.applies_to(dataset.task))
          problems_.add(experiment.metric_locations[i],
                        fmt::format("{} asks for more labels than dataset '{}' has ({})", metric.name,
                                    dataset.name, dataset.outputs));
        if (metric.description->least_rows > dataset.smallest_test && dataset.smallest_test > 0 &&
            metric.applies_to(dataset.task))
          problems_.add(
              experiment.metric_locations[i],
              fmt::format("{} needs at least {} test rows; a fold of dataset '{}' has {}", metric.name,
                          metric.description->least_rows, dataset.name, dataset.smallest_test));
      }
      if (!used)
        problems_.add(
            experiment.metric_locations[i],
            fmt::format("{} is not defined for the task of any dataset here ({})", metric.name, task_list()));
    }
    for (std::size_t i = 0; i < plan_.datasets.size(); ++i) {
      const bool scored =
          std::any_of(experiment.metrics.begin(), experiment.metrics.end(),
                      [&](const Metric& metric) { return metric.applies_to(plan_.datasets[i].task); });
      if (!scored && plan_.datasets[i].rows > 0 && !experiment.metrics.empty())
        problems_.add(locations_[i],
                      fmt::format("no metric of this experiment is defined for dataset '{}' ({})",
                                  plan_.datasets[i].name, task_name(plan_.datasets[i].task)));
    }
  }

  /// The protocol bias-variance and its metrics need each other, and data that can be drawn again.
  void check_bias_variance() {
    const Experiment& experiment = plan_.experiment;
    const bool asked = experiment.protocol.bias_variance.has_value();
    for (std::size_t i = 0; i < experiment.metrics.size(); ++i)
      if (experiment.metrics[i].description->decomposition != asked)
        problems_.add(experiment.metric_locations[i],
                      asked
                          ? fmt::format("{} is of one model; the protocol bias-variance gives squared-bias, "
                                        "variance and its parts",
                                        experiment.metrics[i].name)
                          : fmt::format("{} needs 'protocol: {{bias-variance: {{learning_sets: 50}}}}'",
                                        experiment.metrics[i].name));
    if (!asked) return;
    for (std::size_t i = 0; i < plan_.pool->dataset_count(); ++i) {
      const DatasetSource& source = plan_.pool->source(i);
      if (!source.fresh_for_each_repeat())
        problems_.add(locations_[i],
                      fmt::format("bias-variance draws learning sets: dataset '{}' must be generated, "
                                  "and without a seed of its own",
                                  source.name()));
      if (!source.preparation().empty())
        problems_.add(locations_[i],
                      fmt::format("bias-variance takes data as it is drawn: dataset '{}' must not "
                                  "have 'prepare'",
                                  source.name()));
    }
  }

  std::string task_list() const {
    std::set<std::string> tasks;
    for (const PlannedDataset& dataset : plan_.datasets) tasks.emplace(task_name(dataset.task));
    std::string text;
    for (const std::string& task : tasks) text += (text.empty() ? "" : ", ") + task;
    return text;
  }

  /// Whether one fit may answer several stages: not where what is measured belongs to the whole fit.
  bool may_share(std::size_t dataset) const {
    for (const Metric& metric : plan_.metrics_for(dataset))
      if (metric.description->varies_between_runs || metric.name == "model-bytes") return false;
    return true;
  }

  /// What expressions speak of: the data as the algorithm gets it. Empty if it cannot be prepared.
  std::optional<ExpressionVariables> sizes_for(std::size_t dataset, int repeat, const Split& split,
                                               const Capabilities& capabilities) {
    try {
      const auto data = data_for(*plan_.pool, dataset, repeat, split, capabilities);
      return ExpressionVariables{static_cast<double>(split.train.size()),
                                 static_cast<double>(data->feature_count()),
                                 static_cast<double>(data->output_count())};
    } catch (const Error& error) {
      if (reported_.insert(error.message()).second) problems_.add(locations_[dataset], error.message());
      return std::nullopt;
    }
  }

  void plan_part(std::size_t dataset_index, int repeat, int fold) {
    const auto dataset = plan_.pool->get(dataset_index, repeat);
    const Split split = plan_.split(dataset_index, repeat, fold);
    std::array<std::optional<ExpressionVariables>, 2> sizes;  // for algorithms with and without categories
    std::map<std::string, std::size_t> shared;  // what a fit is apart from its stage → its index
    for (std::size_t row = 0; row < plan_.algorithms.size(); ++row) {
      const AlgorithmEntry& entry = plan_.experiment.algorithms[plan_.algorithms[row].entry];
      const AlgorithmDescription& description = entry.description;
      auto& known_sizes = sizes[description.capabilities.categorical ? 1 : 0];
      if (!known_sizes) known_sizes = sizes_for(dataset_index, repeat, split, description.capabilities);
      if (!known_sizes) return;
      Parameters parameters;
      if (!resolve_row(entry, plan_.algorithms[row], *dataset, *known_sizes, parameters)) continue;

      Trial trial{"", dataset_index, row, repeat, fold, std::nullopt};
      const Stream stream = model_stream(plan_.experiment.seed, repeat, fold, description.name);
      trial.hash = trial_hash(description, parameters, dataset->fingerprint(),
                              plan_.pool->source(dataset_index).preparation(), split, stream,
                              plan_.experiment.protocol);
      Parameters unstaged = parameters;
      if (const ParameterSpec* staged = description.staged()) {
        trial.stage = parameters.number(staged->name);
        if (may_share(dataset_index)) unstaged.set(staged->name, std::monostate{});
      }
      plan_.trials.push_back(trial);
      // Two entries may mean the same trial under different names: it runs once and shows twice.
      if (!planned_.insert(trial.hash).second) continue;
      const auto [place, fresh] =
          shared.emplace(description.name + unstaged.json().dump(), plan_.fits.size());
      if (fresh) {
        plan_.fits.push_back({dataset_index, repeat, fold, plan_.algorithms[row].entry, parameters, {}});
      }
      Fit& fit = plan_.fits[place->second];
      fit.trials.push_back(plan_.trials.size() - 1);
      if (trial.stage && *trial.stage > fit.parameters.number(description.staged()->name))
        fit.parameters = parameters;
    }
    for (const auto& [key, index] : shared) {
      auto& trials = plan_.fits[index].trials;
      std::stable_sort(trials.begin(), trials.end(), [&](std::size_t a, std::size_t b) {
        return plan_.trials[a].stage.value_or(0.0) < plan_.trials[b].stage.value_or(0.0);
      });
    }
  }

  bool resolve_row(const AlgorithmEntry& entry, const AlgorithmRow& row, const Dataset& dataset,
                   const ExpressionVariables& sizes, Parameters& parameters) {
    bool fine = true;
    for (const ParameterSpec& spec : entry.description.parameters) {
      try {
        const Parameters one = resolve({spec}, row.parameters, dataset.task(), sizes);
        parameters.set(spec.name, one.values().at(spec.name));
      } catch (const Error& error) {
        fine = false;
        const std::string message = fmt::format("dataset '{}': {}", dataset.name(), error.message());
        // The same mistake on every fold is one problem.
        if (reported_.insert(row.id + message).second)
          problems_.add(parameter_location(entry, row, spec.name), message);
      }
    }
    if (!fine) return false;
    const auto problem = entry.algorithm->check(parameters, sizes);
    if (!problem) return true;
    const std::string message = fmt::format("dataset '{}': {}", dataset.name(), problem->message);
    if (reported_.insert(row.id + message).second)
      problems_.add(parameter_location(entry, row, problem->parameter), message);
    return false;
  }

  Problems& problems_;
  std::mutex mutex_;
  Plan plan_;
  std::vector<Location> locations_;
  std::set<std::string> reported_;
  std::set<std::string> planned_;  // hashes that belong to a fit already
};

}  // namespace

std::vector<Metric> Plan::metrics_for(std::size_t dataset) const {
  std::vector<Metric> metrics;
  for (const Metric& metric : experiment.metrics)
    if (metric.applies_to(datasets[dataset].task)) metrics.push_back(metric);
  return metrics;
}

Plan make_plan(Experiment experiment, const DataPath& path, Problems& problems) {
  return Planner(std::move(experiment), path, problems).make();
}

Split Plan::split(std::size_t dataset, int repeat, int fold) const {
  const auto data = pool->get(dataset, repeat);
  return (*splits->get(datasets[dataset].name, *data, repeat))[static_cast<std::size_t>(fold)];
}

std::size_t Plan::most_folds() const {
  std::size_t most = 1;
  for (const PlannedDataset& dataset : datasets) most = std::max(most, dataset.folds);
  return most;
}

std::shared_ptr<const Dataset> data_for(DatasetPool& pool, std::size_t dataset, int repeat,
                                        const Split& split, const Capabilities& capabilities) {
  const std::vector<PrepareStep>& steps = pool.source(dataset).preparation();
  if (steps.empty())
    return capabilities.categorical ? pool.get(dataset, repeat) : pool.get_encoded(dataset, repeat);
  Dataset prepared = prepare(*pool.get(dataset, repeat), split.train, steps);
  if (!capabilities.categorical && prepared.features().categorical_columns() > 0)
    prepared = one_hot_encoded(prepared);
  return std::make_shared<const Dataset>(std::move(prepared));
}

Stream model_stream(std::uint64_t seed, int repeat, int fold, const std::string& algorithm) {
  return Stream(seed)
      .at("repeat", static_cast<std::uint64_t>(repeat))
      .at("fold", static_cast<std::uint64_t>(fold))
      .at("algorithm", std::string_view(algorithm));
}

nlohmann::json plan_json(const Plan& plan) {
  nlohmann::json json{{"experiment", plan.experiment.name}, {"seed", plan.experiment.seed}};
  for (std::size_t i = 0; i < plan.datasets.size(); ++i) {
    const PlannedDataset& dataset = plan.datasets[i];
    const auto& options = plan.experiment.datasets[i].options;
    const auto generator = options.find("generator");
    json["datasets"].push_back(
        {{"name", dataset.name},
         {"source", generator == options.end() ? dataset.name : generator->second.text},
         {"task", task_name(dataset.task)},
         {"rows", dataset.rows},
         {"features", dataset.features},
         {"outputs", dataset.outputs},
         {"train", dataset.train},
         {"test", dataset.test},
         {"folds", dataset.folds},
         {"fingerprints", dataset.fingerprints}});
  }
  for (const DatasetEntry& entry : plan.absent) json["absent"].push_back(entry.name);
  json["protocol"] = plan.experiment.protocol.test_text();
  for (const AlgorithmRow& row : plan.algorithms) {
    json["algorithms"].push_back(row.id);
    const AlgorithmEntry& entry = plan.experiment.algorithms[row.entry];
    nlohmann::json swept = nlohmann::json::array();
    for (const SweepAxis& axis : entry.sweep)
      swept.push_back({axis.parameter, row.parameters.at(axis.parameter)});
    json["algorithm_details"].push_back({{"name", row.id}, {"id", entry.id}, {"swept", std::move(swept)}});
  }
  for (const Metric& metric : plan.experiment.metrics) json["metrics"].push_back(metric.name);
  json["expect"] = {{"source", plan.experiment.expect_source}, {"values", nlohmann::json::array()}};
  for (const ExpectedValue& expected : plan.experiment.expected)
    json["expect"]["values"].push_back(
        {{"metric", expected.metric},
         {"dataset", expected.dataset},
         {"algorithm", expected.algorithm},
         {"value", expected.value},
         {"deviation", expected.deviation ? nlohmann::json(*expected.deviation) : nullptr}});
  for (const Trial& trial : plan.trials)
    json["trials"].push_back({{"trial", trial.hash},
                              {"dataset", trial.dataset},
                              {"algorithm", trial.algorithm},
                              {"repeat", trial.repeat},
                              {"fold", trial.fold},
                              {"stage", trial.stage ? nlohmann::json(*trial.stage) : nullptr}});
  return json;
}

}  // namespace coppice
