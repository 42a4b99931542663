#include "algorithms/compressed_forest/path_fit.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "algorithms/compressed_forest/grown.h"
#include "algorithms/forest/forest.h"
#include "algorithms/forest/forest_model.h"
#include "core/base/error.h"
#include "core/base/portable_math.h"
#include "core/path/lasso.h"
#include "core/path/stagewise.h"

namespace coppice {

namespace {

IndicatorScale scale_of(const Parameters& parameters) {
  return parameters.word("indicators") == "standardised" ? IndicatorScale::standardised
                                                         : IndicatorScale::centred;
}

PathFit grow_path(const DatasetView& train, const Parameters& parameters, const PathTargets& targets,
                  const Context& context) {
  const Dataset& dataset = train.dataset();
  GrownOptions options;
  options.trees = static_cast<std::size_t>(parameters.integer("trees"));
  options.growth = forest_growth_options(parameters.word("base"), parameters);
  options.learning_rate = parameters.real("learning_rate");
  options.length = parameters.real("path_length");
  options.budget = static_cast<std::size_t>(parameters.optional_integer("budget").value_or(0));
  PathFit fit;
  fit.categories = CategoryCodes(dataset.features());
  fit.missing = parameters.word("missing") == "learn";
  const Sample sample = Sample::of(train);
  std::unique_ptr<RealGrid> grid;
  GrowthTargets growth = LabelTargets{&dataset.labels(), nullptr, dataset.task() == Task::multiclass};
  if (!has_labels(dataset.task())) {
    grid = std::make_unique<RealGrid>(dataset.targets().values(), dataset.output_count(), sample);
    growth = grid.get();
  }
  GrownForest grown = grow_compressed(train, growth, targets, options, context);
  fit.trees = std::move(grown.trees);
  fit.path = std::move(grown.path);
  return fit;
}

/// The parameters of the base itself: what compressed-forest does not offer has its default.
Parameters base_parameters(const Algorithm& base, const Parameters& parameters) {
  Parameters own = parameters;
  for (const ParameterSpec& spec : base.description().parameters)
    if (spec.name == "base" || !own.has(spec.name))
      own.set(spec.name, resolve_value(spec, spec.default_value, {}));
  return own;
}

double squared(double value) {
  return value * value;
}

/// The loss of the scores of one row.
class RowLoss {
 public:
  RowLoss(const DatasetView& train, const PathTargets& held_back, bool logistic)
      : task_(train.dataset().task()), logistic_(logistic), outputs_(held_back.outputs) {
    truth_ = held_back.together(0, outputs_);
    weights_.assign(outputs_, 1.0 / static_cast<double>(outputs_));
    if (task_ != Task::regression) return;
    const PathTargets targets = path_targets(train, false);
    for (std::size_t j = 0; j < outputs_; ++j) {
      const double deviation = TargetScales(targets.column(j), 1).deviations[0];
      if (deviation > 0.0) weights_[j] /= deviation * deviation;
    }
  }

  double operator()(std::size_t row, const double* scores) const {
    const double* truth = truth_.data() + row * outputs_;
    if (task_ == Task::multiclass) {
      const double half = logistic_ ? 0.0 : 0.5;
      if (outputs_ == 1) return (scores[0] > half) == (truth[0] > 0.5) ? 0.0 : 1.0;
      return truth[std::max_element(scores, scores + outputs_) - scores] > 0.5 ? 0.0 : 1.0;
    }
    double loss = 0.0;
    for (std::size_t j = 0; j < outputs_; ++j) {
      const double score = logistic_ ? 1.0 / (1.0 + portable_exp(-scores[j])) : scores[j];
      loss += weights_[j] * squared(truth[j] - score);
    }
    return loss;
  }

 private:
  Task task_;
  bool logistic_;
  std::size_t outputs_;
  std::vector<double> truth_;
  std::vector<double> weights_;
};

}  // namespace

std::size_t path_outputs(const Dataset& dataset) {
  return dataset.task() == Task::multiclass && dataset.output_count() == 2 ? 1 : dataset.output_count();
}

PathTargets path_targets(const DatasetView& rows, bool logistic) {
  PathTargets targets;
  targets.rows = rows.size();
  targets.outputs = path_outputs(rows.dataset());
  targets.logistic = logistic;
  targets.column = [rows](std::size_t output) {
    const Dataset& dataset = rows.dataset();
    const bool second = path_outputs(dataset) < dataset.output_count();
    const auto label = static_cast<std::uint32_t>(output + (second ? 1 : 0));
    std::vector<double> column(rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i)
      column[i] = has_labels(dataset.task()) ? (dataset.labels().contains(rows[i], label) ? 1.0 : 0.0)
                                             : dataset.targets()[rows[i]][output];
    return column;
  };
  return targets;
}

PathFit fit_path(const Algorithm& base, const DatasetView& train, const Parameters& parameters,
                 const Context& context) {
  const PathTargets targets = path_targets(train, parameters.word("loss") == "logistic");
  const std::string& method = parameters.word("method");
  if (method == "grown") return grow_path(train, parameters, targets, context);
  const std::unique_ptr<Model> model = base.fit(train, base_parameters(base, parameters), context);
  const auto* forest = dynamic_cast<const ForestModel*>(model.get());
  if (forest == nullptr)
    throw Error(ErrorKind::fit, fmt::format("compressed-forest: a model of '{}' has no nodes to select from",
                                            base.description().name));
  PathFit fit;
  fit.trees = forest->parts().trees;
  fit.categories = forest->parts().categories;
  fit.missing = forest->parts().missing;
  fit.before = TreeSizes::of(fit.trees);
  const NodeIndicators indicators(fit.trees, train, fit.categories, context);
  const bool shared = parameters.word("selection") == "shared";
  if (method == "lasso") {
    LassoOptions options;
    options.scale = scale_of(parameters);
    options.length = parameters.real("path_length");
    options.shared = shared;
    fit.path = lasso_path(indicators, targets, options, context);
  } else {
    StagewiseOptions options;
    options.scale = scale_of(parameters);
    options.step = parameters.real("step");
    options.length = parameters.real("path_length");
    options.shared = shared;
    fit.path = stagewise_path(indicators, targets, options, context);
  }
  return fit;
}

std::vector<double> validation_losses(const PathFit& fit, const DatasetView& train,
                                      const DatasetView& held_back, const Parameters& parameters,
                                      const Context& context) {
  const bool logistic = parameters.word("loss") == "logistic";
  const PathTargets targets = path_targets(held_back, logistic);
  const RowLoss loss(train, targets, logistic);
  const NodeIndicators indicators(fit.trees, held_back, fit.categories, context);
  PathScores scores(fit.path, indicators);
  const double step = parameters.real("step");
  const auto steps = static_cast<std::size_t>(std::floor(parameters.real("path_length") / step + 1e-9));
  std::vector<double> losses;
  for (std::size_t k = 0; k <= steps; ++k) {
    const double length = static_cast<double>(k) * step;
    // Behind its end a path stays what it is.
    if (k > 0 && length > fit.path.lengths.back() + step) {
      losses.push_back(losses.back());
      continue;
    }
    const std::span<const double> at = scores.at(length);
    double sum = 0.0;
    for (std::size_t row = 0; row < held_back.size(); ++row)
      sum += loss(row, at.data() + row * targets.outputs);
    losses.push_back(sum / static_cast<double>(held_back.size()));
  }
  return losses;
}

}  // namespace coppice
