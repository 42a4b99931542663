#pragma once

#include <cstddef>
#include <vector>

namespace coppice {

/// [dataset][algorithm]
using Matrix = std::vector<std::vector<double>>;

/// The Friedman test of the hypothesis that all algorithms are equivalent (Demšar 2006, section 3.2.2), with
/// the correction for ties (Conover 1999, section 5.8), which changes nothing where there are none.
struct FriedmanTest {
  std::size_t datasets = 0;
  std::size_t algorithms = 0;
  std::vector<double> average_ranks;
  double chi_square = 0;  ///< algorithms - 1 degrees of freedom
  double chi_square_p = 1;
  /// Iman and Davenport 1980, less conservative: F with algorithms - 1 and (algorithms - 1)(datasets - 1)
  /// degrees of freedom. Infinite where all datasets agree.
  double f = 0;
  double f_p = 1;
  double kendall_w = 0;  ///< how much the datasets agree: 0 not at all, 1 completely
};

/// At least two datasets and two algorithms; each row the ranks on one dataset, ties averaged.
FriedmanTest friedman_test(const Matrix& ranks);

/// Algorithms that a critical difference does not tell apart: places [first, last] in the order of ranks.
struct RankBar {
  std::size_t first = 0;
  std::size_t last = 0;

  bool operator==(const RankBar&) const = default;
};

/// The Nemenyi test after Friedman's: two algorithms differ if their average ranks are at least the critical
/// difference apart (Demšar 2006, section 3.2.2).
struct NemenyiTest {
  double alpha = 0.05;
  double critical_difference = 0;
  Matrix p;                        ///< [algorithm][algorithm], 1 on the diagonal
  std::vector<std::size_t> order;  ///< algorithms from best to worst average rank
  std::vector<RankBar> bars;       ///< the longest groups of two or more that are not told apart
  /// Whether some algorithm is in two bars, so that "not different" is not transitive here.
  bool overlapping = false;
};

NemenyiTest nemenyi_test(const FriedmanTest& friedman, double alpha);

}  // namespace coppice
