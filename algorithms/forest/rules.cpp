#include "algorithms/forest/rules.h"

#include <algorithm>
#include <numeric>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "algorithms/forest/score_sums.h"

namespace coppice {

namespace {

constexpr std::size_t most_features = 20;
constexpr std::size_t most_rules = 50;
constexpr std::size_t most_outputs = 5;

/// What the conditions on the way to a leaf say about one feature.
struct Interval {
  std::int32_t feature = 0;
  std::optional<float> above;
  std::optional<float> up_to;
};

std::string importance_text(const ForestParts& forest, const ModelSchema& schema) {
  const double total = std::accumulate(forest.importances.begin(), forest.importances.end(), 0.0);
  if (total <= 0.0) return "No feature was used.\n";
  std::vector<std::size_t> order(forest.importances.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](auto a, auto b) { return forest.importances[a] > forest.importances[b]; });
  std::string text = "Importance (share of the decrease of impurity):\n";
  for (std::size_t i = 0; i < std::min(order.size(), most_features); ++i) {
    if (forest.importances[order[i]] <= 0.0) break;
    text += fmt::format("  {:<24} {:.4f}\n", schema.features[order[i]], forest.importances[order[i]] / total);
  }
  return text;
}

std::string conditions_text(const std::vector<Interval>& path, const ModelSchema& schema) {
  std::vector<std::string> parts;
  for (const Interval& interval : path) {
    const std::string& name = schema.features[static_cast<std::size_t>(interval.feature)];
    if (interval.above) parts.push_back(fmt::format("{} > {}", name, *interval.above));
    if (interval.up_to) parts.push_back(fmt::format("{} <= {}", name, *interval.up_to));
  }
  return parts.empty() ? "Always" : fmt::format("If {}", fmt::join(parts, " and "));
}

/// The path with one more condition, merged with what it already says about the feature.
std::vector<Interval> extended(std::vector<Interval> path, std::int32_t feature, float threshold, bool left) {
  auto found =
      std::find_if(path.begin(), path.end(), [&](const Interval& i) { return i.feature == feature; });
  if (found == path.end()) {
    path.push_back({feature, {}, {}});
    found = path.end() - 1;
  }
  (left ? found->up_to : found->above) = threshold;
  return path;
}

std::string outcome_text(const ForestParts& forest, const ModelSchema& schema, std::uint32_t leaf) {
  if (forest.separate)
    return fmt::format("{} = {:.4g}", schema.outputs[0], forest.leaf_values.value(0, leaf));
  ScoreSums sums(forest.outputs);
  const auto rows = forest.leaf_rows.rows(0, leaf);
  std::vector<std::uint32_t> outputs(forest.outputs);
  if (has_labels(forest.task)) {
    sums.add_mean_labels(forest.leaf_rows, rows);
    outputs.assign(sums.outputs().begin(), sums.outputs().end());
    std::stable_sort(outputs.begin(), outputs.end(),
                     [&](auto a, auto b) { return sums.sums()[a] > sums.sums()[b]; });
  } else {
    sums.add_mean_values(forest.leaf_rows, rows);
    std::iota(outputs.begin(), outputs.end(), 0U);
  }
  if (outputs.empty()) return "no label";
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < std::min(outputs.size(), most_outputs); ++i)
    parts.push_back(fmt::format("{} = {:.4g}", schema.outputs[outputs[i]], sums.sums()[outputs[i]]));
  if (outputs.size() > most_outputs) parts.push_back(fmt::format("{} more", outputs.size() - most_outputs));
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string rules_text(const ForestParts& forest, const ModelSchema& schema) {
  struct Open {
    std::uint32_t node;
    std::vector<Interval> path;
  };
  std::string text;
  std::vector<Open> open{{0, {}}};
  std::size_t written = 0;
  while (!open.empty()) {
    const Open at = std::move(open.back());
    open.pop_back();
    const auto [feature, threshold, next, categorical, missing_left] = forest.trees.node(0, at.node);
    if (feature >= 0) {
      open.push_back({next, extended(at.path, feature, threshold, false)});
      open.push_back({at.node + 1, extended(at.path, feature, threshold, true)});
      continue;
    }
    if (written == most_rules) {
      text += fmt::format("  … {} more\n", forest.trees.leaves(0) - written);
      break;
    }
    ++written;
    text += fmt::format("  {}. {}, then {}\n", written, conditions_text(at.path, schema),
                        outcome_text(forest, schema, next));
  }
  return text;
}

}  // namespace

std::string describe_forest(const ForestParts& forest, const ModelSchema& schema) {
  const std::size_t trees = forest.trees.trees();
  std::string text = importance_text(forest, schema);
  text += trees == 1 ? "Rules:\n" : fmt::format("Rules of the first of {} trees:\n", trees);
  return text + rules_text(forest, schema);
}

}  // namespace coppice
