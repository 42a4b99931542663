#include "core/path/lasso.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "core/base/portable_math.h"

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
    for (const auto& [node, weights] : active_) sum += norm(weights);
    return sum;
  }

  /// What has changed since the last call, in the units of the outputs and of the plain indicators.
  void take_changes(std::uint32_t first_output, std::vector<NodePath::Change>& changes,
                    std::vector<double>& intercepts) {
    for (const auto& [node, weights] : active_) {
      std::vector<double>& before = taken_.try_emplace(node, width_, 0.0).first->second;
      const double factor = scales_->factor(indicators_->count(node));
      const double share = indicators_->count(node) / n_;
      for (std::size_t j = 0; j < width_; ++j) {
        if (weights[j] == before[j]) continue;
        const double change = (weights[j] - before[j]) * factor * target_scales_.deviations[j];
        changes.push_back({node, first_output + static_cast<std::uint32_t>(j), change});
        intercepts[first_output + j] -= change * share;
        before[j] = weights[j];
      }
    }
  }
  const std::vector<double>& means() const { return target_scales_.means; }

 private:
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

  /// Passes over the active indicators until the duality gap is small.
  void descend() {
    constexpr int most_passes = 100000;
    for (int pass = 0; pass < most_passes; ++pass) {
      if (pass % 100 == 0) context_->check_stop();
      double moved = 0.0;
      double longest = 0.0;
      for (auto& [node, weights] : active_) {
        moved = std::max(moved, update(node, weights));
        longest = std::max(longest, norm(weights));
      }
      // The gap is only worth its price when little moves.
      if (moved <= 1e-4 * longest + 1e-300 && gap() <= options_->tolerance * squares_) return;
      // What is left is rounding.
      if (moved <= 1e-14 * longest) return;
    }
  }

  /// The best weights of one node, all others kept; returns how far they moved.
  double update(std::uint32_t node, std::vector<double>& weights) {
    const auto rows = indicators_->rows_of(node);
    const auto count = static_cast<std::uint32_t>(rows.size());
    const double squared_length = scales_->squared_length(count);
    find_products(rows);
    for (std::size_t j = 0; j < width_; ++j) products_[j] += squared_length * weights[j];
    const double length = norm(products_);
    const double shrink = length <= n_ * penalty_ ? 0.0 : (1.0 - n_ * penalty_ / length) / squared_length;
    double moved = 0.0;
    for (std::size_t j = 0; j < width_; ++j) {
      const double change = shrink * products_[j] - weights[j];
      if (change == 0.0) continue;
      weights[j] += change;
      moved += change * change;
      const double plain = change * scales_->factor(count);
      for (const std::uint32_t row : rows) residuals_[row * width_ + j] -= plain;
      totals_[j] -= plain * count;
    }
    return std::sqrt(moved);
  }

  /// Of the problem with the active indicators only.
  double gap() {
    double residual_squares = 0.0;
    for (std::size_t i = 0; i < residuals_.size(); ++i) {
      const double residual = residuals_[i] - totals_[i % width_] / n_;
      residual_squares += residual * residual;
    }
    double largest = 0.0;
    double fitted = 0.0;  // (Xw)·r
    for (const auto& [node, weights] : active_) {
      find_products(indicators_->rows_of(node));
      largest = std::max(largest, norm(products_));
      for (std::size_t j = 0; j < width_; ++j) fitted += weights[j] * products_[j];
    }
    const double bound = n_ * penalty_;
    const double scale = largest > bound ? bound / largest : 1.0;
    return 0.5 * (1.0 + scale * scale) * residual_squares + bound * length() -
           scale * (residual_squares + fitted);
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
    for (std::uint32_t node = 0; node < indicators_->nodes(); ++node) {
      const double value = correlation(node);
      if (value > bound * (1.0 + options_->tolerance) + rounding && !active_.contains(node))
        found.emplace_back(-value, node);
    }
    if (found.empty()) return false;
    // The worst only: most of the others follow from them.
    constexpr std::size_t at_least = 32;
    const std::size_t most = std::max(at_least, active_.size() / 2);
    if (found.size() > most) {
      std::partial_sort(found.begin(), found.begin() + static_cast<std::ptrdiff_t>(most), found.end());
      found.resize(most);
    }
    for (const auto& [value, node] : found) active_.try_emplace(node, width_, 0.0);
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
  std::map<std::uint32_t, std::vector<double>> active_;  ///< scaled weights by node
  std::map<std::uint32_t, std::vector<double>> taken_;
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
