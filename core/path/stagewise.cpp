#include "core/path/stagewise.h"

#include <algorithm>
#include <cmath>

#include "core/base/portable_math.h"

namespace coppice {

namespace {

double probability(double log_odds) {
  return 1.0 / (1.0 + portable_exp(-log_odds));
}

/// The path of some outputs that move together; often a single one.
class StagewiseGroup {
 public:
  StagewiseGroup(const NodeIndicators& indicators, const IndicatorScales& scales, std::vector<double> values,
                 std::size_t width, const StagewiseOptions& options, bool logistic, const Context& context)
      : indicators_(&indicators),
        scales_(&scales),
        options_(&options),
        context_(&context),
        logistic_(logistic),
        width_(width),
        values_(std::move(values)),
        target_scales_(values_, width),
        intercepts_(width, 0.0),
        sums_(std::size_t{indicators.nodes()} * width),
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
    for_each_tree([&](std::size_t tree) {
      indicators_->add_up(tree, width_, residuals_.data(), sums_.data());
      best_[tree] = best_of(tree);
    });
  }

  const std::vector<double>& intercepts() const { return intercepts_; }

  /// One step; appends to `changes`. False if none reduces the loss.
  bool step(std::uint32_t first_output, std::vector<NodePath::Change>& changes) {
    Best best;
    for (const Best& of_tree : best_)
      if (of_tree.correlation > best.correlation) best = of_tree;
    const std::uint32_t count = best.correlation > 0.0 ? indicators_->count(best.node) : 0;
    // The loss falls by ε·c - ε²·l/2 with l its curvature along the indicator, at most a quarter of the
    // squared length for the logistic loss.
    const double curvature = scales_->squared_length(count) * (logistic_ ? 0.25 : 1.0);
    if (best.correlation <=
        std::max(0.5 * options_->step * curvature, 1e-12 * static_cast<double>(indicators_->rows())))
      return false;
    const auto rows = indicators_->rows_of(best.node);
    const double size = options_->step * scales_->factor(count);
    const double* sums = sums_.data() + best.node * width_;
    const double* all = sums_.data() + indicators_->tree_begin(indicators_->tree_of(best.node)) * width_;
    const double share = static_cast<double>(count) / static_cast<double>(indicators_->rows());
    std::vector<double> moves(width_);
    for (std::size_t j = 0; j < width_; ++j) {
      const double correlation = (sums[j] - share * all[j]) * scales_->factor(count);
      moves[j] = size * (width_ == 1 ? (correlation > 0.0 ? 1.0 : -1.0) : correlation / best.correlation);
    }
    for (std::size_t j = 0; j < width_; ++j) {
      if (moves[j] == 0.0) continue;
      const double unit = logistic_ ? 1.0 : target_scales_.deviations[j];
      changes.push_back({best.node, first_output + static_cast<std::uint32_t>(j), moves[j] * unit});
      if (!logistic_) intercepts_[j] -= moves[j] * unit * share;
    }
    move(rows, moves);
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

  Best best_of(std::size_t tree) const {
    const std::uint32_t begin = indicators_->tree_begin(tree);
    const std::uint32_t end = indicators_->tree_begin(tree + 1);
    const double per_row = 1.0 / static_cast<double>(indicators_->rows());
    Best best;
    if (width_ == 1) {
      const double mean = sums_[begin] * per_row;
      for (std::uint32_t node = begin; node < end; ++node) {
        const std::uint32_t count = indicators_->count(node);
        const double correlation =
            std::abs(sums_[node] - static_cast<double>(count) * mean) * scales_->factor(count);
        if (correlation > best.correlation) best = {correlation, node};
      }
      return best;
    }
    const double* all = sums_.data() + begin * width_;
    for (std::uint32_t node = begin; node < end; ++node) {
      const std::uint32_t count = indicators_->count(node);
      const double share = static_cast<double>(count) * per_row;
      const double* sums = sums_.data() + node * width_;
      double squares = 0.0;
      for (std::size_t j = 0; j < width_; ++j) {
        const double centred = sums[j] - share * all[j];
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
    for_each_tree([&](std::size_t tree) {
      const std::size_t nodes = indicators_->tree_begin(tree + 1) - indicators_->tree_begin(tree);
      // A walk from a leaf to the root visits about so many nodes, out of order.
      constexpr std::size_t walk = 32;
      if (!logistic_ && rows.size() * walk < nodes)
        indicators_->add_up_again(tree, width_, residuals_.data(), rows, sums_.data());
      else
        indicators_->add_up(tree, width_, residuals_.data(), sums_.data());
      best_[tree] = best_of(tree);
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
  std::vector<double> sums_;       ///< of the residuals, for each node
  std::vector<Best> best_;         ///< of each tree
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
    StagewiseGroup group(indicators, scales, targets.together(0, targets.outputs), targets.outputs, options,
                         targets.logistic, context);
    path.end_knot(0.0, group.intercepts());
    for (std::size_t k = 1; k <= steps && group.step(0, path.changes); ++k) {
      context.check_stop();
      path.end_knot(static_cast<double>(k) * options.step, group.intercepts());
    }
    return path;
  }
  // Each output by itself, and then side by side.
  std::vector<OutputPath> alone(targets.outputs);
  parallel_for(context, targets.outputs, [&](std::size_t j) {
    StagewiseGroup group(indicators, scales, targets.column(j), 1, options, targets.logistic, context);
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
