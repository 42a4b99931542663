#include "core/parameters/parameters.h"

#include <doctest/doctest.h>

#include "core/base/error.h"

using namespace coppice;

namespace {

ParameterSpec features() {
  ParameterSpec spec;
  spec.name = "features";
  spec.default_value = "sqrt(p)";
  spec.regression_default = "p/3";
  spec.minimum = "1";
  spec.maximum = "p";
  return spec;
}

ParameterSpec depth() {
  ParameterSpec spec;
  spec.name = "max_depth";
  spec.default_value = "none";
  spec.minimum = "1";
  spec.optional = true;
  return spec;
}

}  // namespace

TEST_CASE("defaults depend on the task, expressions on the data, and whole numbers are rounded down") {
  const ExpressionVariables sizes{100, 30, 4};
  CHECK(resolve({features()}, {}, Task::multilabel, sizes).integer("features") == 5);
  CHECK(resolve({features()}, {}, Task::regression, sizes).integer("features") == 10);
  CHECK(resolve({features()}, {{"features", "0.7*p"}}, Task::multilabel, sizes).integer("features") == 21);
  CHECK(resolve({features()}, {}, Task::regression, {100, 2, 1}).integer("features") == 1);
  CHECK_FALSE(resolve({depth()}, {}, Task::multilabel, sizes).optional_integer("max_depth").has_value());
  CHECK(resolve({depth()}, {{"max_depth", "7"}}, Task::multilabel, sizes).optional_integer("max_depth") == 7);
}

TEST_CASE("values out of range are refused with the range and the sizes") {
  CHECK(check_raw_value(features(), "0") == "features: 0 is out of range; expected 1 … p");
  CHECK(check_raw_value(features(), "2.5") == "features: expected a whole number, found 2.5");
  CHECK(check_raw_value(features(), "many").find("unknown name 'many'") != std::string::npos);
  CHECK(check_raw_value(features(), "none").find("unknown name 'none'") != std::string::npos);
  CHECK(check_raw_value(depth(), "none").empty());
  CHECK_THROWS_WITH_AS(
      resolve({features()}, {{"features", "31"}}, Task::multilabel, {100, 30, 4}),
      doctest::Contains("features: 31 is out of range where n = 100, p = 30, d = 4; expected 1 … p"), Error);
  CHECK_THROWS_AS(resolve({features()}, {{"features", "1/0"}}, Task::multilabel, {100, 30, 4}), Error);
  // Below the range only what was rounded down to it is taken for the least value.
  CHECK_THROWS_WITH_AS(resolve({features()}, {{"features", "p-40"}}, Task::multilabel, {100, 30, 4}),
                       doctest::Contains("features: p-40 = -10 is out of range where n = 100"), Error);
  CHECK_THROWS_AS(resolve({features()}, {{"features", "-p/0"}}, Task::multilabel, {100, 30, 4}), Error);
}

TEST_CASE("resolved parameters survive JSON") {
  Parameters parameters;
  parameters.set("trees", std::int64_t{100});
  parameters.set("rate", 0.1);
  parameters.set("bootstrap", true);
  parameters.set("outputs", std::string("joint"));
  parameters.set("max_depth", std::monostate{});
  CHECK(Parameters::from_json(parameters.json()).values() == parameters.values());
}
