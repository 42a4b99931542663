#include "core/data/sparse_rows.h"

#include <cmath>
#include <limits>

#include <doctest/doctest.h>

using namespace coppice;

namespace {

std::shared_ptr<const Dataset> data() {
  Features features(4);
  features.add_dense("", std::vector<float>{0.0F, 1.5F, 0.0F, -2.0F});
  features.add_sparse("", std::vector<std::uint32_t>{0, 1, 3}, std::vector<float>{4.0F, 0.0F, 5.0F});
  features.add_dense("", std::vector<float>{0.0F, 0.0F, 0.0F, std::numeric_limits<float>::quiet_NaN()});
  return std::make_shared<const Dataset>("rows", Task::multilabel, std::move(features),
                                         LabelSets(1, {{}, {}, {}, {}}));
}

}  // namespace

TEST_CASE("rows without their zeros, from dense and sparse columns, stored zeros left out") {
  const SparseRows rows = SparseRows::of(DatasetView(data()));
  REQUIRE(rows.rows() == 4);
  CHECK(rows[0].columns.size() == 1);
  CHECK(rows[0].columns[0] == 1);
  CHECK(rows[0].values[0] == 4.0F);
  CHECK(rows[1].columns.size() == 1);
  CHECK(rows[1].values[0] == 1.5F);
  CHECK(rows[2].size() == 0);
  CHECK(rows[3].size() == 3);
  CHECK(rows[3].columns[0] == 0);
  CHECK(rows[3].columns[2] == 2);
  CHECK(std::isnan(rows[3].values[2]));
}

TEST_CASE("a view's order and repetitions are kept") {
  const SparseRows rows = SparseRows::of(DatasetView(data(), {3, 2, 3, 0}));
  REQUIRE(rows.rows() == 4);
  CHECK(rows[0].size() == 3);
  CHECK(rows[1].size() == 0);
  CHECK(rows[2].size() == 3);
  CHECK(rows[3].values[0] == 4.0F);
  CHECK(SparseRows::of(DatasetView(data(), {})).rows() == 0);
}

TEST_CASE("values can be weighted in place") {
  SparseRows rows = SparseRows::of(DatasetView(data()));
  for (float& value : rows.values_of(0)) value *= 2.0F;
  CHECK(rows[0].values[0] == 8.0F);
  CHECK(rows[1].values[0] == 1.5F);
}
