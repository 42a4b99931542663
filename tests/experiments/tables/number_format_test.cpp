#include "experiments/tables/number_format.h"

#include <limits>

#include <doctest/doctest.h>

#include "experiments/tables/display_width.h"

using namespace coppice;

namespace {
std::vector<std::string> formatted(const std::vector<double>& means, const std::vector<double>& deviations) {
  const NumberFormat format = format_for(means, deviations);
  std::vector<std::string> texts;
  for (const double mean : means) texts.push_back(format.text(mean));
  for (const double deviation : deviations) texts.push_back(format.text(deviation));
  return texts;
}
using Texts = std::vector<std::string>;
}  // namespace

TEST_CASE("decimals follow the deviation") {
  CHECK(formatted({-0.0042, 0.6123, 0.6341}, {0.0031, 0.0114, 0.0088}) ==
        Texts{"-0.004", "0.612", "0.634", "0.003", "0.011", "0.009"});
  CHECK(formatted({0.39, 0.25}, {0.161, 0.28}) == Texts{"0.39", "0.25", "0.16", "0.28"});
  CHECK(formatted({0.48931}, {0.00031}) == Texts{"0.48931", "0.00031"});
  CHECK(formatted({12345.6}, {234.5}) == Texts{"12346", "234"});
  CHECK(formatted({0.5}, {0.0998}) == Texts{"0.50", "0.10"});
}

TEST_CASE("different means look different where two more decimals suffice") {
  CHECK(formatted({0.6123, 0.6124}, {0.05, 0.05}) == Texts{"0.6123", "0.6124", "0.0500", "0.0500"});
  CHECK(formatted({0.61230001, 0.61230002}, {0.05, 0.05})[0] == "0.612");
}

TEST_CASE("without deviations four significant digits are shown") {
  CHECK(formatted({0.61234}, {}) == Texts{"0.6123"});
  CHECK(formatted({61.2345}, {0.0}) == Texts{"61.23", "0.00"});
  CHECK(formatted({12.0, 3.0}, {}) == Texts{"12", "3"});
  CHECK(formatted({0.0}, {0.0}) == Texts{"0", "0"});
}

TEST_CASE("numerical noise does not ask for endless digits") {
  CHECK(formatted({0.5}, {1e-17}) == Texts{"0.500000", "0.000000"});
  CHECK(formatted({1.2345e-12}, {1e-13}) == Texts{"1.23e-12", "1.00e-13"});
  CHECK(formatted({1.5e20}, {}) == Texts{"1.50000e+20"});
}

TEST_CASE("zero has no sign and what is no number says so") {
  CHECK(NumberFormat{3, false}.text(-0.0001) == "0.000");
  CHECK(NumberFormat{3, false}.text(-std::numeric_limits<double>::infinity()) == "-inf");
  CHECK(NumberFormat{3, false}.text(std::numeric_limits<double>::quiet_NaN()) == "NaN");
}

TEST_CASE("ranks and probabilities") {
  CHECK(rank_text(3.0) == "3");
  CHECK(rank_text(2.5) == "2.5");
  CHECK(probability_text(0.786) == "0.79");
  CHECK(probability_text(1.0) == "1.00");
  CHECK(probability_text(0.00131) == "0.0013");
  CHECK(probability_text(6.14e-5) == "6.1e-05");
  CHECK(probability_text(0.0) == "< 1e-300");
}

TEST_CASE("the width of a text is that on a terminal") {
  CHECK(display_width("plain") == 5);
  CHECK(display_width("0.612 ± 0.011") == 13);
  CHECK(display_width("—") == 1);
  CHECK(display_width("データ") == 6);
  CHECK(display_width("e\u0301te\u0301") == 3);
  CHECK(display_width("\xff\xfe") == 2);
  CHECK(display_width("\xe2\x82") == 2);
}

TEST_CASE("control characters cannot get through") {
  CHECK(without_controls("a\x1b[31mb\nc\td\x7f") == "a [31mb c d ");
  CHECK(without_controls("naïve ±") == "naïve ±");
  CHECK(without_controls("\xc2\x9b"
                         "x") == " x");
}

TEST_CASE("notes wrap at spaces") {
  CHECK(wrapped("one two three", 8) == Texts{"one two", "three"});
  CHECK(wrapped("one two three", 0) == Texts{"one two three"});
  CHECK(wrapped("unbreakable", 4) == Texts{"unbreakable"});
}
