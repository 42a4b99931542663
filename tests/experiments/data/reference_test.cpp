#include "experiments/data/reference.h"

#include <doctest/doctest.h>

#include "tests/support/golden_page.h"

TEST_CASE("docs/datasets.md says what readers, generators and the catalogue know") {
  coppice::testing::check_page("docs/datasets.md", coppice::datasets_reference());
}
