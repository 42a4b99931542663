#include <algorithm>
#include <cmath>

#include "core/base/portable_math.h"
#include "core/losses/families.h"
#include "core/losses/line_search.h"
#include "core/losses/logistic_kernels.h"
#include "core/losses/margins.h"

namespace coppice {

namespace {

/// log(1 + x), which keeps small x: 2 atanh(x / (2 + x)).
double log_one_plus(double x) {
  if (std::abs(x) > 0.1) return portable_log(1.0 + x);
  const double ratio = x / (2.0 + x);
  const double square = ratio * ratio;
  double series = 0.0;
  for (int k = 6; k >= 1; --k) series = (series + 1.0 / (2.0 * k + 1.0)) * square;
  return 2.0 * ratio * (1.0 + series);
}

/// log(1 + e^x) without overflow.
double softplus(double x) {
  return x > 0.0 ? x + log_one_plus(portable_exp(-x)) : log_one_plus(portable_exp(x));
}

/// The state of a row is the probability p of the label, or p - 1 where p is above one half: both ends of the
/// scale keep all their digits. A move of the score multiplies the odds, and a tree makes as many different
/// moves as it has leaves, so no row ever needs a logarithm or an exponential.
class LogisticLoss : public Loss {
 public:
  const LossDescription& description() const override {
    static const LossDescription description{
        .name = "logistic",
        .summary = "Minus the log-likelihood of the labels, each on its own.",
        .formula = "log(1 + exp(-2 y f)), y = ±1",
        .reference = "thesis (6.5), Table 4.1",
        .labels = true};
    return description;
  }

  double value(double target, double score, double /*delta*/) const override {
    return softplus(-2.0 * target * score);
  }
  double negative_gradient(double target, double score, double /*delta*/) const override {
    return 2.0 * target * logistic_probability(-target * score);
  }
  double prediction(double score) const override { return logistic_probability(score); }
  double constant(const LossTargets& targets) const override { return half_log_odds(targets); }

  void start(const LossTargets& /*targets*/, double score, std::span<double> state) const override {
    const double smaller = logistic_probability(-std::abs(score));
    std::fill(state.begin(), state.end(), score <= 0.0 ? smaller : -smaller);
  }

  void gradients(const LossTargets& targets, std::span<const double> state, std::size_t first,
                 std::span<double> gradients) const override {
    if (targets.one_sided()) {
      std::fill(gradients.begin(), gradients.end(), 0.0);
      return;
    }
    logistic_gradients(state.data() + first, gradients.size(), gradients.data());
    const auto positives = targets.positives();
    for (std::size_t i = targets.first_positive(first);
         i < positives.size() && positives[i] < first + gradients.size(); ++i) {
      const double kept = state[positives[i]];
      gradients[positives[i] - first] = 2.0 * (kept < 0.0 ? -kept : 1.0 - kept);
    }
  }

  void add_gradients(const LossTargets& targets, std::span<const double> state, double factor,
                     std::span<double> sums) const override {
    if (targets.one_sided()) return;
    logistic_add(state.data(), state.size(), -2.0 * factor, sums.data());
    for (const std::uint32_t row : targets.positives()) sums[row] += 2.0 * factor;
  }

  double step(const LossTargets& targets, std::span<const double> state,
              const StepDirection& direction) const override {
    const double largest = largest_size(direction.values);
    if (targets.one_sided() || largest == 0.0) return 0.0;
    double positive = 0.0;
    for (const std::uint32_t row : targets.positives()) positive += direction.rows[row];
    std::vector<double> factors(direction.values.size());
    return minimise_convex(
        [&](double place) {
          LogisticSums sums;
          if (place == 0.0) {
            sums = logistic_sums(state.data(), direction.rows.data(), state.size());
          } else {
            for (std::size_t g = 0; g < factors.size(); ++g)
              factors[g] = portable_exp(2.0 * place * direction.values[g]);
            sums = logistic_sums_moved(state.data(), direction.rows.data(), direction.group.data(),
                                       factors.data(), state.size());
          }
          return Derivatives{2.0 * (sums.first - positive), 4.0 * sums.second, 8.0 * sums.third};
        },
        most_move / largest, 2.0 * largest);
  }

  void move(const LossTargets& targets, std::span<const std::uint32_t> group, std::span<const double> moves,
            std::span<double> state) const override {
    if (targets.one_sided()) return;
    std::vector<double> factors(moves.size());
    for (std::size_t g = 0; g < moves.size(); ++g) factors[g] = portable_exp(2.0 * moves[g]);
    logistic_move(state.data(), group.data(), factors.data(), state.size());
  }

  double total(const LossTargets& targets, std::span<const double> state) const override {
    double sum = 0.0;
    targets.each(0, state.size(), 0.0, 1.0, [&](std::size_t row, double target) {
      // The smaller probability is known to all its digits: -log of it, or of 1 less it.
      const double smaller = std::abs(state[row]);
      const bool likely = state[row] < 0.0;
      sum -= likely == (target > 0.0) ? log_one_plus(-smaller) : portable_log(smaller);
    });
    return sum;
  }
};

}  // namespace

std::unique_ptr<Loss> make_logistic_loss() {
  return std::make_unique<LogisticLoss>();
}

}  // namespace coppice
