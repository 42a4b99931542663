#include "tests/core/metrics/cases.h"

#include <algorithm>

namespace coppice::testing {

bool Case::is_true(std::size_t row, std::size_t label) const {
  return std::ranges::find(labels[row], label) != labels[row].end();
}

DatasetView Case::view() const {
  Features features(rows());
  if (task == Task::regression) {
    std::vector<double> values;
    for (const auto& row : targets) values.insert(values.end(), row.begin(), row.end());
    return DatasetView(std::make_shared<Dataset>("case", features, RealTargets(outputs, values)));
  }
  LabelSets sets(static_cast<std::uint32_t>(outputs));
  for (const auto& row : labels) sets.add_row(row);
  return DatasetView(std::make_shared<Dataset>("case", task, features, sets));
}

Predictions Case::dense() const {
  Predictions predictions = Predictions::make_dense(rows(), outputs);
  for (std::size_t i = 0; i < rows(); ++i)
    std::copy(scores[i].begin(), scores[i].end(), predictions.dense_row(i).begin());
  return predictions;
}

Predictions Case::sparse(std::size_t keep) const {
  Predictions predictions = Predictions::make_sparse(outputs);
  std::size_t zeros = 0;
  for (const auto& row : scores) {
    std::vector<std::uint32_t> listed;
    std::vector<double> values;
    for (std::size_t j = 0; j < outputs; ++j) {
      if (row[j] == 0.0 && ++zeros % keep != 0) continue;
      listed.push_back(static_cast<std::uint32_t>(j));
      values.push_back(row[j]);
    }
    predictions.add_row(listed, values);
  }
  return predictions;
}

Case part_of(const Case& whole, std::size_t begin, std::size_t end) {
  const auto cut = [&](auto& to, const auto& from) {
    if (from.empty()) return;
    to.assign(from.begin() + static_cast<std::ptrdiff_t>(begin),
              from.begin() + static_cast<std::ptrdiff_t>(end));
  };
  Case part;
  part.task = whole.task;
  part.outputs = whole.outputs;
  cut(part.labels, whole.labels);
  cut(part.targets, whole.targets);
  cut(part.scores, whole.scores);
  return part;
}

std::vector<Metric> metrics_of(const std::vector<std::string>& names) {
  std::vector<Metric> metrics;
  for (const std::string& name : names) metrics.push_back(parse_metric(name));
  return metrics;
}

std::vector<std::string> names_for(Task task) {
  std::vector<std::string> names;
  for (const MetricDescription& description : metric_descriptions()) {
    if (!description.from_predictions() ||
        std::ranges::find(description.tasks, task) == description.tasks.end())
      continue;
    const std::size_t at = description.name.find("@K");
    if (at == std::string::npos) {
      names.push_back(description.name);
    } else {
      for (const char* k : {"1", "2", "3", "50"}) names.push_back(description.name.substr(0, at + 1) + k);
    }
  }
  return names;
}

std::map<std::string, double> evaluate(const Case& problem, const Predictions& predictions,
                                       const std::vector<std::string>& names) {
  const DatasetView view = problem.view();
  Scorer scorer(metrics_of(names), ScoringContext::of(view));
  scorer.add(view, predictions);
  return scorer.values();
}

Case random_case(Task task, const Stream& stream) {
  Stream random = stream;
  Case problem;
  problem.task = task;
  problem.outputs = 1 + random.below(9);
  const std::size_t rows = 2 + random.below(12);
  const double density = random.uniform();
  const std::uint64_t levels = 1 + random.below(8);
  for (std::size_t i = 0; i < rows; ++i) {
    std::vector<double> scores(problem.outputs);
    std::vector<double> targets(problem.outputs);
    std::vector<std::uint32_t> labels;
    for (std::size_t j = 0; j < problem.outputs; ++j) {
      scores[j] = (static_cast<double>(random.below(2 * levels + 1)) - static_cast<double>(levels) / 2) /
                  static_cast<double>(levels);
      if (random.below(3) == 0) scores[j] = 0.0;
      targets[j] = random.normal();
      if (random.uniform() < density) labels.push_back(static_cast<std::uint32_t>(j));
    }
    if (task == Task::multiclass) labels = {static_cast<std::uint32_t>(random.below(problem.outputs))};
    if (task == Task::regression) {
      problem.targets.push_back(targets);
    } else {
      problem.labels.push_back(labels);
    }
    problem.scores.push_back(scores);
  }
  return problem;
}

}  // namespace coppice::testing
