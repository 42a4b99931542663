#include "algorithms/forest/forest_model.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "algorithms/forest/rules.h"
#include "algorithms/forest/score_sums.h"
#include "algorithms/input_checks.h"
#include "core/base/error.h"
#include "core/tree/row_blocks.h"

namespace coppice {

namespace {

/// Label tasks with up to this many labels have dense scores.
constexpr std::size_t most_dense_labels = 64;

struct OwnedValues {
  std::vector<std::uint64_t> begin{0};
  std::vector<double> values;
};

/// The scores of a block of rows, to be put in order when all blocks are done.
struct BlockScores {
  std::vector<std::uint32_t> counts;
  std::vector<std::uint32_t> labels;
  std::vector<double> scores;
};

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
  return divide(add_trees(rows, nullptr, 0, stages(), context), static_cast<double>(stages()));
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
    if (stage > done) sums = add_trees(rows, done == 0 ? nullptr : &sums, done, stage, context);
    done = stage;
    emit(i, divide(sums, static_cast<double>(stage)));
  }
}

Predictions ForestModel::add_trees(const DatasetView& rows, const Predictions* sums, std::size_t first,
                                   std::size_t last, const Context& context) const {
  if (rows.dataset().feature_count() != parts_.features)
    throw Error(ErrorKind::fit,
                fmt::format("dataset '{}' has {} features, the forest was fitted on {}",
                            rows.dataset().name(), rows.dataset().feature_count(), parts_.features));
  require_no_missing(rows, "a forest");
  const std::size_t first_tree = first * trees_per_stage();
  const std::size_t count = (last - first) * trees_per_stage();
  const bool dense = dense_scores();
  const RowBlocks blocks(rows);
  Predictions result =
      dense ? Predictions::make_dense(rows.size(), parts_.outputs) : Predictions::make_sparse(parts_.outputs);
  std::vector<BlockScores> found(dense ? 0 : blocks.count());
  blocks.visit(context, [&](std::size_t number, const RowBlock& block) {
    std::vector<std::uint32_t> leaves(block.rows() * count);
    for (std::size_t t = 0; t < count; ++t)
      for (std::size_t i = 0; i < block.rows(); ++i)
        leaves[i * count + t] = parts_.trees.leaf(first_tree + t, block[i]);
    ScoreSums scores(parts_.outputs);
    const std::vector<double> nothing(parts_.outputs, 0.0);
    for (std::size_t i = 0; i < block.rows(); ++i) {
      const std::size_t row = block.first() + i;
      scores.clear();
      if (dense)
        scores.start_from(sums != nullptr ? sums->dense_row(row) : nothing);
      else if (sums != nullptr)
        for (std::size_t e = 0; e < sums->labels(row).size(); ++e)
          scores.add(sums->labels(row)[e], sums->scores(row)[e]);
      for (std::size_t t = 0; t < count; ++t) {
        const std::size_t tree = first_tree + t;
        const std::uint32_t leaf = leaves[i * count + t];
        if (parts_.separate) {
          const double value = parts_.leaf_values.value(tree, leaf);
          if (dense || value != 0.0) scores.add(static_cast<std::uint32_t>(tree % parts_.outputs), value);
        } else if (has_labels(parts_.task)) {
          scores.add_mean_labels(parts_.leaf_rows, parts_.leaf_rows.rows(tree, leaf));
        } else {
          scores.add_mean_values(parts_.leaf_rows, parts_.leaf_rows.rows(tree, leaf));
        }
      }
      if (dense) {
        std::copy(scores.sums().begin(), scores.sums().end(), result.dense_row(row).begin());
        continue;
      }
      const auto values = scores.sums_of_outputs();
      const auto labels = scores.outputs();
      found[number].counts.push_back(static_cast<std::uint32_t>(labels.size()));
      found[number].labels.insert(found[number].labels.end(), labels.begin(), labels.end());
      found[number].scores.insert(found[number].scores.end(), values.begin(), values.end());
    }
  });
  for (const BlockScores& block : found) {
    std::size_t offset = 0;
    for (const std::uint32_t length : block.counts) {
      result.add_row(std::span(block.labels).subspan(offset, length),
                     std::span(block.scores).subspan(offset, length));
      offset += length;
    }
  }
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
  return {{"nodes", nodes}, {"leaves", leaves}, {"depth", depth}};
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
}

std::unique_ptr<ForestModel> ForestModel::load(const std::shared_ptr<const ModelReader>& reader) {
  ForestParts parts;
  try {
    const nlohmann::json& facts = reader->facts();
    const auto task = parse_task(facts.at("task").get<std::string>());
    if (!task) reader->fail("names an unknown task");
    parts.task = *task;
    parts.features = facts.at("features");
    parts.outputs = facts.at("outputs");
    parts.separate = facts.at("separate");
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
  if (parts.importances.size() != parts.features) reader->fail("has importances of other features");
  return std::make_unique<ForestModel>(std::move(parts));
}

std::string ForestModel::describe(const ModelSchema& schema) const {
  return describe_forest(parts_, schema);
}

}  // namespace coppice
