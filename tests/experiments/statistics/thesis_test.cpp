#include <algorithm>
#include <cmath>
#include <fstream>
#include <optional>
#include <set>
#include <string>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include "core/base/random.h"
#include "experiments/statistics/friedman.h"
#include "experiments/statistics/wilcoxon.h"
#include "experiments/tables/ranks.h"

using namespace coppice;

// The thesis prints means of three or four digits but tested unrounded ones (the p-values of Table 6.9 are
// those of eight pairs without a tie, though the printed means have many). So what can be asked is this:
// among scores that round to the printed ones there are some that give the printed p-values, and all of them
// lead to the same conclusions. Our copy of the text has lost nine means of Table 6.5 (three algorithms on
// enron, genbase and mediamill); the ranks that are left over tell between which printed means they lie.

namespace {

constexpr int tables_drawn = 4000;

nlohmann::json thesis(const char* part) {
  std::ifstream file(COPPICE_SOURCE_DIR "/tests/experiments/statistics/thesis_tables.json");
  return nlohmann::json::parse(file).at(part);
}

/// Half a unit in the last printed place.
double half_unit(const std::string& printed) {
  return 0.5 * std::pow(10.0, -static_cast<double>(printed.size() - printed.find('.') - 1));
}

/// Scores that would be printed as the thesis has them.
class Unrounded {
 public:
  explicit Unrounded(const nlohmann::json& part) : datasets_(part["datasets"]) {}

  Matrix draw(Stream stream) const {
    Matrix scores;
    for (const auto& dataset : datasets_) {
      scores.push_back(draw_printed(dataset, stream));
      fill_lost(dataset, scores.back(), stream);
    }
    return scores;
  }

 private:
  static std::vector<double> draw_printed(const nlohmann::json& dataset, Stream& stream) {
    std::vector<double> line;
    for (const auto& mean : dataset["means"]) {
      if (mean.is_null()) {
        line.push_back(0.0);
        continue;
      }
      const double half = half_unit(mean);
      line.push_back(std::stod(mean.get<std::string>()) + stream.uniform(-half, half));
    }
    return line;
  }

  /// The lost means take the ranks that the others leave, in any order.
  static void fill_lost(const nlohmann::json& dataset, std::vector<double>& line, Stream& stream) {
    std::vector<std::pair<double, double>> known;  // rank and printed mean
    std::vector<std::size_t> lost;
    for (std::size_t i = 0; i < line.size(); ++i) {
      if (dataset["ranks"][i].is_null()) {
        lost.push_back(i);
      } else {
        known.emplace_back(dataset["ranks"][i], std::stod(dataset["means"][i].get<std::string>()));
      }
    }
    if (lost.empty()) return;
    std::sort(known.begin(), known.end());
    std::vector<double> left = ranks_left(known, lost.size());
    stream.shuffle(std::span(left));
    for (std::size_t i = 0; i < lost.size(); ++i) line[lost[i]] = mean_of_rank(known, left[i], stream);
  }

  static std::vector<double> ranks_left(const std::vector<std::pair<double, double>>& known,
                                        std::size_t count) {
    // Printed ties among the known come as their average rank; a rank that three share shows twice here.
    std::multiset<double> places;
    for (std::size_t i = 1; i <= known.size() + count; ++i) places.insert(static_cast<double>(i));
    std::multiset<double> shared;
    for (const auto& [rank, mean] : known) {
      const auto times = static_cast<double>(
          std::count_if(known.begin(), known.end(), [&](const auto& other) { return other.first == rank; }));
      if (times == 1.0) places.erase(rank);
      if (times == 2.0 && rank != std::floor(rank)) {
        places.erase(rank - 0.5);
        places.erase(rank + 0.5);
      }
      if (times == 2.0 && rank == std::floor(rank)) shared.insert(rank);
    }
    std::vector<double> left;
    if (!shared.empty()) {
      const double rank = *shared.begin();
      for (const double place : {rank - 1.0, rank, rank + 1.0}) places.erase(place);
      left.push_back(rank);
    }
    left.insert(left.end(), places.begin(), places.end());
    return left;
  }

  static double mean_of_rank(const std::vector<std::pair<double, double>>& known, double rank,
                             Stream& stream) {
    double low = known.back().second - 0.02;
    double high = std::min(1.0, known.front().second + 0.02);
    for (const auto& [other_rank, mean] : known) {
      if (other_rank < rank) high = std::min(high, mean);
      if (other_rank > rank) low = std::max(low, mean);
      if (other_rank == rank) return mean + stream.uniform(-0.0005, 0.0005);
    }
    return stream.uniform(low, high);
  }

  nlohmann::json datasets_;
};

FriedmanTest friedman_of(const Matrix& scores) {
  Matrix ranks;
  for (const auto& line : scores) ranks.push_back(average_ranks(line, true));
  return friedman_test(ranks);
}

std::vector<double> column(const Matrix& scores, std::size_t algorithm) {
  std::vector<double> values;
  for (const auto& line : scores) values.push_back(line[algorithm]);
  return values;
}

/// Whether a probability is printed as the thesis prints this one: `0.79`, `6e-05(<)`, `1`.
bool prints_as(double p, const std::string& printed) {
  const std::string number = printed.substr(0, printed.find('('));
  const double value = std::stod(number);
  double half = 0.0;
  if (number.find('e') != std::string::npos) {
    half = 0.5 * std::pow(10.0, std::stod(number.substr(number.find('e') + 1)));
  } else {
    half = number == "1" ? 0.005 : number.size() == 3 ? 0.005 : half_unit(number);
  }
  return std::abs(p - value) <= half * 1.0000001;
}

/// For every pair of algorithms, whether some of the tables give the p-value that the thesis prints.
void check_wilcoxon(const nlohmann::json& part, const std::vector<Matrix>& tables) {
  const auto& printed = part["wilcoxon_p"];
  for (std::size_t row = 0; row < printed.size(); ++row) {
    for (std::size_t other = row + 1; other < printed.size(); ++other) {
      const std::string expected = printed[row][other];
      bool found = false;
      for (std::size_t i = 0; i < tables.size() && !found; ++i) {
        const WilcoxonTest test = wilcoxon_test(column(tables[i], row), column(tables[i], other),
                                                ZeroHandling::drop, WilcoxonMethod::normal);
        const bool row_wins = test.positive_ranks > test.negative_ranks;
        const bool direction_fits = expected.find('(') == std::string::npos ||
                                    row_wins == (expected.find("(>)") != std::string::npos);
        found = direction_fits && prints_as(test.p, expected);
      }
      INFO(part["algorithms"][row] << " against " << part["algorithms"][other] << ": " << expected);
      CHECK(found);
    }
  }
}

std::vector<Matrix> draw_tables(const nlohmann::json& part) {
  const Unrounded unrounded(part);
  std::vector<Matrix> tables;
  for (int i = 0; i < tables_drawn; ++i)
    tables.push_back(unrounded.draw(Stream(1).at("table", static_cast<std::uint64_t>(i))));
  return tables;
}

}  // namespace

TEST_CASE("the printed means have the printed ranks in Tables 6.5, 6.6 and 6.8") {
  std::size_t checked = 0;
  for (const char* part : {"multi-label", "regression"}) {
    const nlohmann::json tables = thesis(part);
    for (const auto& dataset : tables["datasets"]) {
      std::vector<double> means;
      for (const auto& mean : dataset["means"])
        if (!mean.is_null()) means.push_back(std::stod(mean.get<std::string>()));
      if (means.size() < dataset["means"].size()) continue;
      INFO(dataset["name"]);
      CHECK(average_ranks(means, true) == dataset["ranks"].get<std::vector<double>>());
      ++checked;
    }
  }
  CHECK(checked == 26);
}

TEST_CASE("the thesis' Friedman test, critical difference and Table 6.7 on 21 multi-label datasets") {
  const nlohmann::json part = thesis("multi-label");
  const std::vector<Matrix> tables = draw_tables(part);
  bool printed_p = false;
  for (const Matrix& table : tables) {
    const FriedmanTest friedman = friedman_of(table);
    // 1.36e-10 is printed; whatever the lost digits, the hypothesis falls.
    CHECK(friedman.chi_square_p < 1e-7);
    printed_p = printed_p || std::abs(friedman.chi_square_p - 1.36e-10) < 0.005e-10;
  }
  CHECK(printed_p);
  const NemenyiTest nemenyi = nemenyi_test(friedman_of(tables[0]), 0.05);
  CHECK(std::abs(nemenyi.critical_difference - 2.29) < 0.005);
  // "The best average performer is gbrt-relabel-rpo-gaussian."
  CHECK(nemenyi.order[0] == 3);
  check_wilcoxon(part, tables);
}

TEST_CASE("the thesis' Friedman test and Table 6.9 on 8 regression datasets") {
  const nlohmann::json part = thesis("regression");
  const std::vector<Matrix> tables = draw_tables(part);
  bool printed_p = false;
  for (const Matrix& table : tables) {
    const FriedmanTest friedman = friedman_of(table);
    CHECK(friedman.chi_square_p > 0.05);
    printed_p = printed_p || std::abs(friedman.chi_square_p - 0.3) < 0.005;
  }
  CHECK(printed_p);
  check_wilcoxon(part, tables);
}
