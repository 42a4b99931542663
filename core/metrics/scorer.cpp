#include <cmath>
#include <limits>
#include <optional>

#include <fmt/format.h>

#include "core/base/error.h"
#include "core/metrics/catalogue.h"
#include "core/metrics/metric.h"

namespace coppice {

namespace {

const MetricEntry& entry_of(const Metric& metric) {
  for (const MetricEntry& entry : metric_catalogue())
    if (entry.description.name == metric.description->name) return entry;
  throw Error(ErrorKind::config, fmt::format("metric '{}' is not in the catalogue", metric.name));
}

void check_metric(const Metric& metric, Task task) {
  if (!metric.description->from_predictions())
    throw Error(ErrorKind::config,
                fmt::format("metric '{}' is measured by the framework: it cannot be computed from "
                            "predictions; leave it out here",
                            metric.name));
  if (metric.applies_to(task)) return;
  std::string tasks;
  for (const Task possible : metric.description->tasks)
    tasks += (tasks.empty() ? "" : " and ") + std::string(task_name(possible));
  throw Error(ErrorKind::config, fmt::format("metric '{}' is for {} data, and this is {} data", metric.name,
                                             tasks, task_name(task)));
}

/// Most metrics know nothing of the training part; those that do must be told.
void check_training_part(const Metric& metric, const Needs& needs, const ScoringContext& context) {
  const std::size_t known = needs.propensities   ? context.train_label_counts.size()
                            : needs.target_means ? context.train_target_means.size()
                                                 : context.outputs;
  const bool needed = needs.propensities || needs.target_means;
  if (!needed || (known == context.outputs && context.train_rows > 0)) return;
  throw Error(
      ErrorKind::config,
      fmt::format("metric '{}' compares with the training part, of which {} rows and {} of {} outputs "
                  "are known; score with the training data at hand or leave the metric out",
                  metric.name, context.train_rows, known, context.outputs));
}

/// Says where in the data a prediction is wrong.
[[noreturn]] void refuse(const DatasetView& truth, std::size_t row, std::size_t output,
                         const std::string& problem) {
  const Dataset& dataset = truth.dataset();
  throw Error(ErrorKind::fit, fmt::format("dataset '{}', row {}, output {} ({}): {}", dataset.name(),
                                          truth[row], output, dataset.output_name(output), problem));
}

constexpr const char* unusable =
    "the model cannot be scored; look at the algorithm's parameters (a step too large, say) and inputs";

}  // namespace

ScoringContext ScoringContext::of(const DatasetView& train) {
  const Dataset& dataset = train.dataset();
  ScoringContext context;
  context.task = dataset.task();
  context.outputs = dataset.output_count();
  context.train_rows = train.size();
  context.propensity = dataset.propensity();
  if (has_labels(context.task)) {
    context.train_label_counts.assign(context.outputs, 0);
    for (const std::uint32_t row : train.rows())
      for (const std::uint32_t label : dataset.labels()[row]) ++context.train_label_counts[label];
  } else {
    context.train_target_means.assign(context.outputs, 0.0);
    for (const std::uint32_t row : train.rows())
      for (std::size_t j = 0; j < context.outputs; ++j)
        context.train_target_means[j] += dataset.targets()[row][j];
    for (double& mean : context.train_target_means) mean /= static_cast<double>(train.size());
  }
  return context;
}

/// Everything a scorer holds: what was asked for, and the sums so far.
struct Scorer::State {
  State(std::vector<Metric> asked, ScoringContext known);

  void check_fit(const DatasetView& truth, const Predictions& predictions) const;
  void check_decisions(const DatasetView& truth, const LabelSets& decisions) const;
  RowScores checked_scores(const DatasetView& truth, const Predictions& predictions, std::size_t row) const;
  void add_labels(const DatasetView& truth, const Predictions& predictions);
  void add_targets(const DatasetView& truth, const Predictions& predictions);

  std::vector<Metric> metrics;
  ScoringContext context;
  std::vector<const MetricEntry*> entries;
  std::vector<RowTerm> sums;  ///< one for each metric
  std::size_t rows = 0;
  std::optional<LabelRowReader> reader;
  std::optional<LabelCounts> label_counts;
  std::optional<ScorePairs> score_pairs;
  std::optional<TargetSums> target_sums;
};

Scorer::State::State(std::vector<Metric> asked, ScoringContext known)
    : metrics(std::move(asked)), context(std::move(known)), sums(metrics.size(), RowTerm{0.0, 0.0}) {
  if (context.outputs == 0) throw Error(ErrorKind::data, "nothing to score: the data has no outputs");
  Needs needs;
  for (const Metric& metric : metrics) {
    check_metric(metric, context.task);
    entries.push_back(&entry_of(metric));
    needs.include(entries.back()->needs);
    check_training_part(metric, entries.back()->needs, context);
  }
  if (has_labels(context.task)) reader.emplace(needs, context);
  if (needs.label_counts) label_counts.emplace(context.outputs);
  if (needs.score_pairs) score_pairs.emplace(context.outputs);
  if (needs.target_sums) target_sums.emplace(context.outputs, context.train_target_means);
}

void Scorer::State::check_fit(const DatasetView& truth, const Predictions& predictions) const {
  const Dataset& dataset = truth.dataset();
  if (dataset.task() != context.task || dataset.output_count() != context.outputs)
    throw Error(
        ErrorKind::data,
        fmt::format("dataset '{}' has {} {} outputs, and the training part has {} {} outputs; test on "
                    "data of the same shape",
                    dataset.name(), dataset.output_count(), task_name(dataset.task()), context.outputs,
                    task_name(context.task)));
  if (predictions.rows() != truth.size() || predictions.outputs() != context.outputs)
    throw Error(
        ErrorKind::fit,
        fmt::format("dataset '{}': predictions for {} rows × {} outputs where {} × {} are expected; the "
                    "algorithm's predict is wrong",
                    dataset.name(), predictions.rows(), predictions.outputs(), truth.size(),
                    context.outputs));
  if (predictions.decisions()) check_decisions(truth, *predictions.decisions());
}

void Scorer::State::check_decisions(const DatasetView& truth, const LabelSets& decisions) const {
  const std::string& name = truth.dataset().name();
  if (decisions.rows() != truth.size() || decisions.label_count() != context.outputs)
    throw Error(ErrorKind::fit,
                fmt::format("dataset '{}': decisions for {} rows × {} labels where {} × {} are expected; the "
                            "algorithm's predict is wrong",
                            name, decisions.rows(), decisions.label_count(), truth.size(), context.outputs));
  if (context.task != Task::multiclass) return;
  for (std::size_t row = 0; row < decisions.rows(); ++row)
    if (decisions[row].size() != 1)
      throw Error(ErrorKind::fit,
                  fmt::format("dataset '{}', row {}: {} classes are predicted where exactly one is expected; "
                              "the algorithm's predict is wrong",
                              name, truth[row], decisions[row].size()));
}

RowScores Scorer::State::checked_scores(const DatasetView& truth, const Predictions& predictions,
                                        std::size_t row) const {
  const RowScores scores = RowScores::of(predictions, row);
  if (const auto index = scores.first_misplaced())
    throw Error(ErrorKind::fit,
                fmt::format("dataset '{}', row {}: label {} is listed out of order or is not below {}; the "
                            "algorithm's predict is wrong",
                            truth.dataset().name(), truth[row], scores.labels[*index], scores.outputs));
  if (const auto index = scores.first_nan())
    refuse(truth, row, scores.label(*index), fmt::format("the score is not a number: {}", unusable));
  return scores;
}

void Scorer::State::add_labels(const DatasetView& truth, const Predictions& predictions) {
  for (std::size_t i = 0; i < truth.size(); ++i) {
    const RowScores scores = checked_scores(truth, predictions, i);
    std::span<const std::uint32_t> given;
    if (predictions.decisions()) given = (*predictions.decisions())[i];
    const LabelRow& row =
        reader->read(truth.dataset().labels()[truth[i]], scores, predictions.decisions() ? &given : nullptr);
    for (std::size_t m = 0; m < entries.size(); ++m) {
      if (entries[m]->row_term == nullptr) continue;
      const RowTerm term = entries[m]->row_term(row, metrics[m].k);
      sums[m].value += term.value;
      sums[m].weight += term.weight;
    }
    if (label_counts) label_counts->add(row);
    if (score_pairs) score_pairs->add(row);
  }
}

void Scorer::State::add_targets(const DatasetView& truth, const Predictions& predictions) {
  std::vector<double> buffer(predictions.is_dense() ? 0 : context.outputs);
  for (std::size_t i = 0; i < truth.size(); ++i) {
    const RowScores scores = checked_scores(truth, predictions, i);
    for (std::size_t j = 0; j < scores.listed(); ++j)
      if (std::isinf(scores.values[j]))
        refuse(truth, i, scores.label(j), fmt::format("the predicted value is infinite: {}", unusable));
    if (!scores.dense) {
      std::fill(buffer.begin(), buffer.end(), 0.0);
      for (std::size_t j = 0; j < scores.listed(); ++j) buffer[scores.labels[j]] = scores.values[j];
    }
    target_sums->add(truth.dataset().targets()[truth[i]], scores.dense ? scores.values : buffer);
  }
}

Scorer::Scorer(std::vector<Metric> metrics, ScoringContext context)
    : state_(std::make_unique<State>(std::move(metrics), std::move(context))) {}
Scorer::~Scorer() = default;
Scorer::Scorer(Scorer&&) noexcept = default;
Scorer& Scorer::operator=(Scorer&&) noexcept = default;

void Scorer::add(const DatasetView& truth, const Predictions& predictions) {
  state_->check_fit(truth, predictions);
  if (has_labels(state_->context.task)) {
    state_->add_labels(truth, predictions);
  } else if (state_->target_sums) {
    state_->add_targets(truth, predictions);
  }
  state_->rows += truth.size();
}

std::map<std::string, double> Scorer::values() const {
  if (state_->target_sums) {
    if (const auto output = state_->target_sums->first_overflow())
      throw Error(ErrorKind::fit,
                  fmt::format("output {}: squared errors are beyond the range of floating point: {}", *output,
                              unusable));
  }
  std::optional<Areas> areas;
  if (state_->score_pairs) areas = state_->score_pairs->areas();
  const Totals totals{state_->context.task, state_->rows,
                      state_->label_counts ? &*state_->label_counts : nullptr, areas ? &*areas : nullptr,
                      state_->target_sums ? &*state_->target_sums : nullptr};
  std::map<std::string, double> values;
  for (std::size_t m = 0; m < state_->metrics.size(); ++m) {
    const RowTerm& sum = state_->sums[m];
    const MetricEntry& entry = *state_->entries[m];
    const double undefined = std::numeric_limits<double>::quiet_NaN();
    const double quotient = sum.weight > 0.0 ? sum.value / sum.weight : undefined;
    values[state_->metrics[m].name] = entry.row_term != nullptr ? quotient : entry.final_value(totals);
  }
  return values;
}

}  // namespace coppice
