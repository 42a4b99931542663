#pragma once

#include <cstddef>

namespace coppice {

/// P(X ≥ statistic) for a chi-square variable.
double chi_square_tail(double statistic, double degrees);

/// P(X ≥ statistic) for Fisher's F; 0 at infinity.
double f_tail(double statistic, double first_degrees, double second_degrees);

/// P(|X| ≥ |statistic|) for Student's t; 0 at infinity.
double student_two_sided(double statistic, double degrees);

/// P(|X| ≥ |statistic|) for a standard normal variable.
double normal_two_sided(double statistic);

/// The two-sided sign test: how probable so uneven a split of wins and losses is by the toss of a coin.
double sign_test_p(std::size_t wins, std::size_t losses);

/// P(range ≥ statistic) for the range of `groups` independent standard normal variables: the studentised
/// range with infinitely many degrees of freedom, as the Nemenyi test needs it. Correct to about 1e-13.
double studentised_range_tail(double statistic, std::size_t groups);

/// The range that is exceeded with this probability.
double studentised_range_quantile(double tail, std::size_t groups);

}  // namespace coppice
