#include "core/base/portable_math.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <doctest/doctest.h>

#include "core/base/random.h"

using namespace coppice;

namespace {
bool close(double a, double b) {
  return std::abs(a - b) <= 4e-16 * std::max({1e-300, std::abs(a), std::abs(b)});
}
}  // namespace

TEST_CASE("portable functions agree with the C library to a few units in the last place") {
  Stream stream(3);
  for (int i = 0; i < 100000; ++i) {
    const double wide = portable_exp(stream.uniform(-300, 300));
    CHECK_MESSAGE(std::abs(portable_log(wide) - std::log(wide)) <= 1e-13, wide);
    const double x = stream.uniform(0.001, 20.0);
    CHECK_MESSAGE(close(portable_log(x + 1.5), std::log(x + 1.5)), x);
    const double small = stream.uniform(-30, 30);
    CHECK_MESSAGE(std::abs(portable_exp(small) / std::exp(small) - 1.0) < 2e-15, small);
    CHECK_MESSAGE(std::abs(portable_sin(small) - std::sin(small)) < 1e-15, small);
    CHECK_MESSAGE(std::abs(portable_pow(x, 1.7) / std::pow(x, 1.7) - 1.0) < 2e-14, x);
  }
}

TEST_CASE("portable functions at their limits") {
  CHECK(std::isinf(portable_log(0.0)));
  CHECK(std::isnan(portable_log(-1.0)));
  CHECK(portable_log(1.0) == 0.0);
  CHECK(portable_exp(0.0) == 1.0);
  CHECK(portable_exp(-1000.0) == 0.0);
  CHECK(std::isinf(portable_exp(1000.0)));
  CHECK(portable_sin(0.0) == 0.0);
}

TEST_CASE("many exponentials at a time are the same numbers, bit for bit") {
  Stream stream(9);
  for (const double reach : {1.0, 30.0, 699.0, 800.0}) {
    std::vector<double> many{0.0, -0.0, reach, -reach};
    for (int i = 0; i < 1000; ++i) many.push_back(stream.uniform(-reach, reach));
    const std::vector<double> exponents = many;
    portable_exps(many);
    for (std::size_t i = 0; i < many.size(); ++i) {
      REQUIRE(many[i] == portable_exp(exponents[i]));
      if (many[i] > 1e-300 && std::isfinite(many[i]))
        REQUIRE(std::abs(many[i] / std::exp(exponents[i]) - 1.0) < 2e-15);
    }
  }
}

TEST_CASE("the normal quantile inverts the normal distribution") {
  // Golden: scipy 1.10 scipy.stats.norm.ppf
  CHECK(normal_quantile(0.5) == 0.0);
  CHECK(normal_quantile(0.975) == doctest::Approx(1.959963984540054).epsilon(1e-14));
  CHECK(normal_quantile(1e-10) == doctest::Approx(-6.361340902404056).epsilon(1e-14));
  CHECK(normal_quantile(1e-300) == doctest::Approx(-37.0471).epsilon(1e-5));
}
