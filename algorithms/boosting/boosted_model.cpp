#include "algorithms/boosting/boosted_model.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "algorithms/boosting/weak_ridge.h"
#include "algorithms/input_checks.h"
#include "core/base/error.h"
#include "core/data/sparse_rows.h"
#include "core/tree/apply.h"

namespace coppice {

namespace {

const std::vector<std::pair<BoostingForm, std::string>>& form_names() {
  static const std::vector<std::pair<BoostingForm, std::string>> names{
      {BoostingForm::separate, "separate"}, {BoostingForm::joint, "joint"}, {BoostingForm::shared, "shared"}};
  return names;
}

}  // namespace

BoostedModel::BoostedModel(BoostedParts parts)
    : parts_(std::move(parts)), loss_(&find_loss(parts_.loss)), leaf_begin_{0} {
  for (std::size_t t = 0; t < parts_.trees.trees(); ++t)
    leaf_begin_.push_back(leaf_begin_.back() + parts_.trees.leaves(t));
  const std::size_t models =
      parts_.ridge ? parts_.coefficients.size() / (parts_.features + 1) : parts_.trees.trees();
  iterations_ = models / per_step();
}

std::size_t BoostedModel::used(std::size_t iterations) const {
  const std::size_t done = std::min(iterations, iterations_);
  if (parts_.validation.empty()) return done;
  const auto first = parts_.validation.begin();
  return static_cast<std::size_t>(std::min_element(first, first + static_cast<std::ptrdiff_t>(done)) -
                                  first) +
         1;
}

void BoostedModel::add_leaf(std::size_t model, std::size_t leaf, double* scores) const {
  const double* values = parts_.leaf_values.data();
  if (parts_.form != BoostingForm::joint) {
    add_told(model, values[leaf_begin_[model] + leaf], scores);
    return;
  }
  values += (leaf_begin_[model] + leaf) * parts_.outputs;
  for (std::size_t j = 0; j < parts_.outputs; ++j) scores[j] += values[j];
}

void BoostedModel::add_told(std::size_t model, double told, double* scores) const {
  if (parts_.form == BoostingForm::separate) {
    scores[model % parts_.outputs] += told;
    return;
  }
  const double* steps = parts_.steps.data() + model * parts_.outputs;
  for (std::size_t j = 0; j < parts_.outputs; ++j) scores[j] += told * steps[j];
}

void BoostedModel::add_trees(const DatasetView& rows, std::size_t first, std::size_t last,
                             std::vector<double>& scores, const Context& context) const {
  // Leaves of some trees at a time: at most some megabytes.
  constexpr std::size_t most_leaves = std::size_t{1} << 22;
  const std::size_t at_once =
      std::max<std::size_t>(per_step(), most_leaves / std::max<std::size_t>(1, rows.size()));
  for (std::size_t begin = first * per_step(); begin < last * per_step(); begin += at_once) {
    const std::size_t end = std::min(begin + at_once, last * per_step());
    const auto leaves = apply_trees(parts_.trees, begin, end, rows, context);
    parallel_blocks(context, rows.size(), 64, [&](std::size_t from, std::size_t to) {
      for (std::size_t i = from; i < to; ++i)
        for (std::size_t t = begin; t < end; ++t)
          add_leaf(t, leaves[i * (end - begin) + (t - begin)], scores.data() + i * parts_.outputs);
    });
  }
}

void BoostedModel::add_linear(const DatasetView& rows, std::size_t first, std::size_t last,
                              std::vector<double>& scores, const Context& context) const {
  const SparseRows inputs = SparseRows::of(rows);
  const std::size_t length = parts_.features + 1;
  parallel_blocks(context, rows.size(), 64, [&](std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < to; ++i)
      for (std::size_t model = first * per_step(); model < last * per_step(); ++model)
        add_told(model,
                 linear_value(std::span(parts_.coefficients).subspan(model * length, length), inputs[i]),
                 scores.data() + i * parts_.outputs);
  });
}

void BoostedModel::add_steps(const DatasetView& rows, std::size_t first, std::size_t last,
                             std::vector<double>& scores, const Context& context) const {
  if (first >= last || rows.size() == 0) return;
  if (parts_.ridge)
    add_linear(rows, first, last, scores, context);
  else
    add_trees(rows, first, last, scores, context);
}

Predictions BoostedModel::predictions(std::size_t rows, const std::vector<double>& scores) const {
  Predictions made = Predictions::make_dense(rows, parts_.outputs * parts_.copies);
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t j = 0; j < parts_.outputs * parts_.copies; ++j)
      made.dense_row(i)[j] = loss_->prediction(scores[i * parts_.outputs + (parts_.copies > 1 ? 0 : j)]);
  return made;
}

void BoostedModel::check_inputs(const DatasetView& rows) const {
  if (rows.dataset().feature_count() != parts_.features)
    throw Error(ErrorKind::fit,
                fmt::format("dataset '{}' has {} features, the boosted model was fitted on {}",
                            rows.dataset().name(), rows.dataset().feature_count(), parts_.features));
  require_no_missing(rows, "a boosted model");
}

Predictions BoostedModel::predict(const DatasetView& rows, const Context& context) const {
  Predictions last;
  const double all = static_cast<double>(iterations_);
  predict_staged(
      rows, std::span(&all, 1), [&](std::size_t, const Predictions& predictions) { last = predictions; },
      context);
  return last;
}

void BoostedModel::predict_staged(const DatasetView& rows, std::span<const double> stages, const Emit& emit,
                                  const Context& context) const {
  check_inputs(rows);
  std::vector<double> scores(rows.size() * parts_.outputs);
  for (std::size_t i = 0; i < rows.size(); ++i)
    std::ranges::copy(parts_.constants, scores.begin() + static_cast<std::ptrdiff_t>(i * parts_.outputs));
  std::size_t done = 0;
  for (std::size_t s = 0; s < stages.size(); ++s) {
    if (stages[s] < 1.0)
      throw Error(ErrorKind::fit, fmt::format("a boosted model cannot answer for {} steps", stages[s]));
    const std::size_t stage = used(static_cast<std::size_t>(stages[s]));
    add_steps(rows, done, stage, scores, context);
    done = stage;
    emit(s, predictions(rows.size(), scores));
  }
}

std::map<std::string, double> BoostedModel::facts() const {
  return facts_at(static_cast<double>(iterations_));
}

std::map<std::string, double> BoostedModel::facts_at(double stage) const {
  const std::size_t steps = used(static_cast<std::size_t>(stage));
  std::map<std::string, double> facts{{"iterations", static_cast<double>(steps)}};
  if (parts_.ridge) return facts;
  double nodes = 0;
  double leaves = 0;
  double depth = 0;
  for (std::size_t t = 0; t < steps * per_step(); ++t) {
    nodes += static_cast<double>(parts_.trees.nodes(t));
    leaves += static_cast<double>(parts_.trees.leaves(t));
    depth = std::max(depth, static_cast<double>(parts_.trees.depth(t)));
  }
  facts.insert({{"nodes", nodes}, {"leaves", leaves}, {"depth", depth}});
  return facts;
}

void BoostedModel::save(ModelWriter& writer) const {
  nlohmann::json& facts = writer.facts();
  facts["task"] = task_name(parts_.task);
  facts["features"] = parts_.features;
  facts["outputs"] = parts_.outputs;
  facts["copies"] = parts_.copies;
  facts["loss"] = parts_.loss;
  facts["ridge"] = parts_.ridge;
  for (const auto& [form, name] : form_names())
    if (form == parts_.form) facts["form"] = name;
  if (!parts_.ridge) {
    parts_.trees.save(writer);
    writer.put("leaf_values", parts_.leaf_values);
  } else {
    writer.put("coefficients", parts_.coefficients);
  }
  writer.put("constants", parts_.constants);
  writer.put("steps", parts_.steps);
  writer.put("importances", parts_.importances);
  writer.put("validation", parts_.validation);
}

std::unique_ptr<BoostedModel> BoostedModel::load(const std::shared_ptr<const ModelReader>& reader) {
  BoostedParts parts;
  try {
    const nlohmann::json& facts = reader->facts();
    parts.task = reader->task();
    parts.features = facts.at("features");
    parts.outputs = facts.at("outputs");
    parts.copies = facts.at("copies");
    parts.loss = facts.at("loss");
    parts.ridge = facts.at("ridge");
    bool known = false;
    for (const auto& [form, name] : form_names()) {
      if (name != facts.at("form").get<std::string>()) continue;
      parts.form = form;
      known = true;
    }
    const auto names = loss_names();
    if (!known || std::find(names.begin(), names.end(), parts.loss) == names.end())
      reader->fail("is of a form, or has a loss, that this version does not know");
  } catch (const nlohmann::json::exception& problem) {
    reader->fail(fmt::format("lacks facts about its boosted model: {}", problem.what()));
  }
  if (parts.outputs == 0 || parts.copies == 0 || (parts.copies > 1 && parts.outputs > 1))
    reader->fail("has no outputs, or copies of several");
  parts.constants = reader->vector<double>("constants");
  parts.steps = reader->vector<double>("steps");
  parts.importances = reader->vector<double>("importances");
  parts.validation = reader->vector<double>("validation");
  const std::size_t each = parts.form == BoostingForm::separate ? parts.outputs : 1;
  std::size_t models = 0;
  if (parts.ridge) {
    parts.coefficients = reader->vector<double>("coefficients");
    models = parts.coefficients.size() / (parts.features + 1);
    if (parts.coefficients.size() % (parts.features + 1) != 0 || parts.form == BoostingForm::joint)
      reader->fail("has linear models of other features");
  } else {
    parts.trees = TreeSet::load(reader, parts.features);
    parts.leaf_values = reader->vector<double>("leaf_values");
    models = parts.trees.trees();
    std::size_t leaves = 0;
    for (std::size_t t = 0; t < models; ++t) leaves += parts.trees.leaves(t);
    if (parts.leaf_values.size() != leaves * (parts.form == BoostingForm::joint ? parts.outputs : 1))
      reader->fail("has leaf values that belong to no tree");
  }
  const std::size_t iterations = models / each;
  if (models == 0 || models % each != 0 || parts.constants.size() != parts.outputs ||
      parts.steps.size() != (parts.form == BoostingForm::shared ? iterations * parts.outputs : 0) ||
      (!parts.validation.empty() && parts.validation.size() != iterations) ||
      parts.importances.size() != (parts.ridge ? 0 : parts.features))
    reader->fail("has parts of a boosted model that do not fit together");
  return std::make_unique<BoostedModel>(std::move(parts));
}

std::string BoostedModel::describe(const ModelSchema& schema) const {
  std::string text = fmt::format("{} steps with the {} loss", iterations_, parts_.loss);
  if (!parts_.validation.empty()) text += fmt::format(", of which the first {} are used", used(iterations_));
  text += "\n";
  if (parts_.ridge) return text;
  std::vector<std::size_t> order;
  for (std::size_t j = 0; j < parts_.importances.size(); ++j)
    if (parts_.importances[j] > 0.0) order.push_back(j);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return parts_.importances[a] > parts_.importances[b];
  });
  if (order.size() > 20) order.resize(20);
  text += "importances (mean decrease of impurity of a step's trees):\n";
  for (const std::size_t j : order)
    text += fmt::format("  {:<24} {:.6g}\n", schema.features[j], parts_.importances[j]);
  return text;
}

}  // namespace coppice
