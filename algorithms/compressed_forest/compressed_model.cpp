#include "algorithms/compressed_forest/compressed_model.h"

#include <algorithm>

#include <fmt/format.h>

#include "algorithms/input_checks.h"
#include "core/base/error.h"
#include "core/base/portable_math.h"
#include "core/tree/apply.h"

namespace coppice {

namespace {

/// With more labels, rows list those with a positive score.
constexpr std::size_t most_dense_outputs = 256;

}  // namespace

double CompressedModel::length_of(double stage) const {
  constexpr double rounding = 1e-9;
  if (stage < 0.0 || stage > parts_.path_length * (1.0 + rounding))
    throw Error(ErrorKind::fit,
                fmt::format("a path fitted up to path_length {} cannot answer for {}; fit it further",
                            parts_.path_length, stage));
  if (!parts_.only_end) return parts_.choice.at(stage);
  if (stage < parts_.path_length * (1.0 - rounding))
    throw Error(ErrorKind::fit,
                fmt::format("a saved compressed forest answers for its own path_length {} only, not for {}",
                            parts_.path_length, stage));
  return parts_.path.lengths.back();
}

CompressedModel::LeafScores CompressedModel::leaf_scores(double stage) const {
  const NodePath::Point point = parts_.path.at(length_of(stage));
  const std::vector<NodePath::Change> weights = parts_.path.weights_at(point);
  LeafScores scores;
  scores.intercepts = parts_.path.intercepts_at(point);
  scores.begin.push_back(0);
  // Nodes and weights both come in preorder; a level of the tree has the sums down to it.
  auto weight = weights.begin();
  std::uint32_t number = 0;
  std::vector<std::map<std::uint32_t, double>> sums;
  for (std::size_t tree = 0; tree < parts_.trees.trees(); ++tree) {
    scores.tree_begin.push_back(scores.begin.size() - 1);
    std::vector<std::uint32_t> depth(parts_.trees.nodes(tree), 0);
    sums.resize(std::max<std::size_t>(sums.size(), parts_.trees.depth(tree) + 1));
    for (std::uint32_t node = 0; node < parts_.trees.nodes(tree); ++node, ++number) {
      auto& here = sums[depth[node]];
      if (depth[node] == 0)
        here.clear();
      else
        here = sums[depth[node] - 1];
      for (; weight != weights.end() && weight->node == number; ++weight)
        here[weight->output] += weight->weight;
      const TreeSet::Node at = parts_.trees.node(tree, node);
      if (at.feature >= 0) {
        depth[node + 1] = depth[at.next] = depth[node] + 1;
        continue;
      }
      for (const auto& [output, amount] : here) {
        scores.outputs.push_back(output);
        scores.amounts.push_back(amount);
      }
      scores.begin.push_back(scores.outputs.size());
    }
  }
  return scores;
}

Predictions CompressedModel::score(const std::vector<std::uint32_t>& leaves, std::size_t rows,
                                   const LeafScores& scores, const Context& context) const {
  const std::size_t trees = parts_.trees.trees();
  const bool dense = !has_labels(parts_.task) || parts_.outputs <= most_dense_outputs;
  Predictions result =
      dense ? Predictions::make_dense(rows, parts_.outputs) : Predictions::make_sparse(parts_.outputs);
  const auto add_row = [&](std::size_t row, std::vector<double>& sums) {
    sums = scores.intercepts;
    for (std::size_t tree = 0; tree < trees; ++tree) {
      const std::size_t leaf = scores.tree_begin[tree] + leaves[row * trees + tree];
      for (std::size_t i = scores.begin[leaf]; i < scores.begin[leaf + 1]; ++i)
        sums[scores.outputs[i]] += scores.amounts[i];
    }
    if (parts_.logistic)
      for (double& sum : sums) sum = 1.0 / (1.0 + portable_exp(-sum));
    if (parts_.two_classes) sums = {1.0 - sums[0], sums[0]};
  };
  if (dense) {
    parallel_blocks(context, rows, 256, [&](std::size_t begin, std::size_t end) {
      std::vector<double> sums;
      for (std::size_t row = begin; row < end; ++row) {
        add_row(row, sums);
        std::ranges::copy(sums, result.dense_row(row).begin());
      }
    });
    return result;
  }
  std::vector<double> sums;
  for (std::size_t row = 0; row < rows; ++row) {
    add_row(row, sums);
    std::vector<std::uint32_t> listed;
    std::vector<double> amounts;
    for (std::uint32_t j = 0; j < sums.size(); ++j)
      if (sums[j] > 0.0) {
        listed.push_back(j);
        amounts.push_back(sums[j]);
      }
    result.add_row(listed, amounts);
  }
  return result;
}

Predictions CompressedModel::predict(const DatasetView& rows, const Context& context) const {
  Predictions result;
  const double stage = parts_.path_length;
  predict_staged(
      rows, std::span(&stage, 1),
      [&](std::size_t /*index*/, const Predictions& predictions) { result = predictions; }, context);
  return result;
}

void CompressedModel::predict_staged(const DatasetView& rows, std::span<const double> stages,
                                     const Emit& emit, const Context& context) const {
  if (rows.dataset().feature_count() != parts_.features)
    throw Error(ErrorKind::fit,
                fmt::format("dataset '{}' has {} features, the forest was fitted on {}",
                            rows.dataset().name(), rows.dataset().feature_count(), parts_.features));
  if (!parts_.missing) require_no_missing(rows, "a compressed forest without 'missing: learn'");
  const std::vector<std::uint32_t> leaves =
      apply_trees(parts_.trees, 0, parts_.trees.trees(), rows, context, parts_.categories);
  for (std::size_t i = 0; i < stages.size(); ++i)
    emit(i, score(leaves, rows.size(), leaf_scores(stages[i]), context));
}

std::map<std::string, double> CompressedModel::facts_at(double stage) const {
  const double length = length_of(stage);
  const TreeSizes after = TreeSizes::of(parts_.trees, parts_.path.weights_at(parts_.path.at(length)));
  std::map<std::string, double> facts{{"nodes", after.test_nodes + after.leaves},
                                      {"leaves", after.leaves},
                                      {"depth", after.depth},
                                      {"chosen-length", length}};
  if (parts_.before) {
    facts["base-nodes"] = parts_.before->test_nodes + parts_.before->leaves;
    facts["base-leaves"] = parts_.before->leaves;
    facts["compression"] = parts_.before->test_nodes / std::max(1.0, after.test_nodes);
  }
  return facts;
}

std::string CompressedModel::describe(const ModelSchema& schema) const {
  const auto weights = parts_.path.weights_at(parts_.path.at(length_of(parts_.path_length)));
  std::string text = fmt::format("weights                {}\n", weights.size());
  if (parts_.path.outputs == 1) return text;
  std::map<std::uint32_t, std::size_t> per_output;
  for (const NodePath::Change& weight : weights) ++per_output[weight.output];
  for (const auto& [output, count] : per_output)
    text += fmt::format("  {:<20} {}\n", schema.outputs[output], count);
  return text;
}

void CompressedModel::save(ModelWriter& writer) const {
  // Only the model of its own path length: what leads there stays behind.
  const double length = length_of(parts_.path_length);
  const NodePath::Point point = parts_.path.at(length);
  NodePath end;
  end.outputs = parts_.path.outputs;
  end.changes = parts_.path.weights_at(point);
  const TreeSet trees = pruned_trees(parts_.trees, end);
  nlohmann::json& facts = writer.facts();
  facts["task"] = task_name(parts_.task);
  facts["features"] = parts_.features;
  facts["outputs"] = parts_.outputs;
  facts["two_classes"] = parts_.two_classes;
  facts["logistic"] = parts_.logistic;
  facts["missing"] = parts_.missing;
  facts["path_length"] = parts_.path_length;
  facts["chosen_length"] = length;
  if (parts_.before) facts["before"] = {parts_.before->test_nodes, parts_.before->leaves};
  trees.save(writer);
  parts_.categories.save(writer);
  writer.put("intercepts", parts_.path.intercepts_at(point));
  std::vector<std::uint32_t> nodes;
  std::vector<std::uint32_t> outputs;
  std::vector<double> weights;
  for (const NodePath::Change& weight : end.changes) {
    nodes.push_back(weight.node);
    outputs.push_back(weight.output);
    weights.push_back(weight.weight);
  }
  writer.put("weight_nodes", nodes);
  if (end.outputs > 1) writer.put("weight_outputs", outputs);
  writer.put("weights", weights);
}

std::unique_ptr<CompressedModel> CompressedModel::load(const std::shared_ptr<const ModelReader>& reader) {
  CompressedParts parts;
  double length = 0.0;
  try {
    const nlohmann::json& facts = reader->facts();
    parts.task = reader->task();
    parts.features = facts.at("features");
    parts.outputs = facts.at("outputs");
    parts.two_classes = facts.at("two_classes");
    parts.logistic = facts.at("logistic");
    parts.missing = facts.at("missing");
    parts.path_length = facts.at("path_length");
    length = facts.at("chosen_length");
    if (facts.contains("before"))
      parts.before = TreeSizes{facts.at("before").at(0), facts.at("before").at(1), 0};
  } catch (const nlohmann::json::exception& problem) {
    reader->fail(fmt::format("lacks facts about its compressed forest: {}", problem.what()));
  }
  if (parts.outputs == 0 || (parts.two_classes && parts.outputs != 2)) reader->fail("has no outputs");
  parts.trees = TreeSet::load(reader, parts.features);
  parts.categories = CategoryCodes::load(*reader);
  parts.only_end = true;
  parts.path.outputs = parts.two_classes ? 1 : parts.outputs;
  const auto nodes = reader->vector<std::uint32_t>("weight_nodes");
  const auto weights = reader->vector<double>("weights");
  std::vector<std::uint32_t> outputs(nodes.size(), 0);
  if (parts.path.outputs > 1) outputs = reader->vector<std::uint32_t>("weight_outputs");
  const auto intercepts = reader->vector<double>("intercepts");
  if (intercepts.size() != parts.path.outputs || weights.size() != nodes.size() ||
      outputs.size() != nodes.size())
    reader->fail("has weights that belong to no node or no output");
  std::size_t total = 0;
  for (std::size_t tree = 0; tree < parts.trees.trees(); ++tree) total += parts.trees.nodes(tree);
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (nodes[i] >= total || outputs[i] >= parts.path.outputs)
      reader->fail("has weights of nodes that do not exist");
    parts.path.changes.push_back({nodes[i], outputs[i], weights[i]});
  }
  parts.path.end_knot(length, intercepts);
  return std::make_unique<CompressedModel>(std::move(parts));
}

}  // namespace coppice
