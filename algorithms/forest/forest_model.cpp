#include "algorithms/forest/forest_model.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <memory>
#include <optional>

#include <fmt/format.h>

#include "algorithms/forest/rules.h"
#include "algorithms/input_checks.h"
#include "core/base/arena.h"
#include "core/base/error.h"
#include "core/tree/apply.h"
#include "core/tree/row_blocks.h"

namespace coppice {

namespace {

/// Label tasks with up to this many labels have dense scores.
constexpr std::size_t most_dense_labels = 128;

/// The most rows that walk down so many trees at once: the leaves of all are kept.
std::size_t most_walking(std::size_t trees) {
  constexpr std::size_t most_leaves = std::size_t{1} << 20;
  constexpr std::size_t fewest = 64;
  constexpr std::size_t most = 8192;
  return std::clamp(most_leaves / std::max<std::size_t>(1, trees), fewest, most);
}

/// The most rows to which what trees say is added tree by tree: so many that it is fetched for many rows at
/// once, and so few that their sums stay in a cache, or their counts, of a byte each, in the nearest one.
std::size_t most_adding(std::size_t outputs, bool counted) {
  constexpr std::size_t most_counts = std::size_t{1} << 15;
  constexpr std::size_t most_sums = std::size_t{1} << 17;
  return counted ? most_counts / LabelBytes::stride(outputs + 1) : most_sums / (outputs + 1);
}

struct OwnedValues {
  std::vector<std::uint64_t> begin{0};
  std::vector<double> values;
};

}  // namespace

LeafValues::LeafValues(const std::vector<std::vector<double>>& trees) {
  const auto owned = std::make_shared<OwnedValues>();
  for (const auto& values : trees) {
    owned->values.insert(owned->values.end(), values.begin(), values.end());
    owned->begin.push_back(owned->values.size());
  }
  begin_ = owned->begin;
  values_ = owned->values;
  owner_ = owned;
}

void LeafValues::save(ModelWriter& writer) const {
  writer.put("value_begin", begin_);
  writer.put("leaf_values", values_);
}

LeafValues LeafValues::load(const std::shared_ptr<const ModelReader>& reader, const TreeSet& trees) {
  LeafValues loaded;
  loaded.owner_ = reader;
  loaded.begin_ = reader->array<std::uint64_t>("value_begin");
  loaded.values_ = reader->array<double>("leaf_values");
  if (loaded.begin_.size() != trees.trees() + 1 || loaded.begin_.front() != 0 ||
      loaded.begin_.back() != loaded.values_.size())
    reader->fail("has leaf values that belong to no tree");
  for (std::size_t t = 0; t < trees.trees(); ++t)
    if (loaded.begin_[t] + trees.leaves(t) != loaded.begin_[t + 1])
      reader->fail(fmt::format("has a tree {} with more leaves than values", t));
  return loaded;
}

bool ForestModel::dense_scores() const {
  return !has_labels(parts_.task) || parts_.outputs <= most_dense_labels;
}

Predictions ForestModel::predict(const DatasetView& rows, const Context& context) const {
  return add_trees(rows, nullptr, 0, stages(), true, context).means(static_cast<double>(stages()));
}

const LeafMeans* ForestModel::leaf_means(const Context& context) const {
  std::call_once(means_made_, [&] {
    if (!parts_.separate && !has_labels(parts_.task) &&
        LeafMeans::suit(parts_.trees, parts_.leaf_rows, parts_.outputs))
      means_ = std::make_unique<const LeafMeans>(parts_.trees, parts_.leaf_rows, parts_.outputs, context);
  });
  return means_.get();
}

const LargeLeaves& ForestModel::large_leaves(const Context& context) const {
  std::call_once(large_made_, [&] {
    large_ = std::make_unique<const LargeLeaves>(parts_.trees, parts_.leaf_rows, parts_.outputs, context);
  });
  return *large_;
}

void ForestModel::predict_staged(const DatasetView& rows, std::span<const double> wanted, const Emit& emit,
                                 const Context& context) const {
  ForestSums sums;
  std::size_t done = 0;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    if (wanted[i] < 1.0 || wanted[i] > static_cast<double>(stages()))
      throw Error(ErrorKind::fit,
                  fmt::format("a forest of {} trees cannot answer for {}", stages(), wanted[i]));
    const auto stage = static_cast<std::size_t>(wanted[i]);
    if (stage > done) sums = add_trees(rows, done == 0 ? nullptr : &sums, done, stage, false, context);
    done = stage;
    emit(i, sums.means(static_cast<double>(stage)));
  }
}

void ForestModel::check_inputs(const DatasetView& rows) const {
  if (rows.dataset().feature_count() != parts_.features)
    throw Error(ErrorKind::fit,
                fmt::format("dataset '{}' has {} features, the forest was fitted on {}",
                            rows.dataset().name(), rows.dataset().feature_count(), parts_.features));
  if (!parts_.missing) require_no_missing(rows, "a forest without 'missing: learn'");
}

std::vector<std::uint32_t> ForestModel::leaves_of(const DatasetView& rows, std::size_t first,
                                                  std::size_t last, const Context& context) const {
  check_inputs(rows);
  return apply_trees(parts_.trees, first, last, rows, context, parts_.categories);
}

void ForestModel::add_leaf(ScoreBlock& scores, std::size_t row, std::size_t tree, std::uint32_t leaf) const {
  if (parts_.separate)
    scores.add(row, static_cast<std::uint32_t>(tree % parts_.outputs), parts_.leaf_values.value(tree, leaf));
  else if (has_labels(parts_.task))
    scores.add_labels(row, parts_.leaf_rows, parts_.leaf_rows.rows(tree, leaf));
  else
    scores.add_values(row, parts_.leaf_rows, parts_.leaf_rows.rows(tree, leaf));
}

void ForestModel::add_leaves(ScoreBlock& scores, std::size_t first, const LeavesOfTrees& leaves,
                             const LeafMeans* means) const {
  if (!parts_.separate && !has_labels(parts_.task)) {
    scores.add_values(parts_.leaf_rows, means, first, leaves);
    return;
  }
  for (std::size_t t = 0; t < leaves.size(); ++t) {
    if (parts_.separate)
      for (std::size_t i = 0; i < leaves[t].size(); ++i) add_leaf(scores, i, first + t, leaves[t][i]);
    else
      scores.add_labels(parts_.leaf_rows, first + t, leaves[t]);
  }
}

RowOrder ForestModel::order_rows(const RowBlocks& blocks, std::size_t rows, std::size_t first,
                                 std::size_t last, const Context& context) const {
  // To walk down one tree more has to pay.
  constexpr std::size_t fewest_rows = 256;
  constexpr std::size_t fewest_trees = 16;
  if (blocks.in_bundles() || rows < fewest_rows || last - first < fewest_trees) return {};
  std::vector<std::uint32_t> leaves(rows);
  if (blocks.in_words())
    blocks.visit_rows(context, [&](std::size_t row, const float* inputs) {
      leaves[row] = parts_.trees.leaf(first, inputs);
    });
  else
    blocks.visit(context, [&](std::size_t /*number*/, const RowBlock& block) {
      parts_.trees.leaves_of(first, first + 1, block, leaves.data() + block.first());
    });
  return {leaves, parts_.trees.leaves(first), static_cast<std::size_t>(arena_threads())};
}

ForestSums ForestModel::add_trees(const DatasetView& rows, const ForestSums* before, std::size_t first,
                                  std::size_t last, bool no_more, const Context& context) const {
  check_inputs(rows);
  const std::size_t first_tree = first * trees_per_stage();
  const std::size_t last_tree = last * trees_per_stage();
  const bool counted = !parts_.separate && has_labels(parts_.task) && ScoreBlock::scans(parts_.outputs);
  // Whether it is worth making what makes predicting faster.
  const bool many = counted && rows.size() * (last_tree - first_tree) >= parts_.leaf_rows.train_rows();
  const LabelBytes bytes =
      many && dense_scores() ? LabelBytes(parts_.leaf_rows, parts_.outputs) : LabelBytes();
  const LargeLeaves* const large = many ? &large_leaves(context) : nullptr;
  const LeafMeans* const means = leaf_means(context);
  const std::size_t most_rows = most_walking(last_tree - first_tree);
  const auto blocks_of = [&](const DatasetView& view) {
    return RowBlocks(view, parts_.categories.translations(view.dataset().features()), most_rows,
                     parts_.trees.forms());
  };
  const RowOrder order = order_rows(blocks_of(rows), rows.size(), first_tree, last_tree, context);
  const DatasetView ordered = order.of(rows);
  const RowBlocks blocks = blocks_of(ordered);
  const std::size_t most_of_run = std::min(most_rows, most_adding(parts_.outputs, counted));
  ForestSums result(rows.size(), parts_.outputs, dense_scores(), counted,
                    no_more ? std::optional(static_cast<double>(last)) : std::nullopt);
  std::vector<std::vector<ForestSums::Block>> found(blocks.run_count(most_of_run));
  blocks.visit_runs(context, most_of_run, [&](std::size_t number, const RowBlocks::Run& run) {
    // All rows of a run first: what the leaves of a tree say is then fetched once for all of them.
    const std::size_t trees = last_tree - first_tree;
    const auto leaves = std::make_unique_for_overwrite<std::uint32_t[]>(run.rows() * trees);
    run.visit([&](const RowBlock& block) {
      parts_.trees.leaves_of(first_tree, last_tree, block, leaves.get() + (block.first() - run.first()),
                             run.rows());
    });
    const std::size_t together = ScoreBlock::most_rows(parts_.outputs);
    for (std::size_t begin = 0; begin < run.rows(); begin += together) {
      const std::size_t count = std::min(together, run.rows() - begin);
      LeavesOfTrees of_trees(trees);
      for (std::size_t t = 0; t < trees; ++t)
        of_trees[t] = std::span<const std::uint32_t>(leaves.get() + t * run.rows() + begin, count);
      ScoreBlock scores(count, parts_.outputs);
      std::optional<LabelCounts> counts;
      if (counted) counts.emplace(count, parts_.outputs, bytes);
      LabelCounts* const counting = counted ? &*counts : nullptr;
      if (before != nullptr) before->start(run.first() + begin, count, order, scores, counting);
      if (!counted) add_leaves(scores, first_tree, of_trees, means);
      for (std::size_t t = 0; counted && t < trees; ++t) {
        counts->add(parts_.leaf_rows, first_tree + t, of_trees[t],
                    [&](std::size_t row, std::uint32_t leaf) { scores.note(row, leaf); });
        scores.add_noted_labels(parts_.leaf_rows, first_tree + t, large);
      }
      found[number].push_back(result.take(run.first() + begin, count, order, scores, counting));
    }
  });
  std::vector<ForestSums::Block> in_order;
  for (auto& of_walk : found) std::ranges::move(of_walk, std::back_inserter(in_order));
  result.put_together(std::move(in_order), order);
  return result;
}

std::map<std::string, double> ForestModel::facts() const {
  return facts_at(static_cast<double>(stages()));
}

std::map<std::string, double> ForestModel::facts_at(double stage) const {
  const std::size_t last =
      std::min(parts_.trees.trees(), static_cast<std::size_t>(stage) * trees_per_stage());
  double nodes = 0;
  double leaves = 0;
  double depth = 0;
  for (std::size_t t = 0; t < last; ++t) {
    nodes += static_cast<double>(parts_.trees.nodes(t));
    leaves += static_cast<double>(parts_.trees.leaves(t));
    depth = std::max(depth, static_cast<double>(parts_.trees.depth(t)));
  }
  std::map<std::string, double> facts{{"nodes", nodes}, {"leaves", leaves}, {"depth", depth}};
  if (static_cast<std::size_t>(stage) == stages())
    for (const auto& [metric, score] : parts_.out_of_bag) facts["oob-" + metric] = score;
  return facts;
}

void ForestModel::save(ModelWriter& writer) const {
  writer.facts()["task"] = task_name(parts_.task);
  writer.facts()["features"] = parts_.features;
  writer.facts()["outputs"] = parts_.outputs;
  writer.facts()["separate"] = parts_.separate;
  parts_.trees.save(writer);
  if (parts_.separate)
    parts_.leaf_values.save(writer);
  else
    parts_.leaf_rows.save(writer);
  writer.put("importances", parts_.importances);
  writer.facts()["missing"] = parts_.missing;
  parts_.categories.save(writer);
  if (!parts_.out_of_bag.empty()) writer.facts()["out_of_bag"] = parts_.out_of_bag;
  if (!parts_.permutation.empty()) writer.put("permutation", parts_.permutation);
}

std::unique_ptr<ForestModel> ForestModel::load(const std::shared_ptr<const ModelReader>& reader) {
  ForestParts parts;
  try {
    const nlohmann::json& facts = reader->facts();
    parts.task = reader->task();
    parts.features = facts.at("features");
    parts.outputs = facts.at("outputs");
    parts.separate = facts.at("separate");
    parts.missing = facts.at("missing");
    if (facts.contains("out_of_bag")) parts.out_of_bag = facts.at("out_of_bag");
  } catch (const nlohmann::json::exception& problem) {
    reader->fail(fmt::format("lacks facts about its forest: {}", problem.what()));
  }
  if (parts.outputs == 0) reader->fail("has no outputs");
  parts.trees = TreeSet::load(reader, parts.features);
  if (parts.separate) {
    parts.leaf_values = LeafValues::load(reader, parts.trees);
    if (parts.trees.trees() % parts.outputs != 0)
      reader->fail("has more trees for some outputs than for others");
  } else {
    std::vector<std::size_t> leaves(parts.trees.trees());
    for (std::size_t t = 0; t < leaves.size(); ++t) leaves[t] = parts.trees.leaves(t);
    parts.leaf_rows = LeafRows::load(reader, leaves, has_labels(parts.task), parts.outputs);
  }
  parts.importances = reader->vector<double>("importances");
  if (reader->has("permutation")) parts.permutation = reader->vector<double>("permutation");
  if (parts.importances.size() != parts.features ||
      (!parts.permutation.empty() && parts.permutation.size() != parts.features))
    reader->fail("has importances of other features");
  parts.categories = CategoryCodes::load(*reader);
  return std::make_unique<ForestModel>(std::move(parts));
}

std::string ForestModel::describe(const ModelSchema& schema) const {
  return describe_forest(parts_, schema);
}

}  // namespace coppice
