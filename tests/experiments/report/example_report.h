#pragma once

#include <fmt/format.h>

#include "core/base/random.h"
#include "experiments/report/report.h"
#include "tests/experiments/tables/example_results.h"

/// Results with a bit of everything: several datasets (one with a hostile name), a sweep of two parameters,
/// costs.
inline coppice::ResultSet example_report_results(int datasets = 7, int repeats = 4) {
  coppice::Metric cost = example_metric("fit-seconds", false);
  static const coppice::MetricDescription cost_description = [] {
    coppice::MetricDescription description;
    description.higher_is_better = false;
    description.cost = true;
    return description;
  }();
  cost.description = &cost_description;
  std::vector<std::string> dataset_names{"<script>alert(1)</script>"};
  for (int i = 1; i < datasets; ++i) dataset_names.push_back(fmt::format("data-{}", i));
  ExampleResults example(dataset_names,
                         {"RF", "RO size=1 k=2", "RO size=100 k=2", "RO size=1 k=5", "RO size=100 k=5"},
                         {example_metric("lrap"), cost});
  example.results.algorithm_details = {{"RF", "RF", {}},
                                       {"RO size=1 k=2", "RO", {{"size", "1"}, {"k", "2"}}},
                                       {"RO size=100 k=2", "RO", {{"size", "100"}, {"k", "2"}}},
                                       {"RO size=1 k=5", "RO", {{"size", "1"}, {"k", "5"}}},
                                       {"RO size=100 k=5", "RO", {{"size", "100"}, {"k", "5"}}}};
  coppice::Stream noise(11);
  for (std::size_t d = 0; d < dataset_names.size(); ++d) {
    for (std::size_t a = 0; a < example.results.algorithms.size(); ++a) {
      for (int repeat = 0; repeat < repeats; ++repeat) {
        // Best on the last dataset, so that sorting by a score turns the order of the names around.
        const double score =
            0.4 + 0.05 * static_cast<double>(d) + 0.02 * static_cast<double>(a) + 0.01 * noise.uniform();
        const std::string& algorithm = example.results.algorithms[a];
        example.trial_metric("lrap", dataset_names[d], algorithm, repeat, 0, score);
        example.trial_metric("fit-seconds", dataset_names[d], algorithm, repeat, 0,
                             0.5 * static_cast<double>((a + 1) * (a + 1) * (a + 1)));
      }
    }
  }
  example.results.planned_trials = example.results.finished_trials =
      dataset_names.size() * example.results.algorithms.size() * static_cast<std::size_t>(repeats);
  return example.results;
}

inline coppice::ReportContext example_report_context() {
  coppice::ReportContext context;
  context.title = "an <experiment>";
  context.made = "2026-11-16";
  context.program = "coppice 0.1.0";
  context.config = "name: x\ndatasets:\n  - <b>\n";
  context.provenance = {{"commit", "abc</script>"}};
  return context;
}
