#include "algorithms/boosting/boosting.h"

#include <algorithm>

#include <fmt/format.h>

#include "algorithms/boosting/boosted_model.h"
#include "algorithms/boosting/boosting_fit.h"
#include "algorithms/boosting/known_structure.h"
#include "algorithms/cost.h"
#include "algorithms/input_checks.h"
#include "core/base/error.h"

namespace coppice {

namespace {

class BoostingAlgorithm : public Algorithm {
 public:
  explicit BoostingAlgorithm(BoostingKind kind) : kind_(std::move(kind)) {
    description_.name = kind_.name;
    description_.summary = kind_.summary;
    description_.reference = kind_.reference;
    description_.version = 4;
    description_.parameters = boosting_parameters(kind_);
    if (kind_.knows_structure) description_.capabilities.tasks = {Task::regression};
  }

  const AlgorithmDescription& description() const override { return description_; }

  /// A loss that is named says which tasks it is for.
  AlgorithmDescription description_for(const RawParameters& settings) const override {
    const auto found = settings.find("loss");
    const auto names = loss_names();
    if (found == settings.end() || std::find(names.begin(), names.end(), found->second) == names.end())
      return description_;
    AlgorithmDescription narrowed = description_;
    std::erase_if(narrowed.capabilities.tasks,
                  [&](Task task) { return !find_loss(found->second).description().fits(task); });
    return narrowed;
  }

  std::optional<ParameterProblem> check(const Parameters& parameters,
                                        const ExpressionVariables& sizes) const override {
    return boosting_problem(kind_, parameters, static_cast<std::size_t>(sizes.d));
  }

  std::unique_ptr<Model> fit(const DatasetView& train, const Parameters& parameters,
                             const Context& context) const override {
    require_rows(train, kind_.name);
    require_no_missing(train, kind_.name);
    if (const auto problem = boosting_problem(kind_, parameters, train.dataset().output_count()))
      throw Error(ErrorKind::fit,
                  fmt::format("{}: {}: {}", kind_.name, problem->parameter, problem->message));
    const BoostingOptions options = boosting_options(kind_, parameters, train.dataset());
    if (kind_.knows_structure)
      return fit_known_structure(train, parameters.word("structure"), options, context);
    return fit_boosted(train, options, context);
  }

  /// A step grows trees on the outputs or on their projection, and moves the scores of all rows.
  FitCost cost(const Parameters& parameters, const ProblemSize& size) const override {
    const double steps = number_or(parameters, "iterations", 1.0);
    const bool separate = !kind_.joint && !kind_.projects && !is_word(parameters, "outputs", "joint");
    const double trees = separate ? size.outputs : 1.0;
    const double width = separate ? 1.0 : kind_.projects ? number_or(parameters, "size", 1.0) : size.outputs;
    const TreeShape shape = TreeShape::of(parameters, size, size.rows);
    // Sums of an output come in one go with those of others.
    constexpr double outputs_at_once = 8.0;
    constexpr double passes = 4.0;
    const double scores = size.rows * size.outputs;
    FitCost cost;
    cost.work = steps * (trees * shape.levels * shape.considered * size.values *
                             std::max(1.0, width / outputs_at_once) +
                         passes * scores);
    constexpr double bytes_of_value = 16.0;
    constexpr double bytes_of_leaf = 64.0;
    cost.bytes = bytes_of_value * size.values + 8.0 * scores + 16.0 * size.rows * (width + trees) +
                 steps * (trees * (bytes_of_tree + bytes_of_leaf * shape.leaves) +
                          (separate ? 0.0 : 8.0 * shape.leaves * size.outputs));
    return cost;
  }

  std::unique_ptr<Model> load(const std::shared_ptr<const ModelReader>& reader) const override {
    return BoostedModel::load(reader);
  }

 private:
  BoostingKind kind_;
  AlgorithmDescription description_;
};

}  // namespace

std::unique_ptr<Algorithm> make_gbrt() {
  return std::make_unique<BoostingAlgorithm>(
      BoostingKind{.name = "gbrt",
                   .summary = "Gradient boosting with a sum of small trees for each output (single target, "
                              "binary relevance).",
                   .reference = "Friedman 2001; thesis 4.3.2, Algorithm 4.2",
                   .chooses_outputs = true});
}

std::unique_ptr<Algorithm> make_gbmort() {
  return std::make_unique<BoostingAlgorithm>(
      BoostingKind{.name = "gbmort",
                   .summary = "Gradient boosting with small multi-output trees.",
                   .reference = "thesis 6.2.1, Algorithm 6.1",
                   .joint = true});
}

std::unique_ptr<Algorithm> make_gbrt_rpo() {
  return std::make_unique<BoostingAlgorithm>(
      BoostingKind{.name = "gbrt-rpo",
                   .summary = "Gradient boosting whose trees grow on a random projection of the gradients "
                              "and are shared by all outputs.",
                   .reference = "thesis 6.2.2, Algorithms 6.2 and 6.3",
                   .projects = true});
}

std::unique_ptr<Algorithm> make_artificial_gbrt() {
  return std::make_unique<BoostingAlgorithm>(
      BoostingKind{.name = "artificial-gbrt",
                   .summary = "Gradient boosting that is told how the outputs hang together: the best one "
                              "can do on the friedman1 tasks.",
                   .reference = "thesis 6.3.2.3",
                   .knows_structure = true});
}

}  // namespace coppice
