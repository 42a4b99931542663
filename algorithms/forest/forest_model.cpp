#include "algorithms/forest/forest_model.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "algorithms/forest/rules.h"
#include "algorithms/input_checks.h"
#include "core/base/error.h"
#include "core/tree/apply.h"
#include "core/tree/row_blocks.h"

namespace coppice {

namespace {

/// Label tasks with up to this many labels have dense scores.
constexpr std::size_t most_dense_labels = 128;

struct OwnedValues {
  std::vector<std::uint64_t> begin{0};
  std::vector<double> values;
};

/// The scores of a block of rows, to be put in order when all blocks are done.
struct BlockScores {
  std::vector<std::size_t> ends;
  std::vector<std::uint32_t> labels;
  std::vector<double> scores;

  void append(ScoreBlock& block, std::size_t row) {
    block.list(row, labels, scores);
    ends.push_back(labels.size());
  }
  void move_to(Predictions& result) const {
    std::size_t begin = 0;
    for (const std::size_t end : ends) {
      result.add_row(std::span(labels).subspan(begin, end - begin),
                     std::span(scores).subspan(begin, end - begin));
      begin = end;
    }
  }
};

/// Puts the sums of the rows of a block into its scores.
void start_from(const Predictions& sums, const RowBlock& block, ScoreBlock& scores) {
  for (std::size_t i = 0; i < block.rows(); ++i) {
    const std::size_t row = block.first() + i;
    if (sums.is_dense()) {
      for (std::uint32_t j = 0; j < sums.outputs(); ++j) scores.add(i, j, sums.dense_row(row)[j]);
      continue;
    }
    for (std::size_t e = 0; e < sums.labels(row).size(); ++e)
      scores.add(i, sums.labels(row)[e], sums.scores(row)[e]);
  }
}

/// The mean of each score over `trees` trees.
Predictions divide(const Predictions& sums, double trees) {
  if (sums.is_dense()) {
    Predictions means = Predictions::make_dense(sums.rows(), sums.outputs());
    for (std::size_t row = 0; row < sums.rows(); ++row)
      for (std::size_t j = 0; j < sums.outputs(); ++j)
        means.dense_row(row)[j] = sums.dense_row(row)[j] / trees;
    return means;
  }
  Predictions means = Predictions::make_sparse(sums.outputs());
  std::vector<double> scores;
  for (std::size_t row = 0; row < sums.rows(); ++row) {
    scores.assign(sums.scores(row).begin(), sums.scores(row).end());
    for (double& score : scores) score /= trees;
    means.add_row(sums.labels(row), scores);
  }
  return means;
}

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
  return divide(add_stages(rows, nullptr, 0, stages(), context), static_cast<double>(stages()));
}

bool ForestModel::keeps_means(std::size_t rows) const {
  // Leaves are met about `rows` times in each tree, and have so many rows to add up each time.
  if (parts_.separate || !dense_scores()) return false;
  const auto leaves = static_cast<double>(parts_.trees.leaves(0));
  return static_cast<double>(rows) > 1.5 * leaves &&
         static_cast<double>(parts_.leaf_rows.train_rows()) > 1.5 * leaves;
}

Predictions ForestModel::add_stages(const DatasetView& rows, const Predictions* sums, std::size_t first,
                                    std::size_t last, const Context& context) const {
  if (!keeps_means(rows.size())) return add_trees(rows, sums, first, last, context);
  constexpr std::size_t most_means = std::size_t{1} << 21;
  Predictions so_far;
  while (first < last) {
    std::size_t end = first;
    for (std::size_t means = 0; end < last && (end == first || means < most_means); ++end)
      means += parts_.trees.leaves(end) * parts_.outputs;
    so_far = add_trees(rows, sums, first, end, context);
    sums = &so_far;
    first = end;
  }
  return so_far;
}

ForestModel::LeafMeans ForestModel::leaf_means(std::size_t first, std::size_t last,
                                               const Context& context) const {
  LeafMeans means;
  means.begin.push_back(0);
  for (std::size_t tree = first; tree < last; ++tree)
    means.begin.push_back(means.begin.back() + parts_.trees.leaves(tree) * parts_.outputs);
  means.values.resize(means.begin.back());
  parallel_for(context, last - first, [&](std::size_t t) {
    ScoreBlock scores(1, parts_.outputs);
    for (std::uint32_t leaf = 0; leaf < parts_.trees.leaves(first + t); ++leaf) {
      scores.clear();
      add_leaf(scores, 0, first + t, leaf);
      std::ranges::copy(scores.sums(0), means.values.begin() + static_cast<std::ptrdiff_t>(
                                                                   means.begin[t] + leaf * parts_.outputs));
    }
  });
  return means;
}

void ForestModel::predict_staged(const DatasetView& rows, std::span<const double> wanted, const Emit& emit,
                                 const Context& context) const {
  Predictions sums;
  std::size_t done = 0;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    if (wanted[i] < 1.0 || wanted[i] > static_cast<double>(stages()))
      throw Error(ErrorKind::fit,
                  fmt::format("a forest of {} trees cannot answer for {}", stages(), wanted[i]));
    const auto stage = static_cast<std::size_t>(wanted[i]);
    if (stage > done) sums = add_stages(rows, done == 0 ? nullptr : &sums, done, stage, context);
    done = stage;
    emit(i, divide(sums, static_cast<double>(stage)));
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

void ForestModel::add_leaves(ScoreBlock& scores, std::size_t tree,
                             std::span<const std::uint32_t> leaves) const {
  if (parts_.separate) {
    for (std::size_t i = 0; i < leaves.size(); ++i) add_leaf(scores, i, tree, leaves[i]);
  } else if (has_labels(parts_.task)) {
    scores.add_labels(parts_.leaf_rows, tree, leaves);
  } else {
    scores.add_values(parts_.leaf_rows, tree, leaves);
  }
}

Predictions ForestModel::add_trees(const DatasetView& rows, const Predictions* sums, std::size_t first,
                                   std::size_t last, const Context& context) const {
  check_inputs(rows);
  const std::size_t first_tree = first * trees_per_stage();
  const std::size_t last_tree = last * trees_per_stage();
  const bool dense = dense_scores();
  const RowBlocks blocks(rows, parts_.categories.translations(rows.dataset().features()),
                         ScoreBlock::most_rows(parts_.outputs));
  Predictions result =
      dense ? Predictions::make_dense(rows.size(), parts_.outputs) : Predictions::make_sparse(parts_.outputs);
  std::vector<BlockScores> found(dense ? 0 : blocks.count());
  LeafMeans means;
  if (keeps_means(rows.size())) means = leaf_means(first_tree, last_tree, context);
  blocks.visit(context, [&](std::size_t number, const RowBlock& block) {
    ScoreBlock scores(block.rows(), parts_.outputs);
    if (sums != nullptr) start_from(*sums, block, scores);
    std::vector<std::uint32_t> leaves(block.rows());
    for (std::size_t tree = first_tree; tree < last_tree; ++tree) {
      parts_.trees.leaves_of(tree, block, leaves.data());
      if (means.begin.empty()) {
        add_leaves(scores, tree, leaves);
        continue;
      }
      const double* of_tree = means.values.data() + means.begin[tree - first_tree];
      for (std::size_t i = 0; i < block.rows(); ++i) scores.add_all(i, of_tree + leaves[i] * parts_.outputs);
    }
    for (std::size_t i = 0; i < block.rows(); ++i) {
      if (dense)
        std::ranges::copy(scores.sums(i), result.dense_row(block.first() + i).begin());
      else
        found[number].append(scores, i);
    }
  });
  for (const BlockScores& block : found) block.move_to(result);
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
