#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace coppice {

// Numbers in data files. All functions read from `at` on, need a readable byte that ends the number (see
// LineReader), and return the place behind the number, or null if there is none that is allowed.

/// Those that are doubles themselves.
inline constexpr std::array<double, 23> powers_of_ten{1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                                      1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                                      1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

inline bool is_digit(char character) {
  return character >= '0' && character <= '9';
}

/// A decimal number with optional sign, fraction and exponent, as the nearest double; `nan`, `inf`,
/// hexadecimal and numbers beyond the range of double are refused.
const char* parse_any_real(const char* at, double& value);

/// The same; short numbers such as 12 or -0.25 take a short way.
inline const char* parse_real(const char* at, double& value) {
  const char* const start = at;
  const bool negative = *at == '-';
  if (negative) ++at;
  std::uint64_t mantissa = 0;
  const char* const digits = at;
  while (is_digit(*at)) mantissa = mantissa * 10 + static_cast<std::uint64_t>(*at++ - '0');
  const char* const point = at;
  if (*at == '.') {
    ++at;
    while (is_digit(*at)) mantissa = mantissa * 10 + static_cast<std::uint64_t>(*at++ - '0');
  }
  // Up to 15 digits are exact, and so is the power of ten: one rounding, so the nearest double.
  const auto length = at - digits;
  if (point == digits || length > 16 || *at == 'e' || *at == 'E') return parse_any_real(start, value);
  const auto magnitude = static_cast<double>(mantissa);
  const double scaled =
      at == point ? magnitude : magnitude / powers_of_ten[static_cast<std::size_t>(at - point - 1)];
  value = negative ? -scaled : scaled;
  return at;
}

/// A whole number from 0 to 2^32 - 1 without sign.
inline const char* parse_index(const char* at, std::uint32_t& value) {
  if (!is_digit(*at)) return nullptr;
  std::uint64_t number = 0;
  do {
    number = number * 10 + static_cast<std::uint64_t>(*at - '0');
    if (number > 0xffffffffU) return nullptr;
    ++at;
  } while (is_digit(*at));
  value = static_cast<std::uint32_t>(number);
  return at;
}

/// Whether the text is a name of "not a number" or infinity in any spelling that tools write.
bool is_not_finite_word(std::string_view text);

}  // namespace coppice
