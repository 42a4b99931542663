#include "experiments/statistics/decided.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "experiments/statistics/distributions.h"
#include "tests/experiments/tables/example_results.h"

using namespace coppice;

namespace {

/// `wins` datasets where x beats y, `losses` where it does not, and `left` where y is still missing.
DecidedPair pair_of(int wins, int losses, int left) {
  std::vector<std::string> datasets;
  for (int i = 0; i < wins + losses + left; ++i) datasets.push_back(fmt::format("d{}", i));
  ExampleResults example(datasets, {"x", "y"});
  for (int i = 0; i < wins + losses + left; ++i) {
    const std::string& dataset = datasets[static_cast<std::size_t>(i)];
    example.trial(dataset, "x", 0, 0, 0.5);
    if (i < wins + losses) {
      example.trial(dataset, "y", 0, 0, i < wins ? 0.4 : 0.6);
    } else {
      example.hole(dataset, "y", 0, 0, "missing");
    }
  }
  return decided_pairs(example.results, example.results.metrics[0]).at(0);
}

}  // namespace

TEST_CASE("the sign test is that of the binomial distribution") {
  CHECK(sign_test_p(6, 0) == doctest::Approx(2.0 / 64));
  CHECK(sign_test_p(0, 6) == doctest::Approx(2.0 / 64));
  CHECK(sign_test_p(9, 1) == doctest::Approx(22.0 / 1024));
  CHECK(sign_test_p(5, 5) == 1.0);
  CHECK(sign_test_p(0, 0) == 1.0);
}

TEST_CASE("a comparison is decided when nothing that is missing can change it") {
  // 11 of 12 is significant (p = 0.0063), 10 of 12 as well (0.039), 9 of 12 not (0.146).
  CHECK(pair_of(10, 0, 2).verdict == DecidedPair::Verdict::first_better);
  CHECK(pair_of(9, 0, 3).verdict == DecidedPair::Verdict::open);
  CHECK(pair_of(0, 10, 2).verdict == DecidedPair::Verdict::second_better);
  CHECK(pair_of(4, 4, 4).verdict == DecidedPair::Verdict::no_difference);
  CHECK(pair_of(0, 0, 5).verdict == DecidedPair::Verdict::no_difference);
  CHECK(pair_of(0, 0, 6).verdict == DecidedPair::Verdict::open);
  const DecidedPair pair = pair_of(10, 1, 3);
  CHECK(pair.first_wins == 10);
  CHECK(pair.second_wins == 1);
  CHECK(pair.left == 3);
}
