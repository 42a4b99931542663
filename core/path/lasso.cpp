#include "core/path/lasso.h"

#include <algorithm>
#include <cmath>

#include "core/base/portable_math.h"
#include "core/path/support_step.h"

namespace coppice {

namespace {

/// Coordinate descent for outputs whose weights are penalised together; often a single one.
class LassoGroup {
 public:
  LassoGroup(const NodeIndicators& indicators, const IndicatorScales& scales,
             const std::vector<double>& values, std::size_t width, const LassoOptions& options,
             const Context& context)
      : indicators_(&indicators),
        scales_(&scales),
        options_(&options),
        context_(&context),
        width_(width),
        n_(static_cast<double>(indicators.rows())),
        target_scales_(values, width),
        residuals_(values.size()),
        totals_(width, 0.0),
        sums_(std::size_t{indicators.nodes()} * width) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      const double deviation = target_scales_.deviations[i % width_];
      residuals_[i] = deviation > 0.0 ? (values[i] - target_scales_.means[i % width_]) / deviation : 0.0;
      squares_ += residuals_[i] * residuals_[i];
    }
    for (std::size_t i = 0; i < residuals_.size(); ++i) totals_[i % width_] += residuals_[i];
    add_up();
    for (std::uint32_t node = 0; node < indicators_->nodes(); ++node)
      largest_penalty_ = std::max(largest_penalty_, correlation(node) / n_);
  }

  double largest_penalty() const { return largest_penalty_; }

  /// Weights that solve the problem of one penalty, starting from those of the one before.
  void solve(double penalty) {
    penalty_ = penalty;
    for (;;) {
      context_->check_stop();
      descend();
      if (!add_violators()) return;
    }
  }

  /// The sum of the (lengths of the) scaled weights.
  double length() const {
    double sum = 0.0;
    for (const Active& one : active_) sum += norm(one.weights);
    return sum;
  }

  /// What has changed since the last call, in the units of the outputs and of the plain indicators.
  void take_changes(std::uint32_t first_output, std::vector<NodePath::Change>& changes,
                    std::vector<double>& intercepts) {
    for (Active& one : active_) {
      const auto count = static_cast<std::uint32_t>(one.rows.size());
      const double factor = scales_->factor(count);
      const double share = count / n_;
      for (std::size_t j = 0; j < width_; ++j) {
        if (one.weights[j] == one.taken[j]) continue;
        const double change = (one.weights[j] - one.taken[j]) * factor * target_scales_.deviations[j];
        changes.push_back({one.node, first_output + static_cast<std::uint32_t>(j), change});
        intercepts[first_output + j] -= change * share;
        one.taken[j] = one.weights[j];
      }
    }
  }
  const std::vector<double>& means() const { return target_scales_.means; }

 private:
  /// An indicator that can have a weight.
  struct Active {
    std::uint32_t node = 0;
    std::span<const std::uint32_t> rows;
    std::vector<double> weights;  ///< of the scaled indicator, in each output
    std::vector<double> taken;    ///< those that take_changes() has told
  };

  static double norm(const std::vector<double>& weights) {
    if (weights.size() == 1) return std::abs(weights[0]);
    double squares = 0.0;
    for (const double weight : weights) squares += weight * weight;
    return std::sqrt(squares);
  }

  void add_up() {
    parallel_for(*context_, indicators_->trees(), [&](std::size_t tree) {
      indicators_->add_up(tree, width_, residuals_.data(), sums_.data());
    });
  }

  /// The product of a scaled indicator with the residuals in one output, from the sum over its rows.
  double product(std::uint32_t count, double sum, std::size_t output) const {
    return (sum - count * totals_[output] / n_) * scales_->factor(count);
  }
  double correlation(std::uint32_t node) const {
    const std::uint32_t count = indicators_->count(node);
    double squares = 0.0;
    for (std::size_t j = 0; j < width_; ++j) {
      const double value = product(count, sums_[node * width_ + j], j);
      squares += value * value;
    }
    return std::sqrt(squares);
  }

  /// Passes over the active indicators until the duality gap is small. Indicators of nodes overlap much, and
  /// passes alone would take thousands; Newton steps on those that have a weight lie between them.
  void descend() {
    constexpr int most_rounds = 10000;
    constexpr int passes_in_round = 5;
    for (int round = 0; round < most_rounds; ++round) {
      context_->check_stop();
      double moved = 0.0;
      double longest = 0.0;
      for (int pass = 0; pass < passes_in_round; ++pass) {
        moved = 0.0;
        longest = 0.0;
        for (Active& one : active_) {
          // Those without a weight get one in the first pass, or must wait for the next round.
          if (pass > 0 && norm(one.weights) == 0.0) continue;
          moved = std::max(moved, update(one));
          longest = std::max(longest, norm(one.weights));
        }
      }
      if (gap() <= options_->tolerance * squares_) return;
      // What is left is rounding.
      if (moved <= 1e-14 * longest) return;
      // A weight that becomes 0 ends a step early; the next one goes on without it.
      while (width_ == 1 && newton_step()) context_->check_stop();
    }
  }

  /// The best weights of one node, all others kept; returns how far they moved.
  double update(Active& one) {
    const auto count = static_cast<std::uint32_t>(one.rows.size());
    const double squared_length = scales_->squared_length(count);
    find_products(one.rows);
    for (std::size_t j = 0; j < width_; ++j) products_[j] += squared_length * one.weights[j];
    const double length = norm(products_);
    const double shrink = length <= n_ * penalty_ ? 0.0 : (1.0 - n_ * penalty_ / length) / squared_length;
    double moved = 0.0;
    for (std::size_t j = 0; j < width_; ++j) {
      const double change = shrink * products_[j] - one.weights[j];
      if (change == 0.0) continue;
      moved += change * change;
      move(one, j, change);
    }
    return std::sqrt(moved);
  }

  /// Changes a weight, and the residuals by it.
  void move(Active& one, std::size_t output, double change) {
    one.weights[output] += change;
    const double plain = change * scales_->factor(static_cast<std::uint32_t>(one.rows.size()));
    for (const std::uint32_t row : one.rows) residuals_[row * width_ + output] -= plain;
    totals_[output] -= plain * static_cast<double>(one.rows.size());
  }

  /// Goes where the weights of one output would be best if they kept their signs; those that would not keep
  /// them become 0. If that is no progress it goes only as far as all signs hold, which always is. Returns
  /// whether any weight became 0.
  bool newton_step() {
    constexpr std::size_t most_columns = 1500;  // a factorisation takes the third power of it
    std::vector<Active*> support;
    std::vector<SupportColumn> columns;
    std::vector<double> gradient;
    for (Active& one : active_) {
      if (one.weights[0] == 0.0) continue;
      support.push_back(&one);
      columns.push_back({one.rows, scales_->factor(static_cast<std::uint32_t>(one.rows.size()))});
      find_products(one.rows);
      gradient.push_back(products_[0] - std::copysign(n_ * penalty_, one.weights[0]));
    }
    if (support.empty() || support.size() > most_columns) return false;
    const std::vector<double> step = support_step(columns, indicators_->rows(), gradient);
    std::vector<double> before(support.size());
    double farthest = 1.0;
    for (std::size_t i = 0; i < support.size(); ++i) {
      before[i] = support[i]->weights[0];
      if (before[i] * (before[i] + step[i]) < 0.0) farthest = std::min(farthest, -before[i] / step[i]);
    }
    const auto go = [&](double share) {
      for (std::size_t i = 0; i < support.size(); ++i) {
        const double wanted = before[i] + share * step[i];
        const double kept = wanted * before[i] > 0.0 ? wanted : 0.0;
        move(*support[i], 0, kept - support[i]->weights[0]);
        support[i]->weights[0] = kept;
      }
    };
    const double objective_before = objective();
    go(1.0);
    if (farthest == 1.0) return false;
    if (objective() > objective_before) go(farthest);
    return true;
  }

  /// Half the residuals' squares and the penalty: what is made least.
  double objective() const { return 0.5 * residual_squares() + n_ * penalty_ * length(); }

  double residual_squares() const {
    double squares = 0.0;
    for (std::size_t i = 0; i < residuals_.size(); ++i) {
      const double residual = residuals_[i] - totals_[i % width_] / n_;
      squares += residual * residual;
    }
    return squares;
  }

  /// Of the problem with the active indicators only.
  double gap() {
    const double squares = residual_squares();
    double largest = 0.0;
    double fitted = 0.0;  // (Xw)·r
    for (const Active& one : active_) {
      find_products(one.rows);
      largest = std::max(largest, norm(products_));
      for (std::size_t j = 0; j < width_; ++j) fitted += one.weights[j] * products_[j];
    }
    const double bound = n_ * penalty_;
    const double scale = largest > bound ? bound / largest : 1.0;
    return 0.5 * (1.0 + scale * scale) * squares + bound * length() - scale * (squares + fitted);
  }

  /// Leaves the products of a scaled indicator with the residuals in products_.
  void find_products(std::span<const std::uint32_t> rows) {
    products_.assign(width_, 0.0);
    for (const std::uint32_t row : rows)
      for (std::size_t j = 0; j < width_; ++j) products_[j] += residuals_[row * width_ + j];
    for (std::size_t j = 0; j < width_; ++j)
      products_[j] = product(static_cast<std::uint32_t>(rows.size()), products_[j], j);
  }

  /// Indicators without a weight that must have one; false if there are none.
  bool add_violators() {
    add_up();
    constexpr double rounding = 1e-9;
    const double bound = n_ * penalty_;
    std::vector<std::pair<double, std::uint32_t>> found;
    auto next = active_.begin();
    for (std::uint32_t node = 0; node < indicators_->nodes(); ++node) {
      if (next != active_.end() && next->node == node) {
        ++next;
        continue;
      }
      const double value = correlation(node);
      if (value > bound * (1.0 + options_->tolerance) + rounding) found.emplace_back(-value, node);
    }
    if (found.empty()) return false;
    // The worst only: most of the others follow from them.
    constexpr std::size_t at_least = 32;
    const std::size_t most = std::max(at_least, active_.size() / 2);
    if (found.size() > most) {
      std::partial_sort(found.begin(), found.begin() + static_cast<std::ptrdiff_t>(most), found.end());
      found.resize(most);
    }
    const std::vector<double> none(width_, 0.0);
    for (const auto& [value, node] : found) active_.push_back({node, indicators_->rows_of(node), none, none});
    std::ranges::sort(active_, {}, &Active::node);
    return true;
  }

  const NodeIndicators* indicators_;
  const IndicatorScales* scales_;
  const LassoOptions* options_;
  const Context* context_;
  std::size_t width_;
  double n_;
  TargetScales target_scales_;
  std::vector<double> residuals_;  ///< up to a number that all rows of an output share
  std::vector<double> totals_;     ///< of each output's residuals
  std::vector<double> sums_;
  double squares_ = 0.0;
  double largest_penalty_ = 0.0;
  double penalty_ = 0.0;
  std::vector<Active> active_;  ///< by node
  std::vector<double> products_;
};

}  // namespace

NodePath lasso_path(const NodeIndicators& indicators, const PathTargets& targets, const LassoOptions& options,
                    const Context& context) {
  const IndicatorScales scales(options.scale, indicators.rows());
  NodePath path;
  path.outputs = targets.outputs;
  path.linear_between_knots = true;
  const bool together = options.shared && targets.outputs > 1;
  const std::size_t width = together ? targets.outputs : 1;
  std::vector<LassoGroup> groups;
  std::vector<double> intercepts;
  double largest = 0.0;
  for (std::size_t first = 0; first < targets.outputs; first += width) {
    groups.emplace_back(indicators, scales, targets.together(first, width), width, options, context);
    largest = std::max(largest, groups.back().largest_penalty());
    const auto& means = groups.back().means();
    intercepts.insert(intercepts.end(), means.begin(), means.end());
  }
  path.end_knot(0.0, intercepts);
  for (std::size_t k = 1; k < options.knots && largest > 0.0; ++k) {
    const double share = static_cast<double>(k) / static_cast<double>(options.knots - 1);
    const double penalty = largest * portable_exp(share * portable_log(options.smallest));
    double length = 0.0;
    for (std::size_t g = 0; g < groups.size(); ++g) {
      groups[g].solve(penalty);
      length = std::max(length, groups[g].length());
      groups[g].take_changes(static_cast<std::uint32_t>(g * width), path.changes, intercepts);
    }
    if (length > path.lengths.back()) {
      path.end_knot(length, intercepts);
    } else {
      path.change_end.back() = path.changes.size();
      std::copy(intercepts.begin(), intercepts.end(),
                path.intercepts.end() - static_cast<std::ptrdiff_t>(path.outputs));
    }
    if (length >= options.length) break;
  }
  return path;
}

}  // namespace coppice
