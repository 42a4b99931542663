#include "experiments/plan/plan_checks.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "core/base/nearest_name.h"
#include "experiments/data/info.h"
#include "experiments/tuning/inner_splits.h"

namespace coppice {

namespace {

bool advise_stratifying(const Protocol& protocol) {
  return !protocol.stratify &&
         (protocol.test == Protocol::Test::kfold || protocol.test == Protocol::Test::holdout);
}

/// Where `missing` is swept the trials themselves tell.
bool handles_missing(const AlgorithmEntry& entry) {
  const auto chosen = entry.parameters.find("missing");
  const bool swept = std::any_of(entry.sweep.begin(), entry.sweep.end(),
                                 [](const SweepAxis& axis) { return axis.parameter == "missing"; });
  return swept || entry.is_tuned("missing") ||
         entry.algorithm->description().handles_missing(
             chosen == entry.parameters.end() ? "" : chosen->second.text);
}

std::string task_list(const Plan& plan) {
  std::set<std::string> tasks;
  for (const PlannedDataset& dataset : plan.datasets) tasks.emplace(task_name(dataset.task));
  std::string text;
  for (const std::string& task : tasks) text += (text.empty() ? "" : ", ") + task;
  return text;
}

}  // namespace

void PlanNotes::add(const Location& location, const std::string& message) {
  const std::scoped_lock lock(mutex_);
  problems_.add(location, message);
}

void PlanNotes::add_once(const std::string& key, const Location& location, const std::string& message) {
  const std::scoped_lock lock(mutex_);
  if (std::find(keys_.begin(), keys_.end(), key) != keys_.end()) return;
  keys_.push_back(key);
  problems_.add(location, message);
}

void PlanNotes::warn(std::string warning) {
  const std::scoped_lock lock(mutex_);
  warnings_.push_back(std::move(warning));
}

bool PlanNotes::has_problems() const {
  const std::scoped_lock lock(mutex_);
  return !problems_.empty();
}

std::vector<std::string> PlanNotes::warnings() const {
  const std::scoped_lock lock(mutex_);
  std::vector<std::string> sorted = warnings_;
  std::sort(sorted.begin(), sorted.end());
  return sorted;
}

void check_ids(const Plan& plan, PlanNotes& notes) {
  std::set<std::string> seen;
  std::vector<std::string> known;
  for (const AlgorithmRow& row : plan.algorithms) {
    known.push_back(row.id);
    if (!seen.insert(row.id).second)
      notes.add(plan.experiment.algorithms[row.entry].location,
                fmt::format("two algorithms are called '{}'; tell them apart with 'id'", row.id));
  }
  for (const AlgorithmEntry& entry : plan.experiment.algorithms) {
    if (!entry.budget || entry.budget->of.empty()) continue;
    std::vector<std::string> ids;
    const AlgorithmEntry* of = nullptr;
    for (const AlgorithmEntry& other : plan.experiment.algorithms) {
      ids.push_back(other.id);
      if (other.id == entry.budget->of) of = &other;
    }
    if (of == nullptr)
      notes.add(entry.budget->location, fmt::format("budget: no algorithm '{}' in this experiment{}",
                                                    entry.budget->of, did_you_mean(entry.budget->of, ids)));
    else if (of->description.staged() == nullptr || of->budget)
      notes.add(entry.budget->location,
                fmt::format(
                    "budget: '{}' must have a staged parameter, such as iterations, and no budget of its own",
                    of->id));
  }
  for (const ExpectedValue& expected : plan.experiment.expected)
    if (!seen.contains(expected.algorithm))
      notes.add(expected.location, fmt::format("expect: no algorithm '{}' in this experiment{}",
                                               expected.algorithm, did_you_mean(expected.algorithm, known)));
}

void check_splits(const Protocol& protocol, const Dataset& dataset, const Splits& splits,
                  const Location& where, PlannedDataset& planned, PlanNotes& notes) {
  planned.smallest_test = planned.test;
  // Left out one by one, all parts are alike, and no row has all labels.
  if (protocol.test == Protocol::Test::leave_one_out && dataset.groups().empty()) return;
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
      return notes.add(
          where, fmt::format("dataset '{}': no training row of fold {} has a label", planned.name, fold));
  }
  if (unlearnt == 0 && untested == 0) return;
  std::string lacking;
  if (unlearnt > 0) lacking = fmt::format("{} have no training row", unlearnt);
  if (untested > 0) lacking += fmt::format("{}{} have no test row", lacking.empty() ? "" : " and ", untested);
  notes.warn(fmt::format(
      "dataset '{}': of {} labels{} {}{}", planned.name, dataset.output_count(),
      splits.count() > 1 ? ", in the worst fold," : "", lacking,
      advise_stratifying(protocol) ? "; 'stratify: true' in protocol.test spreads them evenly" : ""));
}

void check_capabilities(const Experiment& experiment, const Dataset& dataset,
                        const std::vector<PrepareStep>& steps, const Location& where, PlanNotes& notes) {
  const bool imputed = std::find(steps.begin(), steps.end(), PrepareStep::impute) != steps.end();
  for (const AlgorithmEntry& entry : experiment.algorithms) {
    const AlgorithmDescription& description = entry.description;
    const auto& tasks = description.capabilities.tasks;
    if (std::find(tasks.begin(), tasks.end(), dataset.task()) == tasks.end())
      notes.add(entry.location, fmt::format("{} cannot do {}, the task of dataset '{}'", description.name,
                                            task_name(dataset.task()), dataset.name()));
    if (dataset.features().has_missing() && !imputed && !handles_missing(entry))
      notes.add(where,
                fmt::format("dataset '{}' has {} missing values, which {} does not handle; fill them in with "
                            "'prepare: [impute]'{}",
                            dataset.name(), dataset.features().missing(), description.name,
                            description.find("missing") != nullptr ? ", or set 'missing: learn'" : ""));
  }
}

void check_metrics(const Plan& plan, const std::vector<Location>& locations, PlanNotes& notes) {
  const Experiment& experiment = plan.experiment;
  for (std::size_t i = 0; i < experiment.metrics.size(); ++i) {
    const Metric& metric = experiment.metrics[i];
    // A dataset that is not there, which has been said, may have been what the metric was for.
    bool used = plan.datasets.size() < experiment.datasets.size();
    for (const PlannedDataset& dataset : plan.datasets) {
      used = used || dataset.rows == 0 || metric.applies_to(dataset.task);
      if (metric.k > dataset.outputs && dataset.outputs > 0 && metric.applies_to(dataset.task))
        notes.add(experiment.metric_locations[i],
                  fmt::format("{} asks for more labels than dataset '{}' has ({})", metric.name, dataset.name,
                              dataset.outputs));
      if (metric.description->least_rows > dataset.smallest_test && dataset.smallest_test > 0 &&
          metric.applies_to(dataset.task))
        notes.add(experiment.metric_locations[i],
                  fmt::format("{} needs at least {} test rows; a fold of dataset '{}' has {}", metric.name,
                              metric.description->least_rows, dataset.name, dataset.smallest_test));
    }
    if (!used)
      notes.add(experiment.metric_locations[i],
                fmt::format("{} is not defined for the task of any dataset here ({})", metric.name,
                            task_list(plan)));
  }
  for (std::size_t i = 0; i < plan.datasets.size(); ++i) {
    const bool scored =
        std::any_of(experiment.metrics.begin(), experiment.metrics.end(),
                    [&](const Metric& metric) { return metric.applies_to(plan.datasets[i].task); });
    if (!scored && plan.datasets[i].rows > 0 && !experiment.metrics.empty())
      notes.add(locations[i], fmt::format("no metric of this experiment is defined for dataset '{}' ({})",
                                          plan.datasets[i].name, task_name(plan.datasets[i].task)));
  }
}

void check_bias_variance(const Plan& plan, const std::vector<Location>& locations, PlanNotes& notes) {
  const Experiment& experiment = plan.experiment;
  const bool asked = experiment.protocol.bias_variance.has_value();
  for (std::size_t i = 0; i < experiment.metrics.size(); ++i)
    if (experiment.metrics[i].description->decomposition != asked)
      notes.add(experiment.metric_locations[i],
                asked ? fmt::format("{} is of one model; the protocol bias-variance gives squared-bias, "
                                    "variance and its parts",
                                    experiment.metrics[i].name)
                      : fmt::format("{} needs 'protocol: {{bias-variance: {{learning_sets: 50}}}}'",
                                    experiment.metrics[i].name));
  if (!asked) return;
  for (std::size_t i = 0; i < plan.pool->dataset_count(); ++i) {
    const DatasetSource& source = plan.pool->source(i);
    if (!source.fresh_for_each_repeat())
      notes.add(locations[i],
                fmt::format("bias-variance draws learning sets: dataset '{}' must be generated, "
                            "and without a seed of its own",
                            source.name()));
    if (!source.preparation().empty() || source.training_rows(1))
      notes.add(locations[i], fmt::format("bias-variance takes data as it is drawn: dataset '{}' must not "
                                          "have 'prepare' or 'training_rows'",
                                          source.name()));
  }
}

void check_tuning(const Plan& plan, const std::vector<Location>& locations, PlanNotes& notes) {
  const Experiment& experiment = plan.experiment;
  const auto tuned = std::find_if(experiment.algorithms.begin(), experiment.algorithms.end(),
                                  [](const AlgorithmEntry& entry) { return entry.tune.has_value(); });
  const Selection selection = experiment.selection();
  if (tuned == experiment.algorithms.end()) {
    if (experiment.protocol.select)
      notes.add(selection.location, "select: no algorithm of this experiment has 'tune'; leave it out");
    return;
  }
  if (experiment.protocol.bias_variance) {
    notes.add(tuned->tune->location, "tune: bias-variance takes parameters as they are; set them");
    return;
  }
  for (std::size_t i = 0; i < plan.datasets.size(); ++i) {
    const PlannedDataset& dataset = plan.datasets[i];
    if (dataset.train == 0) continue;  // could not be read or split, which has been said
    const auto metric = experiment.selection_metric(dataset.task);
    if (!metric) {
      notes.add(selection.metrics.empty() ? tuned->tune->location : selection.metric_locations.front(),
                fmt::format("select: no metric to choose by on dataset '{}' ({}); name one in "
                            "'protocol: {{select: {{metric: …}}}}', or a list with one for each task",
                            dataset.name, task_name(dataset.task)));
      continue;
    }
    try {
      const auto data = plan.pool->get(i, 0);
      for (const Split& split : inner_splits(selection, *data, plan.split(i, 0, 0).train,
                                             selection_stream(experiment.seed, 0, 0, *data)))
        if (split.test.size() < metric->description->least_rows)
          throw Error(ErrorKind::data,
                      fmt::format("select: {} needs at least {} rows, a validation part has {}", metric->name,
                                  metric->description->least_rows, split.test.size()));
      if (metric->k > dataset.outputs)
        throw Error(ErrorKind::data, fmt::format("select: {} asks for more labels than there are ({})",
                                                 metric->name, dataset.outputs));
    } catch (const Error& error) {
      notes.add(locations[i], fmt::format("dataset '{}': {}", dataset.name, error.message()));
    }
  }
}

}  // namespace coppice
