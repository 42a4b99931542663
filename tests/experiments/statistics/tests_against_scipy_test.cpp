#include <cmath>
#include <fstream>
#include <limits>
#include <numeric>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include "experiments/statistics/distributions.h"
#include "experiments/statistics/friedman.h"
#include "experiments/statistics/pairwise.h"
#include "experiments/statistics/wilcoxon.h"
#include "experiments/tables/ranks.h"

using namespace coppice;
using doctest::Approx;

namespace {

/// Made by make_golden.py.
const nlohmann::json& golden() {
  static const nlohmann::json content =
      nlohmann::json::parse(std::ifstream(COPPICE_SOURCE_DIR "/tests/experiments/statistics/golden.json"));
  return content;
}

Approx near(double value, double relative = 1e-9) {
  return Approx(value).epsilon(relative).scale(std::abs(value));
}

Matrix ranks_of(const Matrix& scores) {
  Matrix ranks;
  for (const auto& line : scores) ranks.push_back(average_ranks(line, true));
  return ranks;
}

}  // namespace

TEST_CASE("the tails of the distributions are scipy's") {
  for (const auto& row : golden()["tails"]["chi_square"])
    CHECK(chi_square_tail(row[0], row[1]) == near(row[2]));
  for (const auto& row : golden()["tails"]["f"]) CHECK(f_tail(row[0], row[1], row[2]) == near(row[3]));
  for (const auto& row : golden()["tails"]["student"])
    CHECK(student_two_sided(row[0], row[1]) == near(row[2]));
  for (const auto& row : golden()["tails"]["normal"]) CHECK(normal_two_sided(row[0]) == near(row[1]));
  CHECK(f_tail(std::numeric_limits<double>::infinity(), 2, 8) == 0.0);
  CHECK(chi_square_tail(0.0, 3) == 1.0);
}

TEST_CASE("the studentised range is scipy's and that of the published tables") {
  for (const auto& row : golden()["studentised_range"]) {
    const double quantile = studentised_range_quantile(row[1], row[0]);
    CHECK(quantile == near(row[2], 1e-6));
    CHECK(studentised_range_tail(quantile, row[0]) == near(row[1], 1e-9));
  }
  // Demšar 2006, Table 5 (a): q / √2 for 2 … 10 classifiers.
  const std::vector<double> five_percent{1.960, 2.343, 2.569, 2.728, 2.850, 2.949, 3.031, 3.102, 3.164};
  const std::vector<double> ten_percent{1.645, 2.052, 2.291, 2.459, 2.589, 2.693, 2.780, 2.855, 2.920};
  for (std::size_t i = 0; i < five_percent.size(); ++i) {
    CHECK(std::abs(studentised_range_quantile(0.05, i + 2) / std::sqrt(2.0) - five_percent[i]) < 0.001);
    CHECK(std::abs(studentised_range_quantile(0.10, i + 2) / std::sqrt(2.0) - ten_percent[i]) < 0.001);
  }
  // For two groups the range over √2 is the size of a standard normal variable.
  CHECK(studentised_range_tail(3.0 * std::sqrt(2.0), 2) == near(normal_two_sided(3.0), 1e-9));
}

TEST_CASE("Friedman's chi-square is scipy's, ties included") {
  REQUIRE(golden()["friedman"].size() == 40);
  for (const auto& entry : golden()["friedman"]) {
    const FriedmanTest test = friedman_test(ranks_of(entry["scores"].get<Matrix>()));
    CHECK(test.chi_square == near(entry["chi_square"]));
    CHECK(test.chi_square_p == near(entry["p"]));
  }
}

TEST_CASE("Demšar's worked example gives his statistics") {
  // Demšar 2006, section 3.2.2: average ranks 3.143, 2.000, 2.893, 1.964 over 14 datasets: χ² = 9.28, F
  // = 3.69, critical difference 1.25 at 0.05 and 1.12 at 0.10. Table 6 of the paper, the four AUC columns;
  // where two are printed alike but ranked 2 and 3 (the 13th dataset), a digit is added to say so.
  const Matrix scores{
      {0.763, 0.768, 0.771, 0.798},  {0.599, 0.591, 0.590, 0.569}, {0.954, 0.971, 0.968, 0.967},
      {0.628, 0.661, 0.654, 0.657},  {0.882, 0.888, 0.886, 0.898}, {0.936, 0.931, 0.916, 0.931},
      {0.661, 0.668, 0.609, 0.685},  {0.583, 0.583, 0.563, 0.625}, {0.775, 0.838, 0.866, 0.875},
      {1.000, 1.000, 1.000, 1.000},  {0.940, 0.962, 0.965, 0.962}, {0.619, 0.666, 0.614, 0.669},
      {0.972, 0.981, 0.9751, 0.975}, {0.957, 0.978, 0.946, 0.970}};
  FriedmanTest test = friedman_test(ranks_of(scores));
  CHECK(test.average_ranks[0] == Approx(3.143).epsilon(0.0002));
  CHECK(test.average_ranks[1] == Approx(2.000).epsilon(0.0002));
  CHECK(test.average_ranks[2] == Approx(2.893).epsilon(0.0002));
  CHECK(test.average_ranks[3] == Approx(1.964).epsilon(0.0003));
  // He leaves ties uncorrected: one dataset with four tied ranks and three with two, Σ (t³ − t) = 78.
  const double correction = 1.0 - 78.0 / (14 * 4 * 15);
  CHECK(test.chi_square * correction == Approx(9.28).epsilon(0.0005));
  const NemenyiTest nemenyi = nemenyi_test(test, 0.05);
  CHECK(nemenyi.critical_difference == Approx(1.25).epsilon(0.005));
  CHECK(nemenyi_test(test, 0.10).critical_difference == Approx(1.12).epsilon(0.005));
  CHECK(nemenyi.order == std::vector<std::size_t>{3, 1, 2, 0});
  CHECK(nemenyi.bars == std::vector<RankBar>{{0, 3}});
  CHECK_FALSE(nemenyi.overlapping);
}

TEST_CASE("datasets that all agree, and ties everywhere") {
  const FriedmanTest agree = friedman_test({{1, 2, 3}, {1, 2, 3}, {1, 2, 3}});
  CHECK(agree.kendall_w == 1.0);
  CHECK(std::isinf(agree.f));
  CHECK(agree.f_p == 0.0);
  const FriedmanTest tied = friedman_test({{2, 2, 2}, {2, 2, 2}});
  CHECK(tied.chi_square_p == 1.0);
  CHECK(tied.f_p == 1.0);
}

TEST_CASE("bars that overlap are noticed") {
  FriedmanTest friedman;
  friedman.datasets = 10;
  friedman.algorithms = 3;
  friedman.average_ranks = {1.0, 1.9, 2.8};
  const NemenyiTest test = nemenyi_test(friedman, 0.05);
  CHECK(test.critical_difference == Approx(1.048).epsilon(0.001));
  CHECK(test.bars == std::vector<RankBar>{{0, 1}, {1, 2}});
  CHECK(test.overlapping);
  CHECK(test.p[0][2] < 0.05);
  CHECK(test.p[0][1] > 0.05);
  CHECK(test.p[1][0] == test.p[0][1]);
}

TEST_CASE("Wilcoxon's test is scipy's and, by enumeration, the exact one") {
  const std::vector<std::pair<const char*, ZeroHandling>> handlings{
      {"wilcox", ZeroHandling::drop}, {"pratt", ZeroHandling::pratt}, {"zsplit", ZeroHandling::split}};
  std::size_t exact_cases = 0;
  for (const auto& entry : golden()["wilcoxon"]) {
    const auto first = entry["first"].get<std::vector<double>>();
    const auto second = entry["second"].get<std::vector<double>>();
    for (const auto& [name, handling] : handlings) {
      const auto& expected = entry[name];
      CHECK(wilcoxon_test(first, second, handling, WilcoxonMethod::normal).p == near(expected["normal"]));
      if (!expected.contains("exact")) continue;
      ++exact_cases;
      CHECK(wilcoxon_test(first, second, handling, WilcoxonMethod::exact).p == near(expected["exact"]));
    }
  }
  CHECK(exact_cases > 100);
}

TEST_CASE("Wilcoxon's test of a sample with itself finds nothing") {
  const std::vector<double> scores{0.1, 0.2, 0.3};
  const WilcoxonTest test = wilcoxon_test(scores, scores);
  CHECK(test.p == 1.0);
  CHECK(test.zeros == 3);
  CHECK(test.rank_biserial == 0.0);
}

TEST_CASE("differences that only rounding tells apart are tied") {
  // 0.3 - 0.2 and 0.2 - 0.1 differ in the last bits.
  const WilcoxonTest test =
      wilcoxon_test(std::vector<double>{0.3, 0.1, 0.9}, std::vector<double>{0.2, 0.2, 0.5});
  CHECK(test.positive_ranks == 4.5);
  CHECK(test.negative_ranks == 1.5);
  CHECK(test.rank_biserial == 0.5);
  CHECK(test.median_difference == Approx(0.1));
  CHECK(wilcoxon_test(std::vector<double>{0.1 + 0.2}, std::vector<double>{0.3}).zeros == 1);
}

TEST_CASE("many pairs take the normal approximation, close to the exact value") {
  std::vector<double> first(150);
  std::iota(first.begin(), first.end(), 1.0);
  std::vector<double> second = first;
  for (std::size_t i = 0; i < 150; ++i)
    second[i] += (i % 5 < 2 ? 1.0 : -1.0) * static_cast<double>(i + 1) / 7.0;
  const WilcoxonTest test = wilcoxon_test(first, second);
  CHECK_FALSE(test.exact);
  CHECK(test.p == near(wilcoxon_test(first, second, ZeroHandling::drop, WilcoxonMethod::exact).p, 0.05));
}

TEST_CASE("paired t-tests, plain and corrected for resampling") {
  for (const auto& entry : golden()["paired_t"]) {
    const PairedTTest test =
        paired_t_test(entry["first"].get<std::vector<double>>(), entry["second"].get<std::vector<double>>(),
                      entry["test_to_train"]);
    CHECK(test.t == near(entry["t"]));
    CHECK(test.p == near(entry["p"]));
    CHECK(test.cohen_d == near(entry["cohen_d"]));
  }
  const PairedTTest constant = paired_t_test(std::vector<double>{2.0, 3.0}, std::vector<double>{1.0, 2.0});
  CHECK(constant.p == 0.0);
  CHECK(std::isinf(constant.t));
  CHECK(paired_t_test(std::vector<double>{2.0, 3.0}, std::vector<double>{2.0, 3.0}).p == 1.0);
}

TEST_CASE("Holm's adjustment") {
  const std::vector<double> adjusted = holm_adjusted(std::vector<double>{0.01, 0.04, 0.03, 0.005});
  CHECK(adjusted[0] == Approx(0.03));
  CHECK(adjusted[1] == Approx(0.06));
  CHECK(adjusted[2] == Approx(0.06));
  CHECK(adjusted[3] == Approx(0.02));
  CHECK(holm_adjusted(std::vector<double>{0.9, 0.8}) == std::vector<double>{1.0, 1.0});
}

TEST_CASE("the Bayesian signed-rank test agrees with the definition drawn in numpy") {
  for (const auto& entry : golden()["bayesian"]) {
    const auto first = entry["first"].get<std::vector<double>>();
    const auto second = entry["second"].get<std::vector<double>>();
    const BayesianSignedRank test = bayesian_signed_rank(first, second, entry["rope"], true, Stream(1));
    // Both are drawn at random: four standard errors of the difference.
    CHECK(std::abs(test.first_better - entry["first_better"].get<double>()) < 0.017);
    CHECK(std::abs(test.equal - entry["equal"].get<double>()) < 0.017);
    CHECK(test.first_better + test.equal + test.second_better == Approx(1.0));
    const BayesianSignedRank turned = bayesian_signed_rank(first, second, entry["rope"], false, Stream(1));
    CHECK(std::abs(turned.second_better - test.first_better) < 0.017);
  }
}
