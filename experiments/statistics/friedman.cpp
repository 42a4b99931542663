#include "experiments/statistics/friedman.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>

#include "experiments/statistics/distributions.h"

namespace coppice {

namespace {

/// Σ (t³ − t) over the groups of t equal ranks.
double tie_term(std::vector<double> ranks) {
  std::sort(ranks.begin(), ranks.end());
  double term = 0.0;
  for (std::size_t begin = 0; begin < ranks.size();) {
    std::size_t end = begin;
    while (end < ranks.size() && ranks[end] == ranks[begin]) ++end;
    const auto tied = static_cast<double>(end - begin);
    term += tied * tied * tied - tied;
    begin = end;
  }
  return term;
}

std::vector<RankBar> longest_bars(const std::vector<double>& sorted_ranks, double critical_difference) {
  std::vector<RankBar> bars;
  for (std::size_t first = 0; first < sorted_ranks.size(); ++first) {
    std::size_t last = first;
    while (last + 1 < sorted_ranks.size() &&
           sorted_ranks[last + 1] - sorted_ranks[first] < critical_difference)
      ++last;
    if (last > first && (bars.empty() || last > bars.back().last)) bars.push_back({first, last});
  }
  return bars;
}

}  // namespace

FriedmanTest friedman_test(const Matrix& ranks) {
  FriedmanTest test;
  test.datasets = ranks.size();
  test.algorithms = ranks.front().size();
  const auto n = static_cast<double>(test.datasets);
  const auto k = static_cast<double>(test.algorithms);
  test.average_ranks.assign(test.algorithms, 0.0);
  double ties = 0.0;
  for (const std::vector<double>& line : ranks) {
    for (std::size_t i = 0; i < line.size(); ++i) test.average_ranks[i] += line[i] / n;
    ties += tie_term(line);
  }
  double squares = 0.0;
  for (const double rank : test.average_ranks) squares += (rank - (k + 1.0) / 2.0) * (rank - (k + 1.0) / 2.0);
  const double correction = 1.0 - ties / (n * k * (k * k - 1.0));
  // Everything tied everywhere: there is nothing to tell apart.
  if (correction <= 0.0) return test;
  test.chi_square = 12.0 * n / (k * (k + 1.0)) * squares / correction;
  test.chi_square_p = chi_square_tail(test.chi_square, k - 1.0);
  const double most = n * (k - 1.0);
  test.kendall_w = std::min(1.0, test.chi_square / most);
  const double rest = most - test.chi_square;
  // Where all datasets agree the difference is zero but for rounding.
  test.f = rest > most * 1e-12 ? (n - 1.0) * test.chi_square / rest : std::numeric_limits<double>::infinity();
  test.f_p = f_tail(test.f, k - 1.0, (k - 1.0) * (n - 1.0));
  return test;
}

NemenyiTest nemenyi_test(const FriedmanTest& friedman, double alpha) {
  NemenyiTest test;
  test.alpha = alpha;
  const auto n = static_cast<double>(friedman.datasets);
  const auto k = static_cast<double>(friedman.algorithms);
  const double standard_error = std::sqrt(k * (k + 1.0) / (6.0 * n));
  test.critical_difference =
      studentised_range_quantile(alpha, friedman.algorithms) / std::numbers::sqrt2 * standard_error;
  test.p.assign(friedman.algorithms, std::vector<double>(friedman.algorithms, 1.0));
  for (std::size_t i = 0; i < friedman.algorithms; ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const double distance = std::abs(friedman.average_ranks[i] - friedman.average_ranks[j]);
      test.p[i][j] = test.p[j][i] =
          studentised_range_tail(distance / standard_error * std::numbers::sqrt2, friedman.algorithms);
    }
  }
  test.order.resize(friedman.algorithms);
  std::iota(test.order.begin(), test.order.end(), std::size_t{0});
  std::stable_sort(test.order.begin(), test.order.end(), [&](std::size_t a, std::size_t b) {
    return friedman.average_ranks[a] < friedman.average_ranks[b];
  });
  std::vector<double> sorted;
  for (const std::size_t algorithm : test.order) sorted.push_back(friedman.average_ranks[algorithm]);
  test.bars = longest_bars(sorted, test.critical_difference);
  for (std::size_t i = 1; i < test.bars.size(); ++i)
    test.overlapping = test.overlapping || test.bars[i].first <= test.bars[i - 1].last;
  return test;
}

}  // namespace coppice
