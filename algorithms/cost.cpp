#include <algorithm>

#include "algorithms/algorithm.h"
#include "core/base/portable_math.h"

namespace coppice {

namespace {

/// A number that may be absent, `none` or a word.
double number_or(const Parameters& parameters, const std::string& name, double fallback) {
  const auto found = parameters.values().find(name);
  if (found == parameters.values().end()) return fallback;
  if (const auto* whole = std::get_if<std::int64_t>(&found->second)) return static_cast<double>(*whole);
  if (const auto* real = std::get_if<double>(&found->second)) return *real;
  return fallback;
}

bool is_separate(const Parameters& parameters) {
  const auto found = parameters.values().find("outputs");
  const auto* word = found == parameters.values().end() ? nullptr : std::get_if<std::string>(&found->second);
  return word != nullptr && *word == "separate";
}

}  // namespace

ProblemSize ProblemSize::of(const DatasetView& rows) {
  const Dataset& data = rows.dataset();
  ProblemSize size;
  size.rows = static_cast<double>(rows.size());
  size.features = static_cast<double>(data.feature_count());
  size.outputs = static_cast<double>(data.output_count());
  const double share = data.rows() == 0 ? 0.0 : size.rows / static_cast<double>(data.rows());
  size.values = share * static_cast<double>(data.features().stored_values());
  size.labels =
      has_labels(data.task()) ? share * static_cast<double>(data.labels().total()) : size.rows * size.outputs;
  return size;
}

FitCost Algorithm::cost(const Parameters& parameters, const ProblemSize& size) const {
  const double rows = std::max(1.0, size.rows);
  const ParameterSpec* staged = description().staged();
  const double stages = staged == nullptr ? 1.0 : number_or(parameters, staged->name, 1.0);
  double leaves = std::min(rows, number_or(parameters, "max_leaves", rows));
  leaves = std::max(2.0, leaves / number_or(parameters, "min_samples_leaf", 1.0));
  const double deepest = number_or(parameters, "max_depth", 60.0);
  const double depth = std::min(deepest, portable_log(leaves) / portable_log(2.0) + 1.0);
  if (deepest < 60.0) leaves = std::min(leaves, portable_pow(2.0, deepest));
  const double trees = stages * (is_separate(parameters) ? size.outputs : 1.0);
  const double considered =
      std::clamp(number_or(parameters, "features", size.features) / std::max(1.0, size.features), 0.0, 1.0);
  // Every level looks at the candidate columns and moves every row with its labels.
  FitCost cost;
  cost.work = trees * depth * (considered * size.values + rows + size.labels);
  // Codes and orders of the inputs, nodes, and the rows of the leaves.
  constexpr double bytes_of_value = 8.0;
  constexpr double bytes_of_leaf = 64.0;
  constexpr double bytes_of_row = 8.0;
  constexpr double most_batch_rows = 4096.0;
  cost.bytes = bytes_of_value * size.values + trees * (bytes_of_leaf * leaves + bytes_of_row * rows) +
               16.0 * size.labels + 8.0 * most_batch_rows * size.outputs;
  return cost;
}

}  // namespace coppice
