#include "algorithms/boosting/boosting_fit.h"

#include <algorithm>
#include <cmath>

#include "algorithms/boosting/gradient_space.h"
#include "algorithms/boosting/training_scores.h"
#include "algorithms/boosting/weak_ridge.h"
#include "algorithms/boosting/weak_tree.h"
#include "core/projections/draw_rows.h"

namespace coppice {

namespace {

/// The rows to learn from and those held back for early stopping, if any.
struct HeldBack {
  DatasetView train;
  std::optional<DatasetView> validation;
};

HeldBack hold_back(const DatasetView& view, const BoostingOptions& options, const Stream& stream) {
  if (!options.patience || view.size() < 2) return {view, std::nullopt};
  const auto share = static_cast<std::size_t>(options.validation * static_cast<double>(view.size()));
  const std::size_t count = std::clamp<std::size_t>(share, 1, view.size() - 1);
  std::vector<bool> held(view.size(), false);
  for (const std::uint32_t i : draw_without_replacement(count, view.size(), stream.at("validation")))
    held[i] = true;
  Rows train;
  Rows validation;
  for (std::size_t i = 0; i < view.size(); ++i) (held[i] ? validation : train).push_back(view[i]);
  return {DatasetView(view.shared_dataset(), std::move(train)),
          DatasetView(view.shared_dataset(), std::move(validation))};
}

/// The outputs of several steps are computed some at a time: buffers are made once for each group.
constexpr std::size_t outputs_at_once = 8;

/// A boosted model under construction.
class BoostingFit {
 public:
  BoostingFit(const DatasetView& view, const BoostingOptions& options, const Context& context)
      : options_(&options),
        context_(&context),
        rows_(hold_back(view, options, context.stream)),
        scores_(rows_.train, *options.loss, options.huber_delta) {
    const Dataset& dataset = view.dataset();
    parts_.task = dataset.task();
    parts_.features = dataset.feature_count();
    parts_.outputs = dataset.output_count();
    parts_.loss = options.loss->description().name;
    parts_.form = options.form;
    parts_.ridge = options.ridge;
    parts_.constants = scores_.constants();
    scores_.start(parts_.constants, context);
    if (rows_.validation) {
      validation_ = std::make_unique<TrainingScores>(*rows_.validation, *options.loss, options.huber_delta);
      validation_->start(parts_.constants, context);
    }
    if (options.ridge) {
      const DatasetView sorted = in_order(rows_.train, scores_);
      ridge_ = std::make_unique<WeakRidge>(SparseRows::of(sorted), parts_.features, options.penalty);
      if (validation_) validation_inputs_ = SparseRows::of(in_order(*rows_.validation, *validation_));
    } else {
      trees_ = std::make_unique<WeakTrees>(rows_.train, scores_.dataset_rows(), options.growth, context);
      parts_.importances.assign(parts_.features, 0.0);
    }
    if (options.form != BoostingForm::separate)
      space_ = std::make_unique<GradientSpace>(rows_.train, scores_, options.projection,
                                               options.projection_setting, context);
  }

  std::unique_ptr<BoostedModel> run(const WatchLoss& watch) {
    if (watch) watch(scores_.total(*context_));
    for (std::size_t m = 0; m < options_->iterations; ++m) {
      context_->check_stop();
      const CpuMeter::Section section(context_->meter);
      const Stream stream = context_->stream.at("iteration", m);
      if (options_->form == BoostingForm::separate)
        step_separately(stream);
      else
        step_together(stream, m);
      if (watch) watch(scores_.total(*context_));
      if (validation_ && !goes_on()) break;
    }
    for (double& importance : parts_.importances)
      importance /= static_cast<double>(std::max<std::size_t>(1, steps_));
    parts_.trees = TreeSet(grown_, *context_);
    return std::make_unique<BoostedModel>(std::move(parts_));
  }

 private:
  /// What a weak model says: to each row its group's values, one for each output of `values`.
  struct Answer {
    std::vector<std::uint32_t> group;
    std::vector<std::uint32_t> validation_group;
    std::vector<double> values;
    std::vector<double> validation_values;  ///< linear models: groups of the held-back rows are others
  };

  static DatasetView in_order(const DatasetView& view, const TrainingScores& scores) {
    return {view.shared_dataset(), Rows(scores.dataset_rows().begin(), scores.dataset_rows().end())};
  }

  std::vector<std::uint32_t> draw_rows(const Stream& stream) const {
    if (options_->subsample_rows >= 1.0) return {};
    const auto rows = static_cast<double>(scores_.rows());
    const auto count = std::max<std::size_t>(1, static_cast<std::size_t>(options_->subsample_rows * rows));
    auto drawn = draw_without_replacement(count, scores_.rows(), stream.at("rows"));
    std::sort(drawn.begin(), drawn.end());
    return drawn;
  }

  /// The mean of `targets` in each leaf, over the rows that the tree was grown on.
  static std::vector<double> leaf_means(std::span<const double> targets, std::span<const std::uint32_t> leaf,
                                        std::span<const std::uint32_t> drawn, std::size_t leaves) {
    std::vector<double> sums(leaves, 0.0);
    std::vector<double> counts(leaves, 0.0);
    const auto add = [&](std::size_t i) {
      sums[leaf[i]] += targets[i];
      counts[leaf[i]] += 1.0;
    };
    if (drawn.empty())
      for (std::size_t i = 0; i < targets.size(); ++i) add(i);
    else
      for (const std::uint32_t i : drawn) add(i);
    for (std::size_t l = 0; l < leaves; ++l) sums[l] /= counts[l];
    return sums;
  }

  static std::vector<double> told_to_rows(std::span<const std::uint32_t> group,
                                          std::span<const double> values) {
    std::vector<double> rows(group.size());
    for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = values[group[i]];
    return rows;
  }
  static std::vector<std::uint32_t> own_groups(std::size_t rows) {
    std::vector<std::uint32_t> groups(rows);
    for (std::uint32_t i = 0; i < rows; ++i) groups[i] = i;
    return groups;
  }

  /// The number that the best step multiplies what output `j` is told by, shortened by the learning rate.
  double step_of(std::size_t j, const StepDirection& direction) const {
    return options_->learning_rate * options_->loss->step(scores_.targets(j), scores_.state(j), direction);
  }
  void move(std::size_t j, const Answer& answer, std::span<const double> values,
            std::span<const double> validation_values, double step) {
    const auto shorten = [step](std::span<const double> told) {
      std::vector<double> moves(told.begin(), told.end());
      for (double& value : moves) value *= step;
      return moves;
    };
    options_->loss->move(scores_.targets(j), answer.group, shorten(values), scores_.state(j));
    if (validation_)
      options_->loss->move(validation_->targets(j), answer.validation_group, shorten(validation_values),
                           validation_->state(j));
  }

  void keep(GrownTree tree) {
    for (std::size_t i = 0; i < tree.feature.size(); ++i)
      if (tree.feature[i] >= 0)
        parts_.importances[static_cast<std::size_t>(tree.feature[i])] += tree.decrease[i];
    tree.leaf_end = {};
    grown_.push_back(std::move(tree));
  }

  /// One weak model for each output.
  void step_separately(const Stream& stream) {
    const std::size_t outputs = scores_.outputs();
    std::vector<WeakTree> grown(ridge_ ? 0 : outputs);
    std::vector<std::vector<double>> kept(outputs);
    const auto drawn = draw_rows(stream);
    parallel_for(*context_, outputs, [&](std::size_t j) {
      std::vector<double> gradients(scores_.rows());
      scores_.gradients(j, 0, gradients);
      Answer answer;
      if (ridge_) {
        answer = ask_ridge(gradients, kept[j]);
      } else {
        WeakTreeMemory memory;
        const auto fill = [&](std::size_t, std::span<double> values) {
          std::ranges::copy(gradients, values.begin());
        };
        grown[j] = trees_->grow({1, fill}, drawn, stream.at("output", j), *context_, memory);
        answer.group = std::move(grown[j].leaf);
        answer.values = leaf_means(gradients, answer.group, drawn, grown[j].tree.leaves());
        if (validation_) answer.validation_group = trees_->leaves(grown[j].tree, validation_->dataset_rows());
      }
      const auto told = told_to_rows(answer.group, answer.values);
      const double step = step_of(j, {answer.group, answer.values, told});
      move(j, answer, answer.values, validation_values(answer), step);
      if (!ridge_) kept[j] = answer.values;
      for (double& value : kept[j]) value *= step;
    });
    for (std::size_t j = 0; j < outputs; ++j) {
      auto& stored = ridge_ ? parts_.coefficients : parts_.leaf_values;
      stored.insert(stored.end(), kept[j].begin(), kept[j].end());
      if (!ridge_) keep(std::move(grown[j].tree));
    }
    ++steps_;
  }

  std::span<const double> validation_values(const Answer& answer) const {
    return ridge_ ? answer.validation_values : answer.values;
  }

  Answer ask_ridge(std::span<const double> targets, std::vector<double>& coefficients) const {
    Answer answer;
    coefficients = ridge_->fit(targets);
    answer.values = ridge_->values(coefficients);
    answer.group = own_groups(answer.values.size());
    if (validation_) {
      for (std::size_t i = 0; i < validation_inputs_.rows(); ++i)
        answer.validation_values.push_back(linear_value(coefficients, validation_inputs_[i]));
      answer.validation_group = own_groups(validation_inputs_.rows());
    }
    return answer;
  }

  /// Where the projection of a step comes from.
  Stream projection_stream(std::size_t m) const {
    return (context_->projection ? *context_->projection : context_->stream)
        .at("iteration", m)
        .at("projection");
  }

  /// One weak model for all outputs.
  void step_together(const Stream& stream, std::size_t m) {
    const TargetColumns columns = space_->targets(projection_stream(m), *context_);
    const auto drawn = draw_rows(stream);
    Answer answer;
    std::size_t leaves = 0;
    std::vector<double> targets;
    if (options_->form == BoostingForm::shared) {
      targets.resize(scores_.rows());
      columns.fill(0, targets);
    }
    if (ridge_) {
      std::vector<double> coefficients;
      answer = ask_ridge(targets, coefficients);
      parts_.coefficients.insert(parts_.coefficients.end(), coefficients.begin(), coefficients.end());
    } else {
      WeakTree grown = trees_->grow(columns, drawn, stream.at("tree"), *context_, memory_);
      answer.group = std::move(grown.leaf);
      leaves = grown.tree.leaves();
      if (validation_) answer.validation_group = trees_->leaves(grown.tree, validation_->dataset_rows());
      if (options_->form == BoostingForm::shared)
        answer.values = leaf_means(targets, answer.group, drawn, leaves);
      keep(std::move(grown.tree));
    }
    if (options_->form == BoostingForm::shared)
      share_answer(answer, m);
    else
      relabel(answer, drawn, leaves);
    ++steps_;
  }

  /// Algorithm 6.2: what the weak model says, times a number for each output.
  void share_answer(const Answer& answer, std::size_t m) {
    const auto told = told_to_rows(answer.group, answer.values);
    const StepDirection direction{answer.group, answer.values, told};
    std::vector<double> steps(scores_.outputs());
    const bool last_step = m + 1 == options_->iterations;
    if (!last_step) space_->begin_ahead(projection_stream(m + 1), *context_);
    const std::size_t together = space_->outputs_of_group();
    parallel_for(*context_, (steps.size() + together - 1) / together, [&](std::size_t group) {
      const std::size_t end = std::min(steps.size(), (group + 1) * together);
      for (std::size_t j = group * together; j < end; ++j) {
        steps[j] = step_of(j, direction);
        move(j, answer, answer.values, validation_values(answer), steps[j]);
        if (!last_step) space_->add_ahead(j);
      }
    });
    parts_.steps.insert(parts_.steps.end(), steps.begin(), steps.end());
    if (!ridge_)
      parts_.leaf_values.insert(parts_.leaf_values.end(), answer.values.begin(), answer.values.end());
  }

  /// Algorithms 6.1 and 6.3: leaves tell each output the mean of its gradients.
  void relabel(const Answer& answer, std::span<const std::uint32_t> drawn, std::size_t leaves) {
    const std::size_t outputs = scores_.outputs();
    const std::size_t begin = parts_.leaf_values.size();
    parts_.leaf_values.resize(begin + leaves * outputs);
    parallel_blocks(*context_, outputs, outputs_at_once, [&](std::size_t first, std::size_t last) {
      std::vector<double> gradients(scores_.rows());
      for (std::size_t j = first; j < last; ++j) {
        scores_.gradients(j, 0, gradients);
        const auto values = leaf_means(gradients, answer.group, drawn, leaves);
        const auto told = told_to_rows(answer.group, values);
        const double step = step_of(j, {answer.group, values, told});
        move(j, answer, values, values, step);
        for (std::size_t l = 0; l < leaves; ++l)
          parts_.leaf_values[begin + l * outputs + j] = step * values[l];
      }
    });
  }

  /// Early stopping: whether the loss of the rows held back has become less in the last steps.
  bool goes_on() {
    parts_.validation.push_back(validation_->total(*context_));
    const auto best = std::min_element(parts_.validation.begin(), parts_.validation.end());
    return static_cast<std::size_t>(parts_.validation.end() - best) <= *options_->patience;
  }

  const BoostingOptions* options_;
  const Context* context_;
  HeldBack rows_;
  TrainingScores scores_;
  std::unique_ptr<TrainingScores> validation_;
  SparseRows validation_inputs_;
  std::unique_ptr<WeakRidge> ridge_;
  std::unique_ptr<WeakTrees> trees_;
  std::unique_ptr<GradientSpace> space_;
  WeakTreeMemory memory_;
  std::vector<GrownTree> grown_;
  std::size_t steps_ = 0;
  BoostedParts parts_;
};

}  // namespace

std::unique_ptr<BoostedModel> fit_boosted(const DatasetView& train, const BoostingOptions& options,
                                          const Context& context, const WatchLoss& watch) {
  return BoostingFit(train, options, context).run(watch);
}

}  // namespace coppice
