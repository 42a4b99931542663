#include "algorithms/cost.h"

#include <algorithm>

#include "core/base/portable_math.h"

namespace coppice {

double number_or(const Parameters& parameters, const std::string& name, double fallback) {
  const auto found = parameters.values().find(name);
  if (found == parameters.values().end()) return fallback;
  if (const auto* whole = std::get_if<std::int64_t>(&found->second)) return static_cast<double>(*whole);
  if (const auto* real = std::get_if<double>(&found->second)) return *real;
  return fallback;
}

bool is_word(const Parameters& parameters, const std::string& name, const std::string& word) {
  const auto found = parameters.values().find(name);
  const auto* value = found == parameters.values().end() ? nullptr : std::get_if<std::string>(&found->second);
  return value != nullptr && *value == word;
}

TreeShape TreeShape::of(const Parameters& parameters, const ProblemSize& size, double different) {
  constexpr double deepest_known = 60.0;
  TreeShape shape;
  const double in_leaf = std::max({number_or(parameters, "min_samples_leaf", 1.0),
                                   number_or(parameters, "min_samples_split", 2.0) / 2.0,
                                   number_or(parameters, "leaf_size", 2.0) / 2.0});
  shape.leaves = std::min(different, number_or(parameters, "max_leaves", different));
  shape.leaves = std::max(2.0, std::min(shape.leaves, std::max(1.0, size.rows) / in_leaf));
  const double deepest = number_or(parameters, "max_depth", deepest_known);
  if (deepest < deepest_known) shape.leaves = std::min(shape.leaves, portable_pow(2.0, deepest));
  shape.levels = std::min(deepest, portable_log(shape.leaves) / portable_log(2.0) + 1.0);
  shape.considered =
      std::clamp(number_or(parameters, "features", size.features) / std::max(1.0, size.features), 0.0, 1.0);
  return shape;
}

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
  const bool separate = is_word(parameters, "outputs", "separate");
  // A tree of one label has leaves around the rows that have it.
  const double different =
      separate ? std::min(rows, 2.0 * size.labels / std::max(1.0, size.outputs) + 1.0) : rows;
  const TreeShape shape = TreeShape::of(parameters, size, different);
  const double trees = stages * (separate ? size.outputs : 1.0);
  // Every level looks at the candidate columns and moves every row with its labels.
  FitCost cost;
  cost.work = trees * shape.levels * (shape.considered * size.values + rows + size.labels);
  // Codes and orders of the inputs, nodes, and the rows of the leaves, which trees of one output do not keep.
  constexpr double bytes_of_value = 8.0;
  constexpr double bytes_of_leaf = 64.0;
  const double bytes_of_row = separate ? 0.0 : 8.0;
  constexpr double most_batch_rows = 4096.0;
  cost.bytes = bytes_of_value * size.values +
               trees * (bytes_of_tree + bytes_of_leaf * shape.leaves + bytes_of_row * rows) +
               16.0 * size.labels + 8.0 * most_batch_rows * size.outputs;
  return cost;
}

}  // namespace coppice
