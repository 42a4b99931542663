#include "algorithms/craftml/craftml_model.h"

#include <algorithm>

#include <fmt/format.h>

#include "algorithms/craftml/row_scores.h"
#include "algorithms/input_checks.h"
#include "core/base/error.h"

namespace coppice::craftml {

namespace {

nlohmann::json optional_json(const std::optional<std::uint32_t>& value) {
  return value ? nlohmann::json(*value) : nlohmann::json(nullptr);
}

std::optional<std::uint32_t> optional_number(const nlohmann::json& value) {
  if (value.is_null()) return std::nullopt;
  return value.get<std::uint32_t>();
}

/// What prediction needs to know of the options.
nlohmann::json options_json(const Options& options) {
  return {{"branches", options.branches},
          {"feature_dimension", options.feature_dimension},
          {"gaussian", options.projection == ProjectionKind::gaussian},
          {"features_per_node", options.features_per_node},
          {"second_route", options.second_route},
          {"centroid_entries", optional_json(options.centroid_entries)},
          {"leaf_labels", optional_json(options.leaf_labels)},
          {"early_exit", optional_json(options.early_exit)},
          {"top_labels", optional_json(options.top_labels)}};
}

Options options_from(const nlohmann::json& json) {
  Options options;
  options.branches = json.at("branches");
  options.feature_dimension = json.at("feature_dimension");
  options.projection = json.at("gaussian").get<bool>() ? ProjectionKind::gaussian : ProjectionKind::hashing;
  options.features_per_node = json.at("features_per_node");
  options.second_route = json.value("second_route", 0.0);  // files of version 1 have none
  options.centroid_entries = optional_number(json.at("centroid_entries"));
  options.leaf_labels = optional_number(json.at("leaf_labels"));
  options.early_exit = optional_number(json.at("early_exit"));
  options.top_labels = optional_number(json.at("top_labels"));
  return options;
}

void check_training(const ModelReader& reader, const ForestParts& parts) {
  const SparseRowsView& rows = parts.training;
  const auto below = [&](std::uint32_t column) { return column < parts.features; };
  if (rows.begin.size() < 2 || rows.begin.front() != 0 || rows.begin.back() != rows.columns.size() ||
      rows.columns.size() != rows.values.size() || !std::is_sorted(rows.begin.begin(), rows.begin.end()) ||
      !std::all_of(rows.columns.begin(), rows.columns.end(), below))
    reader.fail("has training rows that do not fit its features");
  if (!parts.weights.weights.empty() && parts.weights.weights.size() != parts.features)
    reader.fail("has weights of other features");
  const Options& options = parts.options;
  if (options.branches < 2 || options.branches > most_branches || options.feature_dimension < 1 ||
      options.feature_dimension > most_dimensions ||
      !(options.second_route >= 0.0 && options.second_route <= 1.0) || options.early_exit.value_or(1) < 1)
    reader.fail("has options that no forest can have");
}

}  // namespace

/// The scores of rows before any tree has been asked.
ScoreTable CraftmlModel::empty_table(const DatasetView& view) const {
  const Dataset& dataset = view.dataset();
  if (dataset.feature_count() != parts_.features)
    throw Error(ErrorKind::fit, fmt::format("dataset '{}' has {} features, the forest was fitted on {}",
                                            dataset.name(), dataset.feature_count(), parts_.features));
  require_no_missing(view, "craftml");
  SparseRows rows = SparseRows::of(view);
  parts_.weights.apply(rows);
  return {parts_, std::move(rows)};
}

/// Adds the trees [done, stage).
void CraftmlModel::add_trees(ScoreTable& table, std::size_t done, std::size_t stage,
                             const Context& context) const {
  const std::size_t step = parts_.options.early_exit.value_or(0);
  while (done < stage) {
    const std::size_t next = step == 0 ? stage : std::min(stage, (done / step + 1) * step);
    table.add_trees(done, next, context);
    done = next;
    if (step != 0 && done % step == 0) table.end_settled_rows();
  }
}

Predictions CraftmlModel::predict(const DatasetView& rows, const Context& context) const {
  ScoreTable table = empty_table(rows);
  add_trees(table, 0, parts_.trees.trees(), context);
  return table.predictions(context);
}

void CraftmlModel::predict_staged(const DatasetView& view, std::span<const double> stages, const Emit& emit,
                                  const Context& context) const {
  ScoreTable table = empty_table(view);
  std::size_t done = 0;
  for (std::size_t i = 0; i < stages.size(); ++i) {
    if (stages[i] < 1.0 || stages[i] > static_cast<double>(parts_.trees.trees()))
      throw Error(ErrorKind::fit,
                  fmt::format("a forest of {} trees cannot answer for {}", parts_.trees.trees(), stages[i]));
    const auto stage = static_cast<std::size_t>(stages[i]);
    add_trees(table, done, stage, context);
    done = std::max(done, stage);
    emit(i, table.predictions(context));
  }
}

std::map<std::string, double> CraftmlModel::facts() const {
  return facts_at(static_cast<double>(parts_.trees.trees()));
}

std::map<std::string, double> CraftmlModel::facts_at(double stage) const {
  double nodes = 0;
  double leaves = 0;
  double depth = 0;
  for (std::size_t t = 0; t < std::min(parts_.trees.trees(), static_cast<std::size_t>(stage)); ++t) {
    nodes += static_cast<double>(parts_.trees.nodes(t));
    leaves += static_cast<double>(parts_.trees.leaves(t));
    depth = std::max(depth, static_cast<double>(parts_.trees.depth(t)));
  }
  return {{"nodes", nodes}, {"leaves", leaves}, {"depth", depth}};
}

void CraftmlModel::save(ModelWriter& writer) const {
  nlohmann::json& facts = writer.facts();
  facts["task"] = task_name(parts_.task);
  facts["features"] = parts_.features;
  facts["outputs"] = parts_.outputs;
  facts["options"] = options_json(parts_.options);
  facts["logarithm"] = parts_.weights.logarithm;
  facts["unit_rows"] = parts_.weights.unit_rows;
  writer.put("feature_weights", parts_.weights.weights);
  writer.put("input_begin", parts_.training.begin);
  writer.put("input_columns", parts_.training.columns);
  writer.put("input_values", parts_.training.values);
  parts_.trees.save(writer);
  parts_.leaves.save(writer);
}

std::unique_ptr<CraftmlModel> CraftmlModel::load(const std::shared_ptr<const ModelReader>& reader) {
  ForestParts parts;
  try {
    const nlohmann::json& facts = reader->facts();
    parts.task = reader->task();
    if (!has_labels(parts.task)) reader->fail("names a task that craftml does not know");
    parts.features = facts.at("features");
    parts.outputs = facts.at("outputs");
    parts.options = options_from(facts.at("options"));
    parts.weights.logarithm = facts.at("logarithm");
    parts.weights.unit_rows = facts.at("unit_rows");
  } catch (const nlohmann::json::exception& problem) {
    reader->fail(fmt::format("lacks facts about its forest: {}", problem.what()));
  }
  parts.weights.weights = reader->vector<float>("feature_weights");
  parts.training = {reader->array<std::uint64_t>("input_begin"),
                    reader->array<std::uint32_t>("input_columns"), reader->array<float>("input_values")};
  parts.training_owner = reader;
  check_training(*reader, parts);
  parts.trees = TreeStore::load(reader, parts.training.rows(), parts.options.branches);
  std::vector<std::size_t> leaves(parts.trees.trees());
  for (std::size_t t = 0; t < leaves.size(); ++t) leaves[t] = parts.trees.leaves(t);
  parts.leaves = LeafRows::load(reader, leaves, true, parts.outputs);
  return std::make_unique<CraftmlModel>(std::move(parts));
}

std::string CraftmlModel::describe(const ModelSchema& /*schema*/) const {
  const auto all = facts();
  const auto trees = static_cast<double>(parts_.trees.trees());
  return fmt::format(
      "{} trees with up to {} branches a node; {:.1f} nodes and {:.1f} leaves a tree, {} levels at most.\n"
      "Learnt from {} rows with {} inputs that are not 0{}.\n",
      parts_.trees.trees(), parts_.options.branches, all.at("nodes") / trees, all.at("leaves") / trees,
      all.at("depth"), parts_.training.rows(), parts_.training.columns.size(),
      parts_.weights.weights.empty() ? "" : ", weighted by inverse frequency");
}

}  // namespace coppice::craftml
