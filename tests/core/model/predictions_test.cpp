#include "core/model/predictions.h"

#include <vector>

#include <doctest/doctest.h>

using namespace coppice;

TEST_CASE("rows of predictions may be listed in several parts, in any order") {
  std::vector<ListedScores> parts(3);
  parts[0] = {{1, 4, 2}, {0.5, 0.25, 1.0}};
  parts[2] = {{0}, {0.75}};
  // Row 0 is the only one of the last part, row 1 has no label, row 2 comes before row 3 backwards.
  Predictions predictions = Predictions::make_sparse(5, parts, {{2, 0, 1}, {1, 0, 0}, {0, 2, 3}, {0, 0, 2}});
  CHECK(predictions.rows() == 4);
  CHECK(!predictions.is_dense());
  CHECK(predictions.labels(1).empty());
  CHECK(std::vector<std::uint32_t>(predictions.labels(3).begin(), predictions.labels(3).end()) ==
        std::vector<std::uint32_t>{1, 4});
  CHECK(predictions.score(0, 0) == 0.75);
  CHECK(predictions.score(2, 2) == 1.0);
  CHECK(predictions.score(3, 4) == 0.25);
  CHECK(predictions.score(3, 2) == 0.0);

  predictions.add_row(std::vector<std::uint32_t>{3}, std::vector<double>{0.125});
  CHECK(predictions.rows() == 5);
  CHECK(predictions.score(4, 3) == 0.125);
  CHECK(predictions.score(0, 0) == 0.75);
}
