#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/data/dataset.h"
#include "core/model/predictions.h"

namespace coppice {

/// Everything there is to say about a metric without computing it.
struct MetricDescription {
  std::string name;        ///< `lrap`; families have a form, `precision@K`
  std::string summary;     ///< one sentence
  std::string definition;  ///< exactly what is computed: ties, empty label sets, absent classes
  std::string reference;   ///< paper and section
  bool higher_is_better = true;
  bool cost = false;  ///< seconds, bytes, nodes: measured by the framework, not computed from predictions
  bool decomposition =
      false;  ///< a part of the error over many learning sets, for the protocol bias-variance
  /// Measured with a clock or a memory counter, so different from run to run.
  bool varies_between_runs = false;
  std::size_t least_rows = 1;  ///< undefined on fewer test rows
  std::vector<Task> tasks;

  /// Whether it is computed from the predictions of one model.
  bool from_predictions() const { return !cost && !decomposition; }
};

/// All metrics, in the order of the documentation.
const std::vector<MetricDescription>& metric_descriptions();

/// A metric that a config names, its K filled in.
struct Metric {
  std::string name;                                ///< as named: `precision@3`
  const MetricDescription* description = nullptr;  ///< never null
  std::size_t k = 0;                               ///< the K of `@K`, or 0

  bool applies_to(Task task) const;
};

/// How many of the best labels of a row these metrics look at; none if one of them looks at all.
std::optional<std::size_t> best_labels_of(std::span<const Metric> metrics);

/// Throws Error(config) for unknown names and wrong K, with the nearest name.
Metric parse_metric(const std::string& name);

/// What a metric may know of the training part.
struct ScoringContext {
  Task task = Task::multilabel;
  std::size_t outputs = 0;
  std::size_t train_rows = 0;
  /// For label tasks: in how many training rows each label occurs.
  std::vector<std::uint32_t> train_label_counts;
  /// For regression: the mean of each target over the training rows.
  std::vector<double> train_target_means;
  Propensity propensity;

  static ScoringContext of(const DatasetView& train);
};

/// Computes several metrics over rows that arrive in batches, so that scores of all rows need never be in
/// memory at once. Work and memory follow the number of listed scores (and of labels, once), never
/// rows × labels. The values depend neither on how the rows were cut into batches nor on whether scores came
/// dense or sparse, to the last bit.
class Scorer {
 public:
  /// Cost metrics and metrics that do not apply to the task are an Error(config).
  Scorer(std::vector<Metric> metrics, ScoringContext context);
  ~Scorer();
  Scorer(Scorer&&) noexcept;
  Scorer& operator=(Scorer&&) noexcept;

  /// The predictions for these rows, in their order. Predictions that do not fit the rows, and scores that
  /// are not numbers, are an Error(fit) that names the row and the output; the scorer is of no use after it.
  void add(const DatasetView& truth, const Predictions& predictions);
  /// By metric name. NaN where a metric is undefined on these rows (no row at all, a single row for r², no
  /// label with both a positive and a negative row for an area under the curve): the definition says when.
  std::map<std::string, double> values() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace coppice
