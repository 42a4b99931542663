#include <algorithm>
#include <cmath>

#include "core/base/portable_math.h"
#include "core/losses/families.h"
#include "core/losses/line_search.h"
#include "core/losses/margins.h"

namespace coppice {

namespace {

/// A loss of the margin y·f, y = ±1, whose state is the score.
class MarginLoss : public Loss {
 public:
  explicit MarginLoss(LossDescription description) : description_(std::move(description)) {}
  const LossDescription& description() const override { return description_; }

  void start(const LossTargets& /*targets*/, double score, std::span<std::byte> state) const override {
    std::ranges::fill(numbers_of<double>(state), score);
  }
  void gradients(const LossTargets& targets, std::span<const std::byte> state, std::size_t first,
                 std::span<double> gradients) const override {
    if (targets.one_sided()) {
      std::fill(gradients.begin(), gradients.end(), 0.0);
      return;
    }
    const auto scores = numbers_of<double>(state);
    targets.each(first, first + gradients.size(), -1.0, 1.0, [&](std::size_t row, double target) {
      gradients[row - first] = negative_gradient(target, scores[row], 0.0);
    });
  }
  void move(const LossTargets& /*targets*/, std::span<const std::uint32_t> group,
            std::span<const double> moves, std::span<std::byte> state) const override {
    const auto scores = numbers_of<double>(state);
    for (std::size_t row = 0; row < scores.size(); ++row) scores[row] += moves[group[row]];
  }
  double total(const LossTargets& targets, std::span<const std::byte> state) const override {
    const auto scores = numbers_of<double>(state);
    double sum = 0.0;
    targets.each(0, scores.size(), -1.0, 1.0,
                 [&](std::size_t row, double target) { sum += value(target, scores[row], 0.0); });
    return sum;
  }

 private:
  LossDescription description_;
};

class ExponentialLoss : public MarginLoss {
 public:
  ExponentialLoss()
      : MarginLoss({.name = "exponential",
                    .summary = "Grows exponentially with a wrong score: that of AdaBoost.",
                    .formula = "exp(-y f), y = ±1",
                    .reference = "thesis Table 4.1",
                    .labels = true}) {}

  double value(double target, double score, double /*delta*/) const override {
    return portable_exp(-target * score);
  }
  double negative_gradient(double target, double score, double /*delta*/) const override {
    return target * portable_exp(-target * score);
  }
  double prediction(double score) const override { return logistic_probability(score); }
  double constant(const LossTargets& targets) const override { return half_log_odds(targets); }

  double step(const LossTargets& targets, std::span<const std::byte> state,
              const StepDirection& direction) const override {
    const double largest = largest_size(direction.values);
    if (targets.one_sided() || largest == 0.0) return 0.0;
    const auto scores = numbers_of<double>(state);
    // In each group the loss is that of its positive rows times e^-ρv plus that of the others times e^ρv.
    std::vector<double> positive(direction.values.size(), 0.0);
    std::vector<double> negative(direction.values.size(), 0.0);
    targets.each(0, scores.size(), -1.0, 1.0, [&](std::size_t row, double target) {
      (target > 0.0 ? positive : negative)[direction.group[row]] += value(target, scores[row], 0.0);
    });
    return minimise_convex(
        [&](double place) {
          Derivatives sums;
          for (std::size_t g = 0; g < positive.size(); ++g) {
            const double told = direction.values[g];
            const double rising = negative[g] == 0.0 ? 0.0 : negative[g] * portable_exp(place * told);
            const double falling = positive[g] == 0.0 ? 0.0 : positive[g] * portable_exp(-place * told);
            sums.first += told * (rising - falling);
            sums.second += told * told * (rising + falling);
            sums.third += told * told * told * (rising - falling);
          }
          return sums;
        },
        most_move / largest, largest);
  }
};

class HingeLoss : public MarginLoss {
 public:
  HingeLoss()
      : MarginLoss({.name = "hinge",
                    .summary = "Grows linearly from where the score is not right by 1.",
                    .formula = "max(0, 1 - y f), y = ±1",
                    .reference = "thesis Table 4.1",
                    .labels = true}) {}

  double value(double target, double score, double /*delta*/) const override {
    return std::max(0.0, 1.0 - target * score);
  }
  double negative_gradient(double target, double score, double /*delta*/) const override {
    return target * score < 1.0 ? target : 0.0;
  }
  double prediction(double score) const override { return std::clamp(0.5 * (score + 1.0), 0.0, 1.0); }
  double constant(const LossTargets& targets) const override {
    const std::size_t twice = 2 * targets.positives().size();
    return twice > targets.rows() ? 1.0 : twice < targets.rows() ? -1.0 : 0.0;
  }

  double step(const LossTargets& targets, std::span<const std::byte> state,
              const StepDirection& direction) const override {
    if (targets.one_sided()) return 0.0;
    const auto scores = numbers_of<double>(state);
    std::vector<Bend> bends;
    double falling = 0.0;
    targets.each(0, scores.size(), -1.0, 1.0, [&](std::size_t row, double target) {
      const double told = target * direction.rows[row];
      if (told == 0.0) return;
      bends.push_back({(1.0 - target * scores[row]) / told, std::abs(told)});
      if (told > 0.0) falling += told;
    });
    return minimise_piecewise_linear(bends, -falling);
  }
};

}  // namespace

std::unique_ptr<Loss> make_exponential_loss() {
  return std::make_unique<ExponentialLoss>();
}

std::unique_ptr<Loss> make_hinge_loss() {
  return std::make_unique<HingeLoss>();
}

}  // namespace coppice
