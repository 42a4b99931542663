#include "experiments/tables/csv.h"

#include <algorithm>
#include <limits>

#include <doctest/doctest.h>

#include "tests/experiments/tables/example_results.h"

using namespace coppice;

TEST_CASE("CSV fields are quoted only where they must be") {
  CHECK(csv_field("plain name") == "plain name");
  CHECK(csv_field("") == "");
  CHECK(csv_field("a,b") == "\"a,b\"");
  CHECK(csv_field("say \"so\"") == "\"say \"\"so\"\"\"");
  CHECK(csv_field("two\nlines") == "\"two\nlines\"");
  CHECK(csv_field(" padded") == "\" padded\"");
}

TEST_CASE("numbers are written so that they read back the same") {
  CHECK(number_text(0.1) == "0.1");
  CHECK(number_text(1.0) == "1");
  CHECK(number_text(1.0 / 3.0) == "0.3333333333333333");
  CHECK(number_text(1e-20) == "1e-20");
  CHECK(number_text(std::numeric_limits<double>::quiet_NaN()) == "NaN");
  CHECK(number_text(-std::numeric_limits<double>::infinity()) == "-inf");
}

namespace {
ExampleResults two_metrics() {
  return {{"b", "a, with comma"}, {"y", "x"}, {example_metric("score"), example_metric("error", false)}};
}
}  // namespace

TEST_CASE("results.csv is in the order of the config whatever the order of the rows") {
  ExampleResults example = two_metrics();
  example.trial_metric("error", "a, with comma", "x", 1, 0, 0.25);
  example.trial_metric("score", "a, with comma", "x", 1, 0, 0.75);
  example.trial_metric("score", "a, with comma", "x", 0, 1, 0.5, "trees=2");
  example.trial_metric("score", "a, with comma", "x", 0, 1, 0.7, "trees=10");
  example.trial_metric("error", "a, with comma", "x", 0, 1, 0.3, "trees=2");
  example.trial_metric("score", "b", "x", 0, 0, 1.0);
  example.trial_metric("score", "b", "y", 0, 0, 2.0);
  example.trial_metric("unlisted", "b", "y", 0, 0, 3.0);
  CHECK(results_csv(example.results) ==
        "dataset,algorithm,repeat,fold,stage,metric,value\n"
        "b,y,0,0,,score,2\n"
        "b,x,0,0,,score,1\n"
        "\"a, with comma\",x,0,1,trees=2,score,0.5\n"
        "\"a, with comma\",x,0,1,trees=2,error,0.3\n"
        "\"a, with comma\",x,0,1,trees=10,score,0.7\n"
        "\"a, with comma\",x,1,0,,score,0.75\n"
        "\"a, with comma\",x,1,0,,error,0.25\n");
}

TEST_CASE("summary.csv has a line for every combination that was measured") {
  ExampleResults example = two_metrics();
  example.repeats("b", "y", {1.0, 3.0}).repeats("b", "x", {5.0});
  example.trial_metric("error", "b", "x", 0, 0, std::numeric_limits<double>::quiet_NaN());
  CHECK(summary_csv(example.results) ==
        "dataset,algorithm,metric,mean,std,count\n"
        "b,y,score,2,1.4142135623730951,2\n"
        "b,x,score,5,,1\n"
        "b,x,error,NaN,,0\n");
}
