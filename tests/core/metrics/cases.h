#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/base/random.h"
#include "core/metrics/metric.h"

namespace coppice::testing {

/// A small problem written out in full: the truth of each row and all of its scores.
struct Case {
  Task task = Task::multilabel;
  std::size_t outputs = 0;
  std::vector<std::vector<std::uint32_t>> labels;  ///< of label tasks
  std::vector<std::vector<double>> targets;        ///< of regression
  std::vector<std::vector<double>> scores;

  std::size_t rows() const { return scores.size(); }
  bool is_true(std::size_t row, std::size_t label) const;
  DatasetView view() const;
  Predictions dense() const;
  /// Leaves zeros out, but for every `keep`-th.
  Predictions sparse(std::size_t keep = 5) const;
};

/// Rows [begin, end) of a case.
Case part_of(const Case& whole, std::size_t begin, std::size_t end);

/// What the names stand for.
std::vector<Metric> metrics_of(const std::vector<std::string>& names);
/// All metrics that are computed from predictions of this task; families with K = 1, 2, 3 and 50.
std::vector<std::string> names_for(Task task);

/// The values of these metrics over one batch; the test rows stand for the training part, too.
std::map<std::string, double> evaluate(const Case& problem, const Predictions& predictions,
                                       const std::vector<std::string>& names);

/// Some random problem with many ties, empty and full rows, and scores of 0 and below.
Case random_case(Task task, const Stream& stream);

}  // namespace coppice::testing
