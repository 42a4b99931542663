#include "experiments/tables/number_format.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <vector>

#include <fmt/format.h>

namespace coppice {

namespace {

constexpr int most_significant_digits = 6;
constexpr int most_decimals = 8;

/// The power of ten of the first digit when the number is written with `digits` significant digits.
int leading_power(double value, int digits) {
  const std::string text = fmt::format("{:.{}e}", value, digits - 1);
  const std::size_t exponent = text.find('e');
  int power = 0;
  const char* begin = text.data() + exponent + (text[exponent + 1] == '+' ? 2 : 1);
  std::from_chars(begin, text.data() + text.size(), power);
  return power;
}

double largest_magnitude(std::span<const double> values) {
  double largest = 0.0;
  for (const double value : values)
    if (std::isfinite(value)) largest = std::max(largest, std::abs(value));
  return largest;
}

bool all_whole(std::span<const double> values) {
  return std::all_of(values.begin(), values.end(),
                     [](double value) { return !std::isfinite(value) || value == std::floor(value); });
}

}  // namespace

std::string NumberFormat::text(double value) const {
  if (std::isnan(value)) return "NaN";
  std::string text =
      scientific ? fmt::format("{:.{}e}", value, decimals) : fmt::format("{:.{}f}", value, decimals);
  if (text.starts_with('-') && text.find_first_of("123456789i") == std::string::npos) text.erase(0, 1);
  return text;
}

int separating_decimals(std::span<const double> values, int least, int most) {
  std::vector<double> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end());
  const auto separates = [&](int decimals) {
    const NumberFormat format{decimals, false};
    for (std::size_t i = 1; i < sorted.size(); ++i)
      if (sorted[i] != sorted[i - 1] && format.text(sorted[i]) == format.text(sorted[i - 1])) return false;
    return true;
  };
  for (int decimals = least; decimals <= most; ++decimals)
    if (separates(decimals)) return decimals;
  return least;
}

NumberFormat format_for(std::span<const double> means, std::span<const double> deviations) {
  const double deviation = largest_magnitude(deviations);
  const double largest = std::max(largest_magnitude(means), deviation);
  if (largest == 0.0) return {};
  if (deviation == 0.0 && all_whole(means) && largest < 1e15) return {};
  const int power = leading_power(largest, most_significant_digits);
  const int most = most_significant_digits - 1 - power;
  const int wanted = deviation > 0.0 ? 1 - leading_power(deviation, 2) : 3 - power;
  int decimals = std::clamp(wanted, 0, std::max(0, most));
  if (power > 14) return {most_significant_digits - 1, true};
  if (decimals > most_decimals) return {std::clamp(decimals + power, 1, most_significant_digits - 1), true};
  decimals = separating_decimals(means, decimals, std::clamp(most, decimals, decimals + 2));
  return {decimals, false};
}

std::string rank_text(double rank) {
  return fmt::format("{}", rank);
}

std::string probability_text(double probability) {
  if (std::isnan(probability)) return "NaN";
  if (probability < 1e-300) return "< 1e-300";
  if (probability < 1e-4) return fmt::format("{:.1e}", probability);
  const int decimals = std::max(2, 1 - leading_power(probability, 2));
  return fmt::format("{:.{}f}", probability, decimals);
}

}  // namespace coppice
