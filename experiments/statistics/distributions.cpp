#include "experiments/statistics/distributions.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <boost/math/distributions/binomial.hpp>
#include <boost/math/distributions/chi_squared.hpp>
#include <boost/math/distributions/fisher_f.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <boost/math/special_functions/erf.hpp>

namespace coppice {

namespace {

/// Beyond this many deviations the normal density is below 1e-31.
constexpr double far_out = 12.0;
constexpr int steps_per_unit = 20;

double normal_density(double x) {
  return std::exp(-0.5 * x * x) / std::sqrt(2.0 * std::numbers::pi);
}

/// P(low < X < high) for a standard normal X, from whichever tail loses no digits.
double normal_between(double low, double high) {
  const double root = std::numbers::sqrt2;
  if (low > 0.0) return 0.5 * (boost::math::erfc(low / root) - boost::math::erfc(high / root));
  return 0.5 * (boost::math::erfc(-high / root) - boost::math::erfc(-low / root));
}

}  // namespace

double chi_square_tail(double statistic, double degrees) {
  if (statistic <= 0.0) return 1.0;
  return boost::math::cdf(boost::math::complement(boost::math::chi_squared(degrees), statistic));
}

double f_tail(double statistic, double first_degrees, double second_degrees) {
  if (statistic <= 0.0) return 1.0;
  if (std::isinf(statistic)) return 0.0;
  return boost::math::cdf(
      boost::math::complement(boost::math::fisher_f(first_degrees, second_degrees), statistic));
}

double student_two_sided(double statistic, double degrees) {
  if (std::isinf(statistic)) return 0.0;
  const boost::math::students_t distribution(degrees);
  return std::min(1.0, 2.0 * boost::math::cdf(boost::math::complement(distribution, std::abs(statistic))));
}

double normal_two_sided(double statistic) {
  return boost::math::erfc(std::abs(statistic) / std::numbers::sqrt2);
}

double sign_test_p(std::size_t wins, std::size_t losses) {
  if (wins == losses) return 1.0;
  const boost::math::binomial distribution(static_cast<double>(wins + losses), 0.5);
  return std::min(1.0, 2.0 * boost::math::cdf(distribution, static_cast<double>(std::min(wins, losses))));
}

double studentised_range_tail(double statistic, std::size_t groups) {
  if (statistic <= 0.0) return 1.0;
  // groups × ∫ φ(z) (Φ(z) − Φ(z − q))^(groups − 1) dz, z being the largest of the variables. The integrand
  // and all its derivatives vanish at both ends, so the trapezoidal rule converges faster than any power of
  // the step.
  const double end = far_out + std::min(statistic, far_out);
  const auto steps = static_cast<int>((end + far_out) * steps_per_unit);
  double sum = 0.0;
  for (int i = 0; i <= steps; ++i) {
    const double z = -far_out + static_cast<double>(i) / steps_per_unit;
    sum += normal_density(z) * std::pow(normal_between(z - statistic, z), static_cast<double>(groups) - 1.0);
  }
  const double inside = static_cast<double>(groups) * sum / steps_per_unit;
  return std::clamp(1.0 - inside, 0.0, 1.0);
}

double studentised_range_quantile(double tail, std::size_t groups) {
  double low = 0.0;
  double high = 2.0 * far_out;
  // The tail falls as the range grows; 60 halvings leave less than a unit in the last place.
  for (int i = 0; i < 60; ++i) {
    const double middle = 0.5 * (low + high);
    (studentised_range_tail(middle, groups) > tail ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

}  // namespace coppice
