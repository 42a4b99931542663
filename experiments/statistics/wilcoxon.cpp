#include "experiments/statistics/wilcoxon.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "core/base/error.h"
#include "core/base/nearest_name.h"
#include "experiments/statistics/distributions.h"

namespace coppice {

namespace {

constexpr std::size_t most_exact = 50;
constexpr double rounding = 1e-12;

/// A difference and the rank of its size, doubled so that averaged ranks are whole.
struct RankedDifference {
  double value = 0;
  std::size_t doubled_rank = 0;
};

double largest_magnitude(std::span<const double> first, std::span<const double> second) {
  double largest = 0.0;
  for (const double value : first) largest = std::max(largest, std::abs(value));
  for (const double value : second) largest = std::max(largest, std::abs(value));
  return largest;
}

/// By size, ranked with ties averaged.
void rank_by_size(std::vector<RankedDifference>& differences, double tolerance) {
  std::sort(differences.begin(), differences.end(), [](const RankedDifference& a, const RankedDifference& b) {
    return std::abs(a.value) < std::abs(b.value);
  });
  for (std::size_t begin = 0; begin < differences.size();) {
    std::size_t end = begin + 1;
    while (end < differences.size() &&
           std::abs(differences[end].value) - std::abs(differences[end - 1].value) <= tolerance)
      ++end;
    for (std::size_t i = begin; i < end; ++i) differences[i].doubled_rank = begin + 1 + end;
    begin = end;
  }
}

/// Twice P(S ≤ smaller) where S sums the ranks that get a positive sign by the toss of a coin; sums beyond
/// are not needed.
double exact_p(const std::vector<RankedDifference>& ranks, std::size_t smaller) {
  std::vector<double> probability(smaller + 1, 0.0);
  probability[0] = 1.0;
  for (const RankedDifference& difference : ranks) {
    const std::size_t rank = difference.doubled_rank;
    for (std::size_t sum = smaller + 1; sum-- > 0;) {
      const double with = sum >= rank ? probability[sum - rank] : 0.0;
      probability[sum] = 0.5 * (probability[sum] + with);
    }
  }
  double tail = 0.0;
  for (std::size_t sum = 0; sum <= smaller; ++sum) tail += probability[sum];
  return std::min(1.0, 2.0 * tail);
}

/// The statistic has mean Σr/2 and variance Σr²/4, whatever ties there are among the ranks r.
double normal_p(const std::vector<RankedDifference>& ranks, double smaller) {
  double sum = 0.0;
  double squares = 0.0;
  for (const RankedDifference& difference : ranks) {
    const double rank = static_cast<double>(difference.doubled_rank) / 2.0;
    sum += rank;
    squares += rank * rank;
  }
  if (squares == 0.0) return 1.0;
  return normal_two_sided((smaller - sum / 2.0) / std::sqrt(squares / 4.0));
}

double median(std::vector<double> values) {
  if (values.empty()) return 0.0;
  std::sort(values.begin(), values.end());
  const std::size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : 0.5 * (values[middle - 1] + values[middle]);
}

}  // namespace

ZeroHandling parse_zero_handling(const std::string& name) {
  if (name == "drop") return ZeroHandling::drop;
  if (name == "pratt") return ZeroHandling::pratt;
  if (name == "split") return ZeroHandling::split;
  const std::vector<std::string> known{"drop", "pratt", "split"};
  throw Error(ErrorKind::usage, fmt::format("pairs without a difference cannot be handled by '{}'{}", name,
                                            did_you_mean(name, known)));
}

std::string_view zero_handling_text(ZeroHandling handling) {
  switch (handling) {
    case ZeroHandling::drop:
      return "pairs without a difference dropped";
    case ZeroHandling::pratt:
      return "pairs without a difference ranked and then dropped (Pratt)";
    case ZeroHandling::split:
      return "ranks of pairs without a difference split between both sides";
  }
  return {};
}

WilcoxonTest wilcoxon_test(std::span<const double> first, std::span<const double> second, ZeroHandling zeros,
                           WilcoxonMethod method) {
  WilcoxonTest test;
  test.pairs = first.size();
  const double tolerance = rounding * largest_magnitude(first, second);
  std::vector<RankedDifference> differences;
  std::vector<double> plain;
  for (std::size_t i = 0; i < first.size(); ++i) {
    const double difference = first[i] - second[i];
    const bool zero = std::abs(difference) <= tolerance;
    plain.push_back(zero ? 0.0 : difference);
    if (zero) ++test.zeros;
    if (!zero || zeros != ZeroHandling::drop) differences.push_back({plain.back()});
  }
  test.median_difference = median(plain);
  rank_by_size(differences, tolerance);

  // Zeros have been ranked. Under Pratt they leave now; when split, half of their ranks goes to each side,
  // and chance may give them any sign like the others.
  std::vector<RankedDifference> by_chance;
  std::size_t positive = 0;
  std::size_t negative = 0;
  for (const RankedDifference& difference : differences) {
    const bool zero = difference.value == 0.0;
    if (zero && zeros == ZeroHandling::pratt) continue;
    by_chance.push_back(difference);
    if (!zero) (difference.value > 0.0 ? positive : negative) += difference.doubled_rank;
  }
  // The zeros have ranks 1 … m: twice their sum is m (m + 1), and half of that for each side is whole.
  const std::size_t shared = zeros == ZeroHandling::split ? test.zeros * (test.zeros + 1) / 2 : 0;
  positive += shared;
  negative += shared;
  test.positive_ranks = static_cast<double>(positive) / 2.0;
  test.negative_ranks = static_cast<double>(negative) / 2.0;
  if (test.zeros == test.pairs) return test;
  test.rank_biserial =
      (test.positive_ranks - test.negative_ranks) / (test.positive_ranks + test.negative_ranks);
  const std::size_t smaller = std::min(positive, negative);
  test.exact = method == WilcoxonMethod::exact ||
               (method == WilcoxonMethod::automatic && by_chance.size() <= most_exact);
  test.p = test.exact ? exact_p(by_chance, smaller) : normal_p(by_chance, static_cast<double>(smaller) / 2.0);
  return test;
}

}  // namespace coppice
