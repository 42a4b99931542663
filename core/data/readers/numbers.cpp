#include "core/data/readers/numbers.h"

#include <algorithm>
#include <charconv>
#include <string>

namespace coppice {

namespace {

/// The general case, by the standard library; the text has no plus sign.
const char* parse_slowly(const char* from, const char* to, std::int64_t exponent, double& value) {
  const auto result = std::from_chars(from, to, value);
  if (result.ec == std::errc()) return to;
  if (result.ec != std::errc::result_out_of_range) return nullptr;
  // Too near to zero is zero, too far from it is no number. What counts is where the first digit that is not
  // 0 stands.
  std::int64_t magnitude = exponent;
  bool leading = true;
  for (const char* at = from; at != to && *at != 'e' && *at != 'E'; ++at) {
    leading = leading && (*at < '1' || *at > '9');
    if (!leading && *at != '.') ++magnitude;
  }
  if (magnitude > 0) return nullptr;
  value = *from == '-' ? -0.0 : 0.0;
  return to;
}

}  // namespace

const char* parse_any_real(const char* at, double& value) {
  if (*at == '+') {
    ++at;
    if (*at == '-') return nullptr;
  }
  const char* const start = at;
  const bool negative = *at == '-';
  if (negative) ++at;
  std::uint64_t mantissa = 0;
  const char* const digits = at;
  while (is_digit(*at)) mantissa = mantissa * 10 + static_cast<std::uint64_t>(*at++ - '0');
  std::ptrdiff_t digit_count = at - digits;
  std::int64_t exponent = 0;
  if (*at == '.') {
    const char* const fraction = ++at;
    while (is_digit(*at)) mantissa = mantissa * 10 + static_cast<std::uint64_t>(*at++ - '0');
    exponent = fraction - at;
    digit_count -= exponent;
  }
  if (digit_count == 0) return nullptr;
  if (*at == 'e' || *at == 'E') {
    const char* const sign = ++at;
    if (*at == '+' || *at == '-') ++at;
    if (!is_digit(*at)) return nullptr;
    std::int64_t written = 0;
    while (is_digit(*at)) written = std::min<std::int64_t>(written * 10 + (*at++ - '0'), 1'000'000);
    exponent += *sign == '-' ? -written : written;
  }
  // A mantissa and a power of ten that are doubles themselves: one rounding, so the nearest double.
  constexpr std::uint64_t exact = std::uint64_t{1} << 53;
  if (digit_count <= 19 && mantissa <= exact && exponent >= -22 && exponent <= 22) {
    const auto magnitude = static_cast<double>(mantissa);
    const double power = powers_of_ten[static_cast<std::size_t>(exponent < 0 ? -exponent : exponent)];
    const double scaled = exponent < 0 ? magnitude / power : magnitude * power;
    value = negative ? -scaled : scaled;
    return at;
  }
  return parse_slowly(start, at, exponent, value);
}

bool is_not_finite_word(std::string_view text) {
  if (!text.empty() && (text[0] == '+' || text[0] == '-')) text.remove_prefix(1);
  std::string lower;
  for (const char character : text.substr(0, 10))
    lower += static_cast<char>(character >= 'A' && character <= 'Z' ? character - 'A' + 'a' : character);
  return lower == "nan" || lower == "inf" || lower == "infinity" || lower == "1.#inf" || lower == "1.#qnan" ||
         lower == "1.#ind";
}

}  // namespace coppice
