#include "core/data/sparse_inputs.h"

#include <doctest/doctest.h>

#include "core/base/random.h"

using namespace coppice;

namespace {

/// Random cells, some columns full, some empty, most of them sparse; the same through SparseInputs and column
/// by column.
void check_against_plain(std::size_t rows, std::size_t columns, double density, std::uint32_t first_column) {
  std::vector<std::vector<std::uint32_t>> present(columns);
  std::vector<std::vector<float>> values(columns);
  SparseInputs inputs;
  Stream stream(rows + columns);
  for (std::uint32_t row = 0; row < rows; ++row)
    for (std::size_t j = 0; j < columns; ++j) {
      const double chance = j == 3 ? 1.0 : j % 7 == 1 ? 0.0 : density * (j < 20 ? 10.0 : 1.0);
      if (stream.uniform() >= chance) continue;
      const auto value = static_cast<float>(stream.normal());
      present[j].push_back(row);
      values[j].push_back(value);
      inputs.add(row, static_cast<std::uint32_t>(j) + first_column, value);
    }
  const Features features = inputs.finish(rows, columns, {}, first_column);
  REQUIRE(features.columns() == columns);
  for (std::size_t j = 0; j < columns; ++j) {
    const ColumnView column = features.column(j);
    CHECK(column.dense == !stored_sparse(present[j].size(), rows));
    for (std::size_t i = 0; i < present[j].size(); ++i) REQUIRE(column.at(present[j][i]) == values[j][i]);
    if (!column.dense) {
      CHECK(std::equal(column.rows.begin(), column.rows.end(), present[j].begin(), present[j].end()));
    }
  }
}

}  // namespace

TEST_CASE("few values take the short way") {
  check_against_plain(50, 40, 0.1, 0);
  check_against_plain(50, 40, 0.1, 1);
}

TEST_CASE("many values go through buckets") {
  check_against_plain(4000, 500, 0.3, 0);
  check_against_plain(4000, 500, 0.3, 1);
}

TEST_CASE("columns that show up late and far away get buckets of their own") {
  SparseInputs inputs;
  for (std::uint32_t row = 0; row < 300'000; ++row) inputs.add(row, row % 100, 1.0F);
  inputs.add(300'000, 1'000'000, 2.0F);
  inputs.add(300'001, 70'000, 3.0F);
  const Features features = inputs.finish(300'002, 1'000'001);
  CHECK(features.column(1'000'000).at(300'000) == 2.0F);
  CHECK(features.column(70'000).at(300'001) == 3.0F);
  CHECK(features.column(99).values.size() == 3000);
  CHECK(features.column(500'000).values.empty());
  CHECK(features.stored_values() == 300'002);
}

TEST_CASE("no values at all make empty columns") {
  const Features features = SparseInputs().finish(10, 3);
  CHECK(features.columns() == 3);
  CHECK(features.column(1).at(5) == 0.0F);
}
