#include <algorithm>
#include <cmath>

#include "core/losses/families.h"
#include "core/losses/line_search.h"

namespace coppice {

namespace {

/// A loss of the residual y - f, which is the state: targets are needed only to begin with.
class ResidualLoss : public Loss {
 public:
  explicit ResidualLoss(LossDescription description) : description_(std::move(description)) {}
  const LossDescription& description() const override { return description_; }

  double value(double target, double score, double delta) const override {
    return of_residual(target - score, delta);
  }
  double negative_gradient(double target, double score, double delta) const override {
    return slope(target - score, delta);
  }
  void start(const LossTargets& targets, double score, std::span<std::byte> state) const override {
    const auto residuals = numbers_of<double>(state);
    targets.each(0, targets.rows(), description_.low, description_.high,
                 [&](std::size_t row, double target) { residuals[row] = target - score; });
  }
  void gradients(const LossTargets& targets, std::span<const std::byte> state, std::size_t first,
                 std::span<double> gradients) const override {
    const auto residuals = numbers_of<double>(state);
    for (std::size_t i = 0; i < gradients.size(); ++i)
      gradients[i] = slope(residuals[first + i], targets.delta());
  }
  void move(const LossTargets& /*targets*/, std::span<const std::uint32_t> group,
            std::span<const double> moves, std::span<std::byte> state) const override {
    const auto residuals = numbers_of<double>(state);
    for (std::size_t row = 0; row < residuals.size(); ++row) residuals[row] -= moves[group[row]];
  }
  double total(const LossTargets& targets, std::span<const std::byte> state) const override {
    double sum = 0.0;
    for (const double residual : numbers_of<double>(state)) sum += of_residual(residual, targets.delta());
    return sum;
  }

 protected:
  virtual double of_residual(double residual, double delta) const = 0;
  virtual double slope(double residual, double delta) const = 0;

 private:
  LossDescription description_;
};

double median(std::span<const double> values) {
  std::vector<double> sorted(values.begin(), values.end());
  const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2);
  std::nth_element(sorted.begin(), middle, sorted.end());
  if (sorted.size() % 2 == 1) return *middle;
  return 0.5 * (*middle + *std::max_element(sorted.begin(), middle));
}

class SquareLoss : public ResidualLoss {
 public:
  SquareLoss()
      : ResidualLoss({.name = "square",
                      .summary = "Half the squared difference; on labels between the score and 0 or 1.",
                      .formula = "(y - f)² / 2",
                      .reference = "thesis (6.1), Table 4.1",
                      .labels = true,
                      .real = true,
                      .low = 0.0,
                      .high = 1.0}) {}

  double constant(const LossTargets& targets) const override {
    const auto rows = static_cast<double>(targets.rows());
    if (targets.is_label()) return static_cast<double>(targets.positives().size()) / rows;
    double sum = 0.0;
    for (const double value : targets.values()) sum += value;
    return sum / rows;
  }
  void gradients(const LossTargets& /*targets*/, std::span<const std::byte> state, std::size_t first,
                 std::span<double> gradients) const override {
    std::ranges::copy(numbers_of<double>(state).subspan(first, gradients.size()), gradients.begin());
  }
  void add_gradients(const LossTargets& /*targets*/, std::span<const std::byte> state, double factor,
                     std::span<double> sums) const override {
    const auto residuals = numbers_of<double>(state);
    for (std::size_t row = 0; row < residuals.size(); ++row) sums[row] += factor * residuals[row];
  }
  double step(const LossTargets& /*targets*/, std::span<const std::byte> state,
              const StepDirection& direction) const override {
    const auto residuals = numbers_of<double>(state);
    // Four sums at a time, added up in a fixed order.
    double along[4] = {};
    double squares[4] = {};
    std::size_t row = 0;
    for (; row + 4 <= residuals.size(); row += 4)
      for (std::size_t lane = 0; lane < 4; ++lane) {
        const double told = direction.rows[row + lane];
        along[lane] += residuals[row + lane] * told;
        squares[lane] += told * told;
      }
    for (; row < residuals.size(); ++row) {
      along[0] += residuals[row] * direction.rows[row];
      squares[0] += direction.rows[row] * direction.rows[row];
    }
    const double square = (squares[0] + squares[1]) + (squares[2] + squares[3]);
    return square > 0.0 ? ((along[0] + along[1]) + (along[2] + along[3])) / square : 0.0;
  }

 protected:
  double of_residual(double residual, double /*delta*/) const override { return 0.5 * residual * residual; }
  double slope(double residual, double /*delta*/) const override { return residual; }
};

class AbsoluteLoss : public ResidualLoss {
 public:
  AbsoluteLoss()
      : ResidualLoss({.name = "absolute",
                      .summary = "The difference without its sign: robust against outliers.",
                      .formula = "|y - f|",
                      .reference = "thesis (6.2), Table 4.1",
                      .real = true}) {}

  double constant(const LossTargets& targets) const override { return median(targets.values()); }
  double step(const LossTargets& /*targets*/, std::span<const std::byte> state,
              const StepDirection& direction) const override {
    const auto residuals = numbers_of<double>(state);
    std::vector<Bend> bends;
    bends.reserve(residuals.size());
    double weight = 0.0;
    for (std::size_t row = 0; row < residuals.size(); ++row) {
      const double told = direction.rows[row];
      if (told == 0.0) continue;
      bends.push_back({residuals[row] / told, 2.0 * std::abs(told)});
      weight += std::abs(told);
    }
    return minimise_piecewise_linear(bends, -weight);
  }

 protected:
  double of_residual(double residual, double /*delta*/) const override { return std::abs(residual); }
  double slope(double residual, double /*delta*/) const override {
    return residual > 0.0 ? 1.0 : residual < 0.0 ? -1.0 : 0.0;
  }
};

class HuberLoss : public ResidualLoss {
 public:
  HuberLoss()
      : ResidualLoss({.name = "huber",
                      .summary = "The square loss up to a difference of delta, and a straight line beyond.",
                      .formula = "(y - f)² / 2 if |y - f| ≤ delta, else delta (|y - f| - delta / 2)",
                      .reference = "Friedman 2001, 4.4 (delta is fixed here)",
                      .real = true}) {}

  double constant(const LossTargets& targets) const override {
    // From the median, along the direction in which all rows are told the same.
    const double middle = median(targets.values());
    double farthest = 0.0;
    for (const double value : targets.values()) farthest = std::max(farthest, std::abs(value - middle));
    return middle + minimise_convex(
                        [&](double place) {
                          Derivatives sums;
                          for (const double value : targets.values())
                            add(value - middle - place, 1.0, targets.delta(), sums);
                          return sums;
                        },
                        farthest, 0.0);
  }
  double step(const LossTargets& targets, std::span<const std::byte> state,
              const StepDirection& direction) const override {
    const auto residuals = numbers_of<double>(state);
    // Beyond the farthest point where a residual vanishes nothing gets better.
    double bound = 0.0;
    for (std::size_t row = 0; row < residuals.size(); ++row)
      if (direction.rows[row] != 0.0) bound = std::max(bound, std::abs(residuals[row] / direction.rows[row]));
    if (bound == 0.0) return 0.0;
    return minimise_convex(
        [&](double place) {
          Derivatives sums;
          for (std::size_t row = 0; row < residuals.size(); ++row)
            add(residuals[row] - place * direction.rows[row], direction.rows[row], targets.delta(), sums);
          return sums;
        },
        bound, 0.0);
  }

 protected:
  double of_residual(double residual, double delta) const override {
    const double size = std::abs(residual);
    return size <= delta ? 0.5 * residual * residual : delta * (size - 0.5 * delta);
  }
  double slope(double residual, double delta) const override { return std::clamp(residual, -delta, delta); }

 private:
  void add(double residual, double told, double delta, Derivatives& sums) const {
    sums.first -= slope(residual, delta) * told;
    if (std::abs(residual) <= delta) sums.second += told * told;
  }
};

}  // namespace

std::unique_ptr<Loss> make_square_loss() {
  return std::make_unique<SquareLoss>();
}

std::unique_ptr<Loss> make_absolute_loss() {
  return std::make_unique<AbsoluteLoss>();
}

std::unique_ptr<Loss> make_huber_loss() {
  return std::make_unique<HuberLoss>();
}

}  // namespace coppice
