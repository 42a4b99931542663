#include <cmath>
#include <fstream>
#include <limits>
#include <sstream>

#include <doctest/doctest.h>

#include "tests/core/metrics/cases.h"

namespace coppice {

namespace {

using testing::Case;

/// A case with the values that scikit-learn gives (make_golden.py).
struct GoldenCase {
  Case problem;
  std::map<std::string, double> values;
};

template <typename T>
std::vector<T> numbers_in(const std::string& text) {
  std::istringstream stream(text);
  std::vector<T> numbers;
  for (std::string word; stream >> word;) numbers.push_back(static_cast<T>(std::stod(word)));
  return numbers;
}

std::vector<GoldenCase> read_golden() {
  std::ifstream file(std::string(COPPICE_SOURCE_DIR) + "/tests/core/metrics/golden.txt");
  REQUIRE_MESSAGE(file.good(), "golden.txt is made by tests/core/metrics/make_golden.py");
  std::vector<GoldenCase> cases;
  std::string line;
  std::getline(file, line);
  while (std::getline(file, line)) {
    std::istringstream words(line);
    std::string first;
    words >> first;
    if (first == "case") {
      std::string task;
      GoldenCase next;
      std::size_t rows = 0;
      words >> task >> rows >> next.problem.outputs;
      next.problem.task = parse_task(task).value();
      for (; rows > 0; --rows) {
        std::getline(file, line);
        const std::size_t bar = line.find('|');
        const std::string truth = line.substr(0, bar);
        if (next.problem.task == Task::regression) {
          next.problem.targets.push_back(numbers_in<double>(truth));
        } else {
          next.problem.labels.push_back(numbers_in<std::uint32_t>(truth));
        }
        next.problem.scores.push_back(numbers_in<double>(line.substr(bar + 1)));
      }
      cases.push_back(std::move(next));
    } else {
      std::string value;
      words >> value;
      cases.back().values[first] = std::stod(value);
    }
  }
  return cases;
}

bool agree(double ours, double theirs) {
  if (std::isnan(theirs)) return std::isnan(ours);
  return std::abs(ours - theirs) <= 1e-12 * std::abs(theirs) + 1e-15;
}

}  // namespace

TEST_CASE("metrics agree with scikit-learn on random predictions, dense and sparse") {
  const std::vector<GoldenCase> cases = read_golden();
  CHECK(cases.size() >= 800);
  std::map<std::string, std::size_t> compared;
  for (std::size_t index = 0; index < cases.size(); ++index) {
    const auto& [problem, expected] = cases[index];
    std::vector<std::string> names;
    for (const auto& [name, value] : expected) names.push_back(name);
    for (const bool dense : {true, false}) {
      const auto values = testing::evaluate(problem, dense ? problem.dense() : problem.sparse(), names);
      for (const auto& [name, theirs] : expected) {
        const double ours = values.at(name);
        CHECK_MESSAGE(agree(ours, theirs), "case ", index, dense ? " dense " : " sparse ", name, ": ours ",
                      ours, ", scikit-learn ", theirs);
        if (!std::isnan(theirs)) ++compared[name];
      }
    }
  }
  // Each metric that scikit-learn has was really compared, and often.
  CHECK(compared.size() == 33);
  for (const auto& [name, times] : compared) CHECK_MESSAGE(times >= 100, name, " ", times);
}

}  // namespace coppice
