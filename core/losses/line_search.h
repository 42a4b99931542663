#pragma once

#include <functional>
#include <span>
#include <vector>

namespace coppice {

/// The derivatives of a convex function of one variable at some point.
struct Derivatives {
  double first = 0.0;
  double second = 0.0;
  double third = 0.0;  ///< may be left 0
};

/// The minimum of a convex function on [-bound, bound]: Newton's method with the third derivative (Halley),
/// kept inside a bracket that the sign of the first derivative narrows, and Brent's method in that bracket if
/// it does not get there in a few steps, as where both derivatives nearly vanish.
///
/// `roughness` bounds |third| ≤ roughness · second. With it a step s is known to be off by about
/// (roughness · s)² / 6 of itself; the search ends when that is a ten-thousandth of the whole, which leaves
/// the function within a hundred-millionth of what there was to gain. A last step that small always lowers
/// it. Where the function has no such bound, 0 makes the search go on until steps are a ten-thousandth of the
/// whole themselves.
double minimise_convex(const std::function<Derivatives(double)>& derivatives, double bound, double roughness);

/// A root of a continuous function between two points at which it has different signs (Brent 1973, 4), up to
/// a relative 1e-10.
double brent_root(const std::function<double(double)>& function, double low, double high);

/// A point where the slope of a piecewise linear convex function changes, and by how much.
struct Bend {
  double place = 0.0;
  double change = 0.0;  ///< at least 0
};

/// The minimum of a piecewise linear convex function with the slope `first_slope` ≤ 0 before all bends: the
/// middle of the interval on which it is least, or the end nearest to 0 if it never rises again. This is the
/// weighted median. `bends` change their order on the way.
double minimise_piecewise_linear(std::vector<Bend>& bends, double first_slope);

}  // namespace coppice
