#pragma once

#include <cstddef>
#include <vector>

#include "core/metrics/label_counts.h"
#include "core/metrics/label_row.h"
#include "core/metrics/metric.h"
#include "core/metrics/score_pairs.h"
#include "core/metrics/target_sums.h"

namespace coppice {

/// What one row adds to a metric that is a quotient of two sums over rows. The default weight makes it the
/// mean over rows.
struct RowTerm {
  double value = 0.0;
  double weight = 1.0;
};

/// What is known when all rows have been read; only what the metrics need is there.
struct Totals {
  Task task = Task::multilabel;
  std::size_t rows = 0;
  const LabelCounts* label_counts = nullptr;
  const Areas* areas = nullptr;
  const TargetSums* target_sums = nullptr;
};

/// A metric with its way to be computed: row by row, or at the end from totals. Costs have neither.
struct MetricEntry {
  MetricDescription description;
  Needs needs{};
  RowTerm (*row_term)(const LabelRow& row, std::size_t k) = nullptr;
  double (*final_value)(const Totals& totals) = nullptr;
};

/// All metrics in the order of the documentation. To add a metric, add an entry to the family it belongs to:
/// parsing, the scorer and the reference page follow.
const std::vector<MetricEntry>& metric_catalogue();

std::vector<MetricEntry> ranking_metrics();
std::vector<MetricEntry> label_set_metrics();
std::vector<MetricEntry> averaged_metrics();
std::vector<MetricEntry> area_metrics();
std::vector<MetricEntry> class_metrics();
std::vector<MetricEntry> regression_metrics();
std::vector<MetricEntry> decomposition_metrics();
std::vector<MetricEntry> cost_metrics();

/// The two tasks whose truth is a set of labels; a class is a set of one.
inline std::vector<Task> label_tasks() {
  return {Task::multilabel, Task::multiclass};
}

}  // namespace coppice
