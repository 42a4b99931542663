#include "core/data/readers/numbers.h"

#include <cmath>
#include <cstdlib>
#include <string>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "core/base/random.h"

using namespace coppice;

namespace {

/// The whole text as a number; NaN if it is none.
double real(const std::string& text) {
  double value = 0.0;
  const char* end = parse_real(text.c_str(), value);
  return end == text.c_str() + text.size() ? value : std::nan("");
}

}  // namespace

TEST_CASE("numbers are read to the nearest double") {
  CHECK(real("0") == 0.0);
  CHECK(real("-0.5") == -0.5);
  CHECK(real("+3") == 3.0);
  CHECK(real(".5") == 0.5);
  CHECK(real("5.") == 5.0);
  CHECK(real("1e3") == 1000.0);
  CHECK(real("1E-3") == 0.001);
  CHECK(real("123456789012345678901234567890") == 123456789012345678901234567890.0);
  CHECK(real("0.1") == 0.1);
  CHECK(real("9007199254740993") == 9007199254740992.0);
  CHECK(real("1e22") == 1e22);
  CHECK(real("1e23") == 1e23);
  CHECK(real("4.9e-324") == 4.9e-324);
}

TEST_CASE("numbers agree with the C library on random texts") {
  Stream stream(3);
  for (int i = 0; i < 20000; ++i) {
    const int digits = 1 + static_cast<int>(stream.below(20));
    std::string text = stream.below(2) == 0 ? "-" : "";
    for (int d = 0; d < digits; ++d) {
      text += static_cast<char>('0' + stream.below(10));
      if (d == digits / 2 && stream.below(2) == 0) text += '.';
    }
    if (stream.below(3) == 0) text += fmt::format("e{}", static_cast<int>(stream.below(60)) - 30);
    CAPTURE(text);
    REQUIRE(real(text) == std::strtod(text.c_str(), nullptr));
  }
}

TEST_CASE("too small is zero, too large and everything else is refused") {
  CHECK(real("1e-400") == 0.0);
  CHECK(real(fmt::format("-0.{}1", std::string(400, '0'))) == 0.0);
  CHECK(real(fmt::format("{}1", std::string(400, '0'))) == 1.0);
  for (const std::string text : {"1e400", "nan", "NaN", "inf", "-inf", "0x10", "", "-", "+", ".", "e5", "1e",
                                 "1e+", "+-1", "--1", "1.2.3", "1,5"})
    CHECK_MESSAGE(std::isnan(real(text)), text);
  CHECK(std::isnan(real(fmt::format("{}.0", std::string(400, '9')))));
}

TEST_CASE("indices are whole numbers of 32 bits") {
  std::uint32_t value = 0;
  CHECK(parse_index("4294967295", value) != nullptr);
  CHECK(value == 4294967295U);
  CHECK(parse_index("4294967296", value) == nullptr);
  CHECK(parse_index("-1", value) == nullptr);
  CHECK(parse_index("x", value) == nullptr);
}

TEST_CASE("words for what is not finite are recognised") {
  for (const char* word : {"nan", "NaN", "-NAN", "inf", "+Inf", "Infinity", "1.#QNAN", "1.#INF"})
    CHECK(is_not_finite_word(word));
  for (const char* word : {"", "banana", "info", "1", "nano"}) CHECK_FALSE(is_not_finite_word(word));
}
