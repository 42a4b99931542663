#pragma once

#include <span>
#include <string>

namespace coppice {

/// How the numbers of one line of a table are written, all alike so that they can be compared by eye.
struct NumberFormat {
  int decimals = 0;  ///< after the point, or of the mantissa
  bool scientific = false;

  /// A number that rounds to zero has no sign.
  std::string text(double value) const;
};

/// Decimals by the deviation: two significant digits of the largest one; without deviations, four significant
/// digits of the largest mean, none for whole numbers. Up to two more where different means would look alike.
/// Never more than six significant digits of the largest number, and scientific where that takes over eight
/// decimals.
NumberFormat format_for(std::span<const double> means, std::span<const double> deviations);

/// The fewest decimals, from `least` to `most`, with which different values look different; `least` if
/// even `most` does not tell them apart.
int separating_decimals(std::span<const double> values, int least, int most);

/// A rank: `2`, `3.5`.
std::string rank_text(double rank);

/// A probability to two significant digits, as the papers print it: `0.79`, `0.0013`, `6.1e-05`, `< 1e-300`.
std::string probability_text(double probability);

}  // namespace coppice
