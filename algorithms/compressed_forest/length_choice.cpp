#include "algorithms/compressed_forest/length_choice.h"

#include <algorithm>
#include <cmath>

namespace coppice {

double LengthChoice::at(double bound) const {
  if (losses.empty()) return bound;
  const auto count = std::min(losses.size(), static_cast<std::size_t>(std::floor(bound / step + 1e-9)) + 1);
  // Of equal losses that of the smallest model.
  const auto end = losses.begin() + static_cast<std::ptrdiff_t>(count);
  auto best = std::min_element(losses.begin(), end);
  if (one_standard_error && !standard_errors.empty()) {
    const double enough = *best + standard_errors[static_cast<std::size_t>(best - losses.begin())];
    best = std::find_if(losses.begin(), end, [&](double loss) { return loss <= enough; });
  }
  return static_cast<double>(best - losses.begin()) * step;
}

double LengthChoice::largest(double bound) const {
  if (losses.empty()) return bound;
  double largest = at(bound);
  if (one_standard_error)
    for (std::size_t k = 0; k < losses.size(); ++k) {
      const double smaller = static_cast<double>(k) * step;
      if (smaller <= bound) largest = std::max(largest, at(smaller));
    }
  return largest;
}

}  // namespace coppice
