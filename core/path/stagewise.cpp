#include "core/path/stagewise.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/base/portable_math.h"
#include "core/path/larger_nodes.h"

namespace coppice {

namespace {

double probability(double log_odds) {
  return 1.0 / (1.0 + portable_exp(-log_odds));
}

/// The path of some outputs that move together; often a single one.
class StagewiseGroup {
 public:
  StagewiseGroup(const NodeIndicators& indicators, const LargerNodes* larger, const IndicatorScales& scales,
                 std::vector<double> values, std::size_t width, const StagewiseOptions& options,
                 bool logistic, const Context& context)
      : indicators_(&indicators),
        larger_(larger),
        scales_(&scales),
        options_(&options),
        context_(&context),
        logistic_(logistic),
        width_(width),
        values_(std::move(values)),
        target_scales_(values_, width),
        intercepts_(width, 0.0),
        sums_(width == 1 ? larger->size() : indicators.nodes() * width),
        means_(width),
        kept_(indicators.nodes(), 0),
        best_(indicators.trees()) {
    residuals_.resize(values_.size());
    if (logistic_) {
      scores_.assign(values_.size(), 0.0);
      for (std::size_t j = 0; j < width_; ++j) start_log_odds(j);
      update_probabilities();
    } else {
      for (std::size_t i = 0; i < values_.size(); ++i) {
        const double deviation = target_scales_.deviations[i % width_];
        residuals_[i] = deviation > 0.0 ? (values_[i] - target_scales_.means[i % width_]) / deviation : 0.0;
      }
      intercepts_ = target_scales_.means;
    }
    update_sums(nullptr);
  }

  const std::vector<double>& intercepts() const { return intercepts_; }

  /// One step; appends to `changes`. False if none reduces the loss.
  bool step(std::uint32_t first_output, std::vector<NodePath::Change>& changes) {
    const Best best = best_of_all();
    const std::uint32_t count = best.correlation > 0.0 ? indicators_->count(best.node) : 0;
    // The loss falls by ε·c - ε²·l/2 with l its curvature along the indicator, at most a quarter of the
    // squared length for the logistic loss.
    const double curvature = scales_->squared_length(count) * (logistic_ ? 0.25 : 1.0);
    if (best.correlation <=
        std::max(0.5 * options_->step * curvature, 1e-12 * static_cast<double>(indicators_->rows())))
      return false;
    const auto rows = indicators_->rows_of(best.node);
    const double size = options_->step * scales_->factor(count);
    std::vector<double> sums(width_, 0.0);
    for (const std::uint32_t row : rows)
      for (std::size_t j = 0; j < width_; ++j) sums[j] += residuals_[row * width_ + j];
    const double share = static_cast<double>(count) / static_cast<double>(indicators_->rows());
    std::vector<double> moves(width_);
    for (std::size_t j = 0; j < width_; ++j) {
      const double correlation = (sums[j] - static_cast<double>(count) * means_[j]) * scales_->factor(count);
      moves[j] = size * (width_ == 1 ? (correlation > 0.0 ? 1.0 : -1.0) : correlation / best.correlation);
    }
    for (std::size_t j = 0; j < width_; ++j) {
      if (moves[j] == 0.0) continue;
      const double unit = logistic_ ? 1.0 : target_scales_.deviations[j];
      changes.push_back({best.node, first_output + static_cast<std::uint32_t>(j), moves[j] * unit});
      if (!logistic_) intercepts_[j] -= moves[j] * unit * share;
    }
    move(rows, moves);
    for (std::uint32_t node = best.node; indicators_->parent(node) != node;) {
      node = indicators_->parent(node);
      if (kept_[node] != 0) break;
      kept_[node] = 1;
    }
    return true;
  }

 private:
  struct Best {
    double correlation = 0.0;
    std::uint32_t node = 0;
  };

  /// Small forests are not worth the threads.
  template <typename Body>
  void for_each_tree(const Body& body) const {
    if (indicators_->nodes() * width_ < std::size_t{1} << 17) {
      for (std::size_t tree = 0; tree < indicators_->trees(); ++tree) body(tree);
      return;
    }
    parallel_for(*context_, indicators_->trees(), body);
  }

  /// Fully grown trees have many nodes of the same rows, so with equal correlations: the one that brings the
  /// fewest new test nodes makes the smallest model, and of those the first.
  Best best_of_all() const {
    Best largest;
    for (const Best& of_tree : best_)
      if (of_tree.correlation > largest.correlation) largest = of_tree;
    // A leaf of one row is the same in every tree that has it.
    std::size_t alone = indicators_->rows();
    if (width_ == 1)
      for (const std::uint32_t row : larger_->rows_alone()) {
        const double correlation = std::abs(residuals_[row] - means_[0]) * scales_->factor(1);
        if (correlation <= largest.correlation) continue;
        largest.correlation = correlation;
        alone = row;
      }
    Best best;
    std::size_t fewest = std::numeric_limits<std::size_t>::max();
    const auto consider = [&](const Best& candidate) {
      // Sums of the same rows differ by rounding, as trees add them up in their own order.
      constexpr double rounding = 1e-11;
      if (candidate.correlation < largest.correlation * (1.0 - rounding)) return;
      const std::size_t tests = new_tests(candidate.node);
      if (tests >= fewest) return;
      fewest = tests;
      best = candidate;
    };
    for (std::size_t tree = 0; tree < best_.size(); ++tree) {
      consider(best_[tree]);
      if (alone == indicators_->rows()) continue;
      const std::uint32_t leaf = indicators_->leaf(tree, alone);
      if (indicators_->count(leaf) == 1) consider({largest.correlation, leaf});
    }
    return best;
  }

  /// How many test nodes a pruned tree would have more if this node had a weight.
  std::size_t new_tests(std::uint32_t node) const {
    std::size_t tests = 0;
    for (; kept_[indicators_->parent(node)] == 0 && indicators_->parent(node) != node; ++tests)
      node = indicators_->parent(node);
    return tests;
  }

  /// Of one output: the nodes of at least two rows.
  Best best_of_one(std::size_t tree, const std::span<const std::uint32_t>* changed) {
    double largest = 0.0;
    std::size_t found = larger_->size();
    const auto look = [&, mean = means_[0]](std::size_t place, double sum) {
      const std::uint32_t count = larger_->count(place);
      const double correlation = std::abs(sum - static_cast<double>(count) * mean) * scales_->factor(count);
      if (correlation <= largest) return;
      largest = correlation;
      found = place;
    };
    if (changed == nullptr) {
      larger_->add_up(tree, residuals_, sums_.data(), look);
    } else {
      larger_->add_up_again(tree, residuals_, *changed, sums_.data());
      for (std::size_t place = larger_->begin(tree); place < larger_->begin(tree + 1); ++place)
        look(place, sums_[place]);
    }
    return {largest, largest > 0.0 ? larger_->node(found) : 0};
  }

  Best best_of_group(std::size_t tree, const std::span<const std::uint32_t>* changed) {
    if (changed == nullptr)
      indicators_->add_up(tree, width_, residuals_.data(), sums_.data());
    else
      indicators_->add_up_again(tree, width_, residuals_.data(), *changed, sums_.data());
    Best best;
    for (std::uint32_t node = indicators_->tree_begin(tree); node < indicators_->tree_begin(tree + 1);
         ++node) {
      const std::uint32_t count = indicators_->count(node);
      const double* sums = sums_.data() + node * width_;
      double squares = 0.0;
      for (std::size_t j = 0; j < width_; ++j) {
        const double centred = sums[j] - static_cast<double>(count) * means_[j];
        squares += centred * centred;
      }
      const double correlation = std::sqrt(squares) * scales_->factor(count);
      if (correlation > best.correlation) best = {correlation, node};
    }
    return best;
  }

  void move(std::span<const std::uint32_t> rows, const std::vector<double>& moves) {
    // The residuals that change: of the square loss those of the rows of the node, if the shift of all of
    // them is left to the sums; of the logistic loss all.
    std::vector<double>& moved = logistic_ ? scores_ : residuals_;
    for (const std::uint32_t row : rows)
      for (std::size_t j = 0; j < width_; ++j) moved[row * width_ + j] += logistic_ ? moves[j] : -moves[j];
    if (logistic_) update_probabilities();
    update_sums(logistic_ ? nullptr : &rows);
  }

  /// Brings the sums of the nodes up to date where residuals of the given rows, or of all, have changed, and
  /// finds the best of every tree.
  void update_sums(const std::span<const std::uint32_t>* changed) {
    const double per_row = 1.0 / static_cast<double>(indicators_->rows());
    std::fill(means_.begin(), means_.end(), 0.0);
    for (std::size_t i = 0; i < residuals_.size(); i += width_)
      for (std::size_t j = 0; j < width_; ++j) means_[j] += residuals_[i + j];
    for (double& mean : means_) mean *= per_row;
    for_each_tree([&](std::size_t tree) {
      const std::size_t nodes = indicators_->tree_begin(tree + 1) - indicators_->tree_begin(tree);
      // A walk from a leaf to the root visits some nodes out of order, each as dear as a few in order.
      constexpr std::size_t walk = 64;
      const auto* few = changed != nullptr && changed->size() * walk < nodes ? changed : nullptr;
      best_[tree] = width_ == 1 ? best_of_one(tree, few) : best_of_group(tree, few);
    });
  }

  void start_log_odds(std::size_t output) {
    // Between rows of one kind only there is nothing to tell apart: the odds are bounded.
    const double rows = static_cast<double>(indicators_->rows());
    const double share = std::clamp(target_scales_.means[output], 0.5 / rows, 1.0 - 0.5 / rows);
    intercepts_[output] = portable_log(share / (1.0 - share));
  }

  /// Residuals y - p; the intercept is not penalised and so always the best, up to what Newton's steps leave.
  void update_probabilities() {
    constexpr int newton_steps = 2;
    for (std::size_t j = 0; j < width_; ++j) {
      const bool constant = target_scales_.deviations[j] == 0.0;
      for (int k = 0; k <= newton_steps; ++k) {
        double slope = 0.0;
        double curvature = 0.0;
        for (std::size_t i = j; i < values_.size(); i += width_) {
          const double p = probability(intercepts_[j] + scores_[i]);
          residuals_[i] = constant ? 0.0 : values_[i] - p;
          slope += values_[i] - p;
          curvature += p * (1.0 - p);
        }
        if (constant || k == newton_steps || curvature <= 0.0) break;
        intercepts_[j] += slope / curvature;
      }
    }
  }

  const NodeIndicators* indicators_;
  const LargerNodes* larger_;  ///< for a single output
  const IndicatorScales* scales_;
  const StagewiseOptions* options_;
  const Context* context_;
  bool logistic_;
  std::size_t width_;
  std::vector<double> values_;
  TargetScales target_scales_;
  std::vector<double> intercepts_;
  std::vector<double> scores_;     ///< logistic: log-odds without the intercept
  std::vector<double> residuals_;  ///< of the square loss: up to a number that all rows of an output share
  std::vector<double> sums_;   ///< of the residuals, for each node; of a single output for each larger one
  std::vector<double> means_;  ///< of the residuals
  std::vector<std::uint8_t> kept_;  ///< whether a node below this one has had a weight
  std::vector<Best> best_;          ///< of each tree
};

/// The changes of every step of one output, and its intercept after each; the first are those before any.
struct OutputPath {
  std::vector<NodePath::Change> changes;
  std::vector<double> intercepts;
};

}  // namespace

NodePath stagewise_path(const NodeIndicators& indicators, const PathTargets& targets,
                        const StagewiseOptions& options, const Context& context) {
  const IndicatorScales scales(options.scale, indicators.rows());
  const auto steps = static_cast<std::size_t>(std::floor(options.length / options.step + 1e-9));
  NodePath path;
  path.outputs = targets.outputs;
  if (options.shared && targets.outputs > 1) {
    StagewiseGroup group(indicators, nullptr, scales, targets.together(0, targets.outputs), targets.outputs,
                         options, targets.logistic, context);
    path.end_knot(0.0, group.intercepts());
    for (std::size_t k = 1; k <= steps && group.step(0, path.changes); ++k) {
      context.check_stop();
      path.end_knot(static_cast<double>(k) * options.step, group.intercepts());
    }
    return path;
  }
  // Each output by itself, and then side by side.
  const LargerNodes larger(indicators);
  std::vector<OutputPath> alone(targets.outputs);
  parallel_for(context, targets.outputs, [&](std::size_t j) {
    StagewiseGroup group(indicators, &larger, scales, targets.column(j), 1, options, targets.logistic,
                         context);
    alone[j].intercepts.push_back(group.intercepts()[0]);
    for (std::size_t k = 1; k <= steps; ++k) {
      if (!group.step(static_cast<std::uint32_t>(j), alone[j].changes)) break;
      alone[j].intercepts.push_back(group.intercepts()[0]);
      context.check_stop();
    }
  });
  std::size_t longest = 0;
  for (const OutputPath& of_output : alone) longest = std::max(longest, of_output.changes.size());
  std::vector<double> intercepts(targets.outputs);
  for (std::size_t k = 0; k <= longest; ++k) {
    for (std::size_t j = 0; j < targets.outputs; ++j) {
      if (k > 0 && k <= alone[j].changes.size()) path.changes.push_back(alone[j].changes[k - 1]);
      intercepts[j] = alone[j].intercepts[std::min(k, alone[j].intercepts.size() - 1)];
    }
    path.end_knot(static_cast<double>(k) * options.step, intercepts);
  }
  return path;
}

}  // namespace coppice
