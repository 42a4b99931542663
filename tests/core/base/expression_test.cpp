#include "core/base/expression.h"

#include <cmath>
#include <string>

#include <doctest/doctest.h>

#include "core/base/error.h"

using coppice::Error;
using coppice::Expression;

namespace {
double value(const std::string& text) {
  return Expression::parse(text).evaluate({300, 80, 16});
}
}  // namespace

TEST_CASE("expressions follow the usual rules of arithmetic") {
  CHECK(value("100") == 100);
  CHECK(value("1 + 2 * 3") == 7);
  CHECK(value("(1 + 2) * 3") == 9);
  CHECK(value("2 ^ 3 ^ 2") == 512);
  CHECK(value("-2 ^ 2") == -4);
  CHECK(value("10 - 4 - 3") == 3);
  CHECK(value("1e-3") == 0.001);
  CHECK(value("0.1*p") == doctest::Approx(8.0));
}

TEST_CASE("expressions know the sizes of the data and the named functions") {
  CHECK(value("sqrt(p)") == doctest::Approx(std::sqrt(80.0)));
  CHECK(value("ln(d)") == doctest::Approx(std::log(16.0)));
  CHECK(value("log2(d)") == doctest::Approx(4.0));
  CHECK(value("log10(1000)") == doctest::Approx(3.0));
  CHECK(value("n/3") == 100);
  CHECK(value("min(n, d)") == 16);
  CHECK(value("max(1, floor(0.01*p))") == 1);
  CHECK(value("ceil(0.5 + ln(d))") == 4);
}

TEST_CASE("an expression without n, p and d is constant") {
  CHECK(Expression::parse("2*3").is_constant());
  CHECK_FALSE(Expression::parse("2*p").is_constant());
}

TEST_CASE("a wrong expression is refused with the offending part") {
  CHECK_THROWS_WITH_AS(Expression::parse("sqr(p)"),
                       doctest::Contains("unknown name 'sqr' (did you mean sqrt?)"), Error);
  CHECK_THROWS_WITH_AS(Expression::parse("1 +"), doctest::Contains("ends too early"), Error);
  CHECK_THROWS_WITH_AS(Expression::parse("(1"), doctest::Contains("')' is missing"), Error);
  CHECK_THROWS_WITH_AS(Expression::parse("1 2"), doctest::Contains("unexpected '2'"), Error);
  CHECK_THROWS_WITH_AS(Expression::parse(""), doctest::Contains("empty"), Error);
  CHECK_THROWS_AS(Expression::parse(std::string(10000, '(')), Error);
  CHECK_THROWS_AS(Expression::parse(std::string(10000, '-')), Error);
}
