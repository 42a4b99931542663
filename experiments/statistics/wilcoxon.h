#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace coppice {

/// What becomes of pairs without a difference.
enum class ZeroHandling {
  drop,   ///< left out before ranking (Wilcoxon 1945)
  pratt,  ///< ranked, then left out (Pratt 1959)
  split,  ///< ranked, half of their ranks to each side (Demšar 2006)
};

/// From `drop`, `pratt` or `split`; throws Error(usage).
ZeroHandling parse_zero_handling(const std::string& name);

/// `zeros dropped`, …: said wherever the test is reported.
std::string_view zero_handling_text(ZeroHandling handling);

/// How the p-value is found.
enum class WilcoxonMethod {
  automatic,  ///< exact for up to 50 differences, normal beyond
  exact,      ///< the distribution over all signs, with ties as they are
  normal,     ///< the normal approximation with correction for ties, without continuity correction
};

/// The two-sided Wilcoxon signed-rank test.
struct WilcoxonTest {
  std::size_t pairs = 0;
  std::size_t zeros = 0;
  double positive_ranks = 0;  ///< the sum of ranks of pairs where the first is higher
  double negative_ranks = 0;
  double p = 1;
  bool exact = true;
  /// The matched-pairs rank-biserial correlation: (positive − negative) / (positive + negative), an effect
  /// size from -1 to 1.
  double rank_biserial = 0;
  double median_difference = 0;
};

/// Pairs are scores of two algorithms on the same dataset. Differences that rounding of the scores themselves
/// explains (1e-12 of the largest score) count as none, and differences as close as that as tied.
WilcoxonTest wilcoxon_test(std::span<const double> first, std::span<const double> second,
                           ZeroHandling zeros = ZeroHandling::drop,
                           WilcoxonMethod method = WilcoxonMethod::automatic);

}  // namespace coppice
