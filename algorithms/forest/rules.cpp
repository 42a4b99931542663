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
  std::string categories;  ///< the categories that are possible, in words
  bool or_missing = false;
  std::optional<float> above;
  std::optional<float> up_to;
};

/// The features with the largest positive numbers.
std::string ranking_text(const std::vector<double>& numbers, double unit, const ModelSchema& schema) {
  std::vector<std::size_t> order(numbers.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return numbers[a] > numbers[b]; });
  std::string text;
  for (std::size_t i = 0; i < std::min(order.size(), most_features); ++i) {
    if (numbers[order[i]] <= 0.0) break;
    text += fmt::format("  {:<24} {:.4f}\n", schema.features[order[i]], numbers[order[i]] / unit);
  }
  return text;
}

std::string importance_text(const ForestParts& forest, const ModelSchema& schema) {
  const double total = std::accumulate(forest.importances.begin(), forest.importances.end(), 0.0);
  if (total <= 0.0) return "No feature was used.\n";
  std::string text = "Importance (share of the decrease of impurity):\n";
  text += ranking_text(forest.importances, total, schema);
  if (forest.permutation.empty()) return text;
  text += "Importance (increase of the squared error on unseen rows when the feature is shuffled):\n";
  return text + ranking_text(forest.permutation, 1.0, schema);
}

std::string conditions_text(const std::vector<Interval>& path, const ModelSchema& schema) {
  std::vector<std::string> parts;
  for (const Interval& interval : path) {
    const std::string& name = schema.features[static_cast<std::size_t>(interval.feature)];
    const char* missing = interval.or_missing ? " or missing" : "";
    if (!interval.categories.empty())
      parts.push_back(fmt::format("{} in {{{}}}{}", name, interval.categories, missing));
    if (interval.above) parts.push_back(fmt::format("{} > {}{}", name, *interval.above, missing));
    if (interval.up_to) parts.push_back(fmt::format("{} <= {}{}", name, *interval.up_to, missing));
  }
  return parts.empty() ? "Always" : fmt::format("If {}", fmt::join(parts, " and "));
}

/// The categories that a node sends to a side.
std::string category_text(const ForestParts& forest, const TreeSet::Node& node, bool left) {
  const auto& names = forest.categories.names(static_cast<std::uint32_t>(node.feature));
  std::vector<std::string> there;
  for (std::uint32_t category = 0; category < names.size(); ++category)
    if (forest.trees.left_category(0, node, category) == left) there.push_back(names[category]);
  return fmt::format("{}", fmt::join(there, ", "));
}

/// The path with one more condition, merged with what it already says about a numeric feature.
std::vector<Interval> extended(const ForestParts& forest, std::vector<Interval> path,
                               const TreeSet::Node& node, bool left) {
  auto found = path.end();
  if (!node.categorical)
    found =
        std::find_if(path.begin(), path.end(), [&](const Interval& i) { return i.feature == node.feature; });
  if (found == path.end()) {
    path.push_back({node.feature, {}, false, {}, {}});
    found = path.end() - 1;
  }
  found->or_missing = forest.missing && node.missing_left == left;
  if (node.categorical)
    found->categories = category_text(forest, node, left);
  else
    (left ? found->up_to : found->above) = node.threshold;
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
    const TreeSet::Node node = forest.trees.node(0, at.node);
    if (node.feature >= 0) {
      open.push_back({node.next, extended(forest, at.path, node, false)});
      open.push_back({at.node + 1, extended(forest, at.path, node, true)});
      continue;
    }
    if (written == most_rules) {
      text += fmt::format("  … {} more\n", forest.trees.leaves(0) - written);
      break;
    }
    ++written;
    text += fmt::format("  {}. {}, then {}\n", written, conditions_text(at.path, schema),
                        outcome_text(forest, schema, node.next));
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
