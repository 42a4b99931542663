#include "experiments/results/select.h"

#include <doctest/doctest.h>

#include "core/base/error.h"
#include "tests/experiments/tables/example_results.h"

using namespace coppice;

TEST_CASE("results can be cut down to some datasets and algorithms") {
  ExampleResults example({"a", "b", "c"}, {"RF", "RO size=1", "RO size=2"});
  example.results.algorithm_details = {
      {"RF", "RF", {}}, {"RO size=1", "RO", {{"size", "1"}}}, {"RO size=2", "RO", {{"size", "2"}}}};
  example.results.published = {{"score", "a", "RO size=1", 0.5, {}}, {"score", "b", "RO size=1", 0.5, {}}};
  ResultSet results = example.results;
  select_results(results, {}, {});
  CHECK(results.published.size() == 2);
  CHECK(results.datasets.size() == 3);
  CHECK(results.algorithms.size() == 3);
  select_results(results, {"c", "a"}, {"RO"});
  CHECK(results.datasets == std::vector<std::string>{"a", "c"});
  CHECK(results.algorithms == std::vector<std::string>{"RO size=1", "RO size=2"});
  REQUIRE(results.published.size() == 1);
  CHECK(results.published[0].dataset == "a");
  results = example.results;
  select_results(results, {}, {"RO size=2", "RF"});
  CHECK(results.published.empty());
  CHECK(results.algorithms == std::vector<std::string>{"RF", "RO size=2"});
  CHECK_THROWS_WITH_AS(select_results(results, {"d"}, {}),
                       "these results have no dataset 'd'; did you mean a?", Error);
  CHECK_THROWS_AS(select_results(results, {}, {"ET"}), Error);
}
