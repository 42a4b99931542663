#include "core/base/portable_math.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "core/base/wide_vectors.h"

namespace coppice {

namespace {

constexpr double ln2_high = 0x1.62e42fee00000p-1;
constexpr double ln2_low = 0x1.a39ef35793c76p-33;
constexpr double half_pi_high = 0x1.921fb54400000p0;
constexpr double half_pi_middle = 0x1.0b4611a600000p-34;
constexpr double half_pi_low = 0x1.3198a2e037073p-69;

template <std::size_t N>
[[gnu::always_inline]] inline double polynomial(const std::array<double, N>& coefficients, double x) {
  double value = 0.0;
  for (std::size_t i = N; i-- > 0;) value = value * x + coefficients[i];
  return value;
}

double sin_near_zero(double x) {
  const double square = x * x;
  double term = x;
  double sum = 0.0;
  for (int k = 1; k < 12; ++k) {
    term *= -square / ((2.0 * k) * (2.0 * k + 1.0));
    sum += term;
  }
  return x + sum;
}

double cos_near_zero(double x) {
  const double square = x * x;
  double term = 1.0;
  double sum = 0.0;
  for (int k = 1; k < 12; ++k) {
    term *= -square / ((2.0 * k - 1.0) * (2.0 * k));
    sum += term;
  }
  return 1.0 + sum;
}

/// AS 241 for probabilities within 0.425 of a half.
constexpr std::array<double, 8> middle_above{
    3.3871328727963666080e0, 1.3314166789178437745e2, 1.9715909503065514427e3, 1.3731693765509461125e4,
    4.5921953931549871457e4, 6.7265770927008700853e4, 3.3430575583588128105e4, 2.5090809287301226727e3};
constexpr std::array<double, 8> middle_below{1.0,
                                             4.2313330701600911252e1,
                                             6.8718700749205790830e2,
                                             5.3941960214247511077e3,
                                             2.1213794301586595867e4,
                                             3.9307895800092710610e4,
                                             2.8729085735721942674e4,
                                             5.2264952788528545610e3};

[[gnu::always_inline]] inline double middle_quantile(double q) {
  const double r = 0.180625 - q * q;
  return q * polynomial(middle_above, r) / polynomial(middle_below, r);
}

/// AS 241 for those farther from a half, by r = √(-log of the distance from the nearer end) - 1.6, r ≤ 3.4.
constexpr std::array<double, 8> tail_above{1.42343711074968357734e0,  4.63033784615654529590e0,
                                           5.76949722146069140550e0,  3.64784832476320460504e0,
                                           1.27045825245236838258e0,  2.41780725177450611770e-1,
                                           2.27238449892691845833e-2, 7.74545014278341407640e-4};
constexpr std::array<double, 8> tail_below{1.0,
                                           2.05319162663775882187e0,
                                           1.67638483018380384940e0,
                                           6.89767334985100004550e-1,
                                           1.48103976427480074590e-1,
                                           1.51986665636164571966e-2,
                                           5.47593808499534494600e-4,
                                           1.05075007164441684324e-9};

/// The logarithm of mantissa · 2^exponent, the mantissa in [1/2, 1).
[[gnu::always_inline]] inline double log_of(double mantissa, double exponent) {
  const bool small = mantissa < 0x1.6a09e667f3bcdp-1;
  mantissa = small ? mantissa * 2.0 : mantissa;
  exponent = small ? exponent - 1.0 : exponent;
  // log(m) = 2 atanh(s) with s = (m - 1) / (m + 1), |s| < 0.172.
  const double s = (mantissa - 1.0) / (mantissa + 1.0);
  const double square = s * s;
  double series = 0.0;
  for (int k = 12; k >= 1; --k) series = (series + 1.0 / (2.0 * k + 1.0)) * square;
  return exponent * ln2_high + (2.0 * s + (2.0 * s * series + exponent * ln2_low));
}

/// e^x is 2^whole times this.
[[gnu::always_inline]] inline double exp_mantissa(double x, double& whole) {
  whole = std::floor(x / (ln2_high + ln2_low) + 0.5);
  const double rest = (x - whole * ln2_high) - whole * ln2_low;
  double term = 1.0;
  double sum = 0.0;
  for (int k = 1; k < 16; ++k) {
    term *= rest / k;
    sum += term;
  }
  return 1.0 + sum;
}

/// Whether e^x is far from the ends of the range of doubles, so that its power of two is a plain one.
bool is_plain_exponent(double x) {
  return std::abs(x) < 700.0;
}
/// The sum has the whole number in its last bits, which become the exponent.
[[gnu::always_inline]] inline double power_of_two(double whole) {
  return std::bit_cast<double>((std::bit_cast<std::uint64_t>(whole + 0x1.8p52) + 1023) << 52);
}

COPPICE_WIDE_VECTORS
void plain_exps(double* values, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    double whole = 0.0;
    const double mantissa = exp_mantissa(values[i], whole);
    values[i] = mantissa * power_of_two(whole);
  }
}

}  // namespace

double portable_log(double x) {
  if (std::isnan(x) || x < 0.0) return std::numeric_limits<double>::quiet_NaN();
  if (x == 0.0) return -std::numeric_limits<double>::infinity();
  if (std::isinf(x)) return x;
  int exponent = 0;
  const double mantissa = std::frexp(x, &exponent);
  return log_of(mantissa, exponent);
}

double portable_exp(double x) {
  if (std::isnan(x)) return x;
  if (x > 709.78) return std::numeric_limits<double>::infinity();
  if (x < -745.13) return 0.0;
  double whole = 0.0;
  const double mantissa = exp_mantissa(x, whole);
  return is_plain_exponent(x) ? mantissa * power_of_two(whole)
                              : std::ldexp(mantissa, static_cast<int>(whole));
}

void portable_exps(std::span<double> values) {
  if (std::ranges::all_of(values, is_plain_exponent))
    plain_exps(values.data(), values.size());
  else
    for (double& value : values) value = portable_exp(value);
}

double portable_sin(double x) {
  if (!std::isfinite(x)) return std::numeric_limits<double>::quiet_NaN();
  const double quarter = std::floor(x / half_pi_high + 0.5);
  const double rest = ((x - quarter * half_pi_high) - quarter * half_pi_middle) - quarter * half_pi_low;
  switch (static_cast<int>(quarter - 4.0 * std::floor(quarter / 4.0))) {
    case 0:
      return sin_near_zero(rest);
    case 1:
      return cos_near_zero(rest);
    case 2:
      return -sin_near_zero(rest);
    default:
      return -cos_near_zero(rest);
  }
}

double portable_pow(double base, double exponent) {
  if (exponent == std::floor(exponent) && std::abs(exponent) <= 64.0) {
    double value = 1.0;
    for (int i = 0; i < static_cast<int>(std::abs(exponent)); ++i) value *= base;
    return exponent < 0.0 ? 1.0 / value : value;
  }
  return portable_exp(exponent * portable_log(base));
}

double normal_quantile(double probability) {
  static constexpr std::array<double, 8> e{6.65790464350110377720e0,  5.46378491116411436990e0,
                                           1.78482653991729133580e0,  2.96560571828504891230e-1,
                                           2.65321895265761230930e-2, 1.24266094738807843860e-3,
                                           2.71155556874348757815e-5, 2.01033439929228813265e-7};
  static constexpr std::array<double, 8> f{1.0,
                                           5.99832206555887937690e-1,
                                           1.36929880922735805310e-1,
                                           1.48753612908506148525e-2,
                                           7.86869131145613259100e-4,
                                           1.84631831751005468180e-5,
                                           1.42151175831644588870e-7,
                                           2.04426310338993978564e-15};
  const double q = probability - 0.5;
  if (std::abs(q) <= 0.425) return middle_quantile(q);
  const double r = std::sqrt(-portable_log(q < 0.0 ? probability : 1.0 - probability));
  const double value = r <= 5.0 ? polynomial(tail_above, r - 1.6) / polynomial(tail_below, r - 1.6)
                                : polynomial(e, r - 5.0) / polynomial(f, r - 5.0);
  return q < 0.0 ? -value : value;
}

}  // namespace coppice
