#include "algorithms/reference.h"

#include <doctest/doctest.h>

#include "algorithms/registry.h"
#include "core/base/error.h"
#include "tests/support/golden_page.h"

using namespace coppice;

TEST_CASE("docs/algorithms.md says what the algorithms declare") {
  testing::check_page("docs/algorithms.md", algorithms_reference());
}

TEST_CASE("the registry refuses a second algorithm of the same name and helps with a slip") {
  CHECK_THROWS_WITH_AS(Registry::instance().get("random-forrest"),
                       doctest::Contains("did you mean random-forest?"), Error);
  CHECK(Registry::instance().find("constant") != nullptr);
}
