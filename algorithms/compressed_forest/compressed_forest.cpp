#include "algorithms/compressed_forest/compressed_forest.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "algorithms/boosting/boosting.h"
#include "algorithms/compressed_forest/compressed_model.h"
#include "algorithms/compressed_forest/path_fit.h"
#include "algorithms/cost.h"
#include "algorithms/forest/forest.h"
#include "algorithms/input_checks.h"
#include "algorithms/random_decision_trees/random_decision_trees.h"
#include "algorithms/random_output_forest/random_output_forest.h"
#include "core/base/error.h"
#include "core/base/nearest_name.h"
#include "core/data/splits/splits.h"
#include "core/parameters/declare.h"

namespace coppice {

namespace {

const std::string compressed_forest = "compressed-forest";

std::vector<ParameterSpec> path_parameters() {
  constexpr auto real = ParameterType::real;
  std::vector<ParameterSpec> specs{
      choice_parameter(
          "method", {"stagewise", "lasso", "grown"},
          "Monotone incremental forward stagewise regression, the Lasso by coordinate descent, or "
          "greedy growth that never builds the whole forest.",
          "thesis 7.1, 9.2.2; Hastie et al. 2007; Begon et al. 2016"),
      number_parameter(
          "path_length", real, "20", "0",
          "Bound on the sum of absolute weights, on outputs of variance 1; the model is the best "
          "up to it, as 'choose' says.",
          "t", "thesis 7.1, (7.2)"),
      number_parameter(
          "step", real, "0.01", "0",
          "How far a weight moves in a step; also how far apart the values of t are to choose from.",
          "epsilon", "thesis 7.2"),
      choice_parameter(
          "indicators", {"centred", "standardised"},
          "Whether node indicators count as they are, with mean 0, or have variance 1 too, which "
          "gives the thesis' values of t.",
          "thesis 7.2"),
      choice_parameter(
          "choose", {"cross-validation", "validation", "none"},
          "How t is chosen: by forests on folds of the training rows, by one forest and rows held "
          "back from it, or not: t is path_length.",
          "thesis 7.2"),
      number_parameter("folds", ParameterType::integer, "10", "2",
                       "Folds of the cross-validation; never more than there are rows.", "", "thesis 7.2"),
      number_parameter("held_back", real, "0.25", "0", "Share of rows held back to choose t on.", "",
                       "thesis 7.1"),
      switch_parameter("one_standard_error", false,
                       "Whether to take the smallest t whose loss is within one standard error of the best.",
                       "Breiman et al. 1984, 3.4.3"),
      choice_parameter(
          "selection", {"separate", "shared"},
          "A path for each output, or one on which all outputs have weights on the same nodes (a "
          "group penalty).",
          "coppice; Tibshirani 2015"),
      choice_parameter("loss", {"square", "logistic"},
                       "Loss of the path; logistic is for labels and classes, by stagewise steps.",
                       "coppice"),
      number_parameter("learning_rate", real, "0.1", "0",
                       "Grown: share of its best weight that a node gets; gbmort: its learning rate.", "mu",
                       "Begon et al. 2016; thesis 6.2.2"),
      number_parameter("budget", ParameterType::integer, "none", "1", "Grown: most nodes that get a weight.",
                       "", "Begon et al. 2016; thesis 9.2.2")};
  for (ParameterSpec& spec : specs) {
    if (spec.name == "path_length") spec.staged = true;
    if (spec.type == ParameterType::real) spec.above_minimum = true;
    if (spec.name == "held_back") spec.maximum = "0.9";
    if (spec.name == "learning_rate") spec.maximum = "1";
  }
  return specs;
}

class CompressedForest : public Algorithm {
 public:
  CompressedForest() {
    bases_.push_back(make_extra_trees());
    bases_.push_back(make_random_forest());
    bases_.push_back(make_random_output_forest());
    bases_.push_back(make_random_decision_trees());
    bases_.push_back(make_decision_tree());
    bases_.push_back(make_gbmort());
    description_ = described(*bases_.front());
  }

  const AlgorithmDescription& description() const override { return description_; }

  AlgorithmDescription description_for(const RawParameters& settings) const override {
    const auto chosen = settings.find("base");
    return chosen == settings.end() ? description_ : described(base(chosen->second));
  }

  std::optional<ParameterProblem> check(const Parameters& parameters,
                                        const ExpressionVariables& sizes) const override {
    const std::string& method = parameters.word("method");
    if (parameters.word("loss") == "logistic" && method != "stagewise")
      return ParameterProblem{"loss", "the logistic loss is for method: stagewise"};
    const std::string& forest = parameters.word("base");
    if (method == "grown" && forest != "extra-trees" && forest != "random-forest")
      return ParameterProblem{"method", "grown trees have base: extra-trees or random-forest"};
    // The task is not known here; nothing that a base checks depends on what it changes.
    return base(forest).check(base_parameters(base(forest), parameters, Task::regression), sizes);
  }

  std::unique_ptr<Model> fit(const DatasetView& train, const Parameters& parameters,
                             const Context& context) const override {
    require_rows(train, compressed_forest);
    const Dataset& dataset = train.dataset();
    const bool logistic = parameters.word("loss") == "logistic";
    if (logistic && !has_labels(dataset.task()))
      throw Error(ErrorKind::fit,
                  fmt::format("compressed-forest: loss: logistic needs labels, and dataset '{}' has "
                              "real outputs; use loss: square",
                              dataset.name()));
    if (!parameters.has("missing") || parameters.word("missing") != "learn")
      require_no_missing(train, "compressed-forest without 'missing: learn'");
    CompressedParts parts;
    parts.task = dataset.task();
    parts.features = dataset.feature_count();
    parts.outputs = dataset.output_count();
    parts.two_classes = path_outputs(dataset) < dataset.output_count();
    parts.logistic = logistic;
    parts.path_length = parameters.real("path_length");
    const Algorithm& forest = base(parameters.word("base"));
    std::optional<PathFit> fitted;
    parts.choice = choose_length(forest, train, parameters, context, fitted);
    if (!fitted) {
      // No more of the path than some answer needs.
      Parameters needed = parameters;
      const double length = parts.choice.largest(parts.path_length);
      needed.set("path_length", std::max(length, parameters.real("step")));
      fitted = fit_path(forest, train, needed, context);
    }
    fitted->path.cut_after(parts.choice.largest(parts.path_length));
    parts.trees = pruned_trees(fitted->trees, fitted->path);
    parts.categories = std::move(fitted->categories);
    parts.missing = fitted->missing;
    parts.path = std::move(fitted->path);
    parts.before = fitted->before;
    return std::make_unique<CompressedModel>(std::move(parts));
  }

  /// What grows with the staged length: steps of the path, each over the nodes of the forest and the rows in
  /// them. The forest itself takes the same for any length.
  FitCost cost(const Parameters& parameters, const ProblemSize& size) const override {
    const double paths =
        is_word(parameters, "choose", "cross-validation") ? number_or(parameters, "folds", 10.0) + 1.0 : 1.0;
    const double trees =
        std::max(number_or(parameters, "trees", 1.0), number_or(parameters, "iterations", 1.0));
    const TreeShape shape = TreeShape::of(parameters, size, size.rows);
    const double steps =
        number_or(parameters, "path_length", 1.0) / std::max(1e-6, number_or(parameters, "step", 0.01));
    FitCost cost;
    cost.work =
        paths * size.outputs * (steps + 1.0) * trees * (2.0 * shape.leaves + shape.levels * size.rows);
    constexpr double bytes_of_leaf = 128.0;
    constexpr double bytes_of_row = 4.0;
    cost.bytes =
        8.0 * size.values + 16.0 * size.rows * size.outputs +
        trees * (bytes_of_tree + bytes_of_leaf * shape.leaves + bytes_of_row * size.rows * shape.levels);
    return cost;
  }

  std::unique_ptr<Model> load(const std::shared_ptr<const ModelReader>& reader) const override {
    return CompressedModel::load(reader);
  }

 private:
  const Algorithm& base(const std::string& name) const {
    std::vector<std::string> known;
    for (const auto& candidate : bases_) {
      if (candidate->description().name == name) return *candidate;
      known.push_back(candidate->description().name);
    }
    throw Error(ErrorKind::usage, fmt::format("'{}' is no forest whose nodes can be selected{}", name,
                                              did_you_mean(name, known)));
  }

  AlgorithmDescription described(const Algorithm& forest) const {
    AlgorithmDescription made;
    made.name = compressed_forest;
    made.summary =
        "A forest as a sparse linear model on the indicators of its nodes, with what has no weight cut away.";
    made.reference = "Joly et al. 2012; thesis 7";
    made.version = 4;
    made.capabilities = forest.description().capabilities;
    std::vector<std::string> names;
    for (const auto& candidate : bases_) names.push_back(candidate->description().name);
    made.parameters.push_back(choice_parameter(
        "base", names, "The forest; its parameters stand beside these, with its defaults.", "thesis 7.1"));
    made.parameters.front().default_value = forest.description().name;
    for (const ParameterSpec& spec : path_parameters()) made.parameters.push_back(spec);
    for (ParameterSpec spec : forest.description().parameters) {
      // Some keep their defaults: what is about scores and importances of the forest itself, or no trees.
      constexpr std::array kept{"base", "oob", "permutation", "weak", "penalty", "huber_delta", "transform"};
      if (made.find(spec.name) != nullptr || std::find(kept.begin(), kept.end(), spec.name) != kept.end())
        continue;
      spec.staged = false;
      made.parameters.push_back(spec);
    }
    return made;
  }

  /// The curve of losses. Validation leaves the path that it was measured on in `fitted`: the rows held back
  /// have no part in the model then.
  LengthChoice choose_length(const Algorithm& forest, const DatasetView& train, const Parameters& parameters,
                             const Context& context, std::optional<PathFit>& fitted) const {
    LengthChoice choice;
    choice.step = parameters.real("step");
    choice.one_standard_error = parameters.boolean("one_standard_error");
    const std::string& how = parameters.word("choose");
    if (how == "none" || train.size() < 2) return choice;
    if (how == "validation") {
      const Split split = within(
          holdout(train.size(), parameters.real("held_back"), context.stream.at("held back")), train.rows());
      const DatasetView learning(train.shared_dataset(), split.train);
      const DatasetView held_back(train.shared_dataset(), split.test);
      fitted = fit_path(forest, learning, parameters, context);
      choice.losses = validation_losses(*fitted, learning, held_back, parameters, context);
      return choice;
    }
    const auto folds = std::min(static_cast<std::size_t>(parameters.integer("folds")), train.size());
    const std::vector<Split> splits = k_fold(train.size(), folds, context.stream.at("folds"));
    std::vector<std::vector<double>> losses(folds);
    parallel_for(context, folds, [&](std::size_t k) {
      const Split split = within(splits[k], train.rows());
      const DatasetView learning(train.shared_dataset(), split.train);
      const Context own = context.with(context.stream.at("fold", k));
      const PathFit fit = fit_path(forest, learning, parameters, own);
      losses[k] =
          validation_losses(fit, learning, DatasetView(train.shared_dataset(), split.test), parameters, own);
    });
    const auto count = static_cast<double>(folds);
    for (std::size_t k = 0; k < losses[0].size(); ++k) {
      double mean = 0.0;
      for (const auto& of_fold : losses) mean += of_fold[k] / count;
      double squares = 0.0;
      for (const auto& of_fold : losses) squares += (of_fold[k] - mean) * (of_fold[k] - mean);
      choice.losses.push_back(mean);
      choice.standard_errors.push_back(std::sqrt(squares / (count - 1.0) / count));
    }
    return choice;
  }

  std::vector<std::unique_ptr<Algorithm>> bases_;
  AlgorithmDescription description_;
};

}  // namespace

std::unique_ptr<Algorithm> make_compressed_forest() {
  return std::make_unique<CompressedForest>();
}

}  // namespace coppice
