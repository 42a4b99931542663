#include "core/losses/line_search.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace coppice {

namespace {

constexpr double precision = 1e-4;
constexpr int most_newton_steps = 20;

/// The step that Halley's method takes, or Newton's where that makes no sense.
double newton_step(const Derivatives& at) {
  const double newton = -at.first / at.second;
  const double correction = 1.0 + 0.5 * newton * at.third / at.second;
  return correction > 0.5 && correction < 2.0 ? newton / correction : newton;
}

/// The middle one of three places, of the first, the middle and the last bend.
double middle_place(std::span<const Bend> bends) {
  const double a = bends.front().place;
  const double b = bends[bends.size() / 2].place;
  const double c = bends.back().place;
  return std::max(std::min(a, b), std::min(std::max(a, b), c));
}

/// Puts the bends before a place first, then those at it, then those after it: the first of these, and the
/// others.
std::pair<std::span<Bend>, std::span<Bend>> divide(std::span<Bend> bends, double place) {
  const auto at = std::partition(bends.begin(), bends.end(), [&](const Bend& b) { return b.place < place; });
  std::partition(at, bends.end(), [&](const Bend& b) { return b.place == place; });
  const auto before = static_cast<std::size_t>(at - bends.begin());
  return {bends.first(before), bends.subspan(before)};
}

}  // namespace

double minimise_convex(const std::function<Derivatives(double)>& derivatives, double bound,
                       double roughness) {
  double low = -bound;
  double high = bound;
  double place = 0.0;
  for (int count = 0; count < most_newton_steps; ++count) {
    const Derivatives at = derivatives(place);
    if (at.first == 0.0) return place;
    (at.first > 0.0 ? high : low) = place;
    const double step = at.second > 0.0 ? newton_step(at) : std::numeric_limits<double>::infinity();
    const double next = place + step;
    if (!(next > low && next < high)) {
      // Out of the bracket: half way, or the end of the range if the function still falls there.
      const double end = at.first > 0.0 ? low : high;
      if (std::abs(end) == bound) {
        const double slope = derivatives(end).first;
        if (at.first > 0.0 ? slope >= 0.0 : slope <= 0.0) return end;
        (at.first > 0.0 ? low : high) = end * (1.0 - precision);
      }
      place = 0.5 * (low + high);
      continue;
    }
    const double share = roughness > 0.0 ? std::min(1.0, roughness * roughness * step * step) : 1.0;
    place = next;
    if (share * std::abs(step) <= precision * std::abs(next)) return place;
  }
  return brent_root([&](double at) { return derivatives(at).first; }, low, high);
}

double brent_root(const std::function<double(double)>& function, double low, double high) {
  double a = low;
  double b = high;
  double at_a = function(a);
  double at_b = function(b);
  if (at_a == 0.0) return a;
  if (at_b == 0.0) return b;
  double c = a;
  double at_c = at_a;
  double previous = b - a;
  double step = previous;
  for (int count = 0; count < 200; ++count) {
    if ((at_b > 0.0) == (at_c > 0.0)) {
      c = a;
      at_c = at_a;
      previous = step = b - a;
    }
    if (std::abs(at_c) < std::abs(at_b)) {
      a = b;
      b = c;
      c = a;
      at_a = at_b;
      at_b = at_c;
      at_c = at_a;
    }
    const double tolerance = 1e-10 * std::abs(b) + 1e-300;
    const double middle = 0.5 * (c - b);
    if (std::abs(middle) <= tolerance || at_b == 0.0) return b;
    if (std::abs(previous) >= tolerance && std::abs(at_a) > std::abs(at_b)) {
      const double s = at_b / at_a;
      double p = 0.0;
      double q = 0.0;
      if (a == c) {
        p = 2.0 * middle * s;
        q = 1.0 - s;
      } else {
        const double r = at_a / at_c;
        const double t = at_b / at_c;
        p = s * (2.0 * middle * r * (r - t) - (b - a) * (t - 1.0));
        q = (r - 1.0) * (t - 1.0) * (s - 1.0);
      }
      if (p > 0.0) q = -q;
      p = std::abs(p);
      if (2.0 * p < std::min(3.0 * middle * q - std::abs(tolerance * q), std::abs(previous * q))) {
        previous = step;
        step = p / q;
      } else {
        previous = step = middle;
      }
    } else {
      previous = step = middle;
    }
    a = b;
    at_a = at_b;
    b += std::abs(step) > tolerance ? step : (middle > 0.0 ? tolerance : -tolerance);
    at_b = function(b);
  }
  return b;
}

double minimise_piecewise_linear(std::vector<Bend>& bends, double first_slope) {
  if (bends.empty() || first_slope >= 0.0) {
    // Nothing falls anywhere: the minimum reaches from minus infinity to the first bend.
    double first = 0.0;
    for (const Bend& bend : bends) first = std::min(first, bend.place);
    return first;
  }
  // Sums of changes round: a slope this small is 0.
  const double nothing = 1e-12 * std::abs(first_slope);
  // The bends that are left to look at, the slope before them, and the first place after them.
  std::span<Bend> left(bends);
  double slope = first_slope;
  double after = std::numeric_limits<double>::infinity();
  double place = 0.0;
  while (!left.empty()) {
    const double pivot = middle_place(left);
    const auto [before, others] = divide(left, pivot);
    double change = 0.0;
    for (const Bend& bend : before) change += bend.change;
    if (slope + change >= -nothing) {
      left = before;
      after = pivot;
      continue;
    }
    slope += change;
    place = pivot;
    std::size_t same = 0;
    for (; same < others.size() && others[same].place == pivot; ++same) slope += others[same].change;
    left = others.subspan(same);
    if (slope < -nothing) continue;
    if (slope > nothing) return pivot;
    for (const Bend& bend : left) after = std::min(after, bend.place);
    // Flat from here: to the next bend, or for ever.
    if (after < std::numeric_limits<double>::infinity()) return 0.5 * (pivot + after);
    break;
  }
  return std::max(place, 0.0);
}

}  // namespace coppice
