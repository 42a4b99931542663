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

/// The state of a row is the probability p of the label, or p - 1 where p is above one half: a float keeps
/// its digits at both ends of the scale, and half the memory is half the time that large tasks wait for it. A
/// move of the score multiplies the odds, and a tree makes as many different moves as it has leaves, so no
/// row ever needs a logarithm or an exponential.
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

  std::size_t state_bytes() const override { return sizeof(float); }
  void start(const LossTargets& /*targets*/, double score, std::span<std::byte> state) const override {
    const auto smaller = static_cast<float>(logistic_probability(-std::abs(score)));
    std::ranges::fill(numbers_of<float>(state), score <= 0.0 ? smaller : -smaller);
  }

  void gradients(const LossTargets& targets, std::span<const std::byte> state, std::size_t first,
                 std::span<double> gradients) const override {
    if (targets.one_sided()) {
      std::fill(gradients.begin(), gradients.end(), 0.0);
      return;
    }
    const auto kept = numbers_of<float>(state);
    logistic_gradients(kept.subspan(first, gradients.size()), gradients);
    const auto positives = targets.positives();
    for (std::size_t i = targets.first_positive(first);
         i < positives.size() && positives[i] < first + gradients.size(); ++i) {
      const double near = kept[positives[i]];
      gradients[positives[i] - first] = 2.0 * (near < 0.0 ? -near : 1.0 - near);
    }
  }

  void add_gradients(const LossTargets& targets, std::span<const std::byte> state, double factor,
                     std::span<double> sums) const override {
    if (targets.one_sided()) return;
    logistic_add(numbers_of<float>(state), -2.0 * factor, sums);
    for (const std::uint32_t row : targets.positives()) sums[row] += 2.0 * factor;
  }

  double step(const LossTargets& targets, std::span<const std::byte> state,
              const StepDirection& direction) const override {
    const double largest = largest_size(direction.values);
    if (targets.one_sided() || largest == 0.0) return 0.0;
    const auto kept = numbers_of<float>(state);
    const double unit = largest / largest_told;
    std::vector<std::int32_t> told(direction.values.size());
    for (std::size_t g = 0; g < told.size(); ++g)
      told[g] = static_cast<std::int32_t>(std::nearbyint(direction.values[g] / unit));
    std::int64_t positive = 0;
    for (const std::uint32_t row : targets.positives()) positive += told[direction.group[row]];
    std::vector<float> factors(told.size());
    return minimise_convex(
        [&](double place) {
          LogisticSums sums;
          if (place == 0.0) {
            sums = logistic_sums(kept, direction.group, told);
          } else {
            find_factors(direction.values, place, factors);
            sums = logistic_sums_moved(kept, direction.group, told, factors);
          }
          const double along = unit * (sums.small + static_cast<double>(sums.likely - positive));
          return Derivatives{2.0 * along, 4.0 * unit * unit * sums.second,
                             8.0 * unit * unit * unit * sums.third};
        },
        most_move / largest, 2.0 * largest);
  }

  void move(const LossTargets& targets, std::span<const std::uint32_t> group, std::span<const double> moves,
            std::span<std::byte> state) const override {
    if (targets.one_sided()) return;
    std::vector<float> factors(moves.size());
    find_factors(moves, 1.0, factors);
    logistic_move(numbers_of<float>(state), group, factors);
  }

  double total(const LossTargets& targets, std::span<const std::byte> state) const override {
    const auto kept = numbers_of<float>(state);
    double sum = 0.0;
    targets.each(0, kept.size(), 0.0, 1.0, [&](std::size_t row, double target) {
      // The smaller probability is known to all its digits: -log of it, or of 1 less it.
      const double smaller = std::abs(kept[row]);
      const bool likely = kept[row] < 0.0F;
      sum -= likely == (target > 0.0) ? log_one_plus(-smaller) : portable_log(smaller);
    });
    return sum;
  }

 private:
  /// What moves of so many times these values multiply the odds by.
  static void find_factors(std::span<const double> values, double times, std::span<float> factors) {
    std::vector<double> odds(values.begin(), values.end());
    for (double& value : odds) value *= 2.0 * times;
    portable_exps(odds);
    for (std::size_t g = 0; g < factors.size(); ++g) factors[g] = static_cast<float>(odds[g]);
  }
};

}  // namespace

std::unique_ptr<Loss> make_logistic_loss() {
  return std::make_unique<LogisticLoss>();
}

}  // namespace coppice
