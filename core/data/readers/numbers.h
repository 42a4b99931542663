#pragma once

#include <cstdint>
#include <string_view>

namespace coppice {

// Numbers in data files. All functions read from `at` on, need a readable byte that ends the number (see
// LineReader), and return the place behind the number, or null if there is none that is allowed.

inline bool is_digit(char character) {
  return character >= '0' && character <= '9';
}

/// A decimal number with optional sign, fraction and exponent, as the nearest double; `nan`, `inf`,
/// hexadecimal and numbers beyond the range of double are refused.
const char* parse_real(const char* at, double& value);

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
