#include "core/metrics/reference.h"

#include <fmt/format.h>

#include "core/metrics/metric.h"

namespace coppice {

namespace {

constexpr const char* conventions = R"(# Metrics

This page is generated from the descriptions in `core/metrics`; do not edit it by hand.

## What holds for all of them

- **Scores** are what a model says of a row and an output. A score that is not listed is 0; dense and sparse
  predictions give the same value to the last bit, and so do rows in one batch or in many.
- **Ties.** Metrics that count labels "scoring at least as much" treat ties as their definition says. Metrics
  that look at the first K labels take labels of equal score in the order of their index, lowest first.
- **Predicted labels** are those the algorithm decided on where it does (a label powerset), and otherwise those
  with a score of at least 0.5 (thesis eq. 2.41). The predicted class is the one with the largest score, the
  lowest index of those that tie; a row without any score predicts class 0.
- **Classes** count as label sets of one label where a metric is offered for both tasks.
- **TP, FP, FN** are the numbers of pairs that are true and predicted, predicted but not true, and true but not
  predicted.
- **Not a number.** A score that is NaN, and a predicted real value that is infinite, is an error that names the row
  and the output; it never becomes a result. Infinite scores of labels are ranked as what they are. A metric that is
  undefined on the test rows has no value; every metric is undefined without rows.
)";

std::string tasks_of(const MetricDescription& metric) {
  std::string tasks;
  for (const Task task : metric.tasks) {
    if (!tasks.empty()) tasks += ", ";
    tasks += task_name(task);
  }
  return tasks;
}

std::string_view direction_of(const MetricDescription& metric) {
  return metric.higher_is_better ? "higher" : "lower";
}

void append_overview(std::string& page) {
  page += "\n## Overview\n\n| metric | better | tasks | what it says |\n| --- | --- | --- | --- |\n";
  for (const MetricDescription& metric : metric_descriptions())
    page += fmt::format("| `{}` | {} | {} | {} |\n", metric.name, direction_of(metric), tasks_of(metric),
                        metric.summary);
}

void append_section(std::string& page, const MetricDescription& metric) {
  page += fmt::format("\n### `{}`\n\n{}\n\n{}\n\n", metric.name, metric.summary, metric.definition);
  page += fmt::format("Tasks: {}. Better: {}. Source: {}.", tasks_of(metric), direction_of(metric),
                      metric.reference);
  if (metric.varies_between_runs) page += " Differs from run to run.";
  page += '\n';
}

}  // namespace

std::string metrics_reference() {
  std::string page = conventions;
  append_overview(page);
  page += "\n## Definitions\n";
  for (const MetricDescription& metric : metric_descriptions())
    if (metric.from_predictions()) append_section(page, metric);
  page += "\n## Bias and variance\n\nOf many models, by the protocol `bias-variance` only.\n";
  for (const MetricDescription& metric : metric_descriptions())
    if (metric.decomposition) append_section(page, metric);
  page += "\n## Costs\n\nMeasured by the framework, not computed from predictions.\n";
  for (const MetricDescription& metric : metric_descriptions())
    if (metric.cost) append_section(page, metric);
  return page;
}

}  // namespace coppice
