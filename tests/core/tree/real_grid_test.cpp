#include "core/tree/real_grid.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include <doctest/doctest.h>

#include "core/base/random.h"

using namespace coppice;

namespace {

constexpr std::size_t grid_rows = 9;
constexpr std::size_t grid_outputs = 3;
constexpr std::size_t grid_distance = 5;

Sample some_rows() {
  Sample sample;
  sample.rows = {0, 2, 3, 7};
  sample.weights = {1, 0, 3, 1, 0, 0, 0, 2, 0};
  sample.total = 7;
  return sample;
}

/// Up to 2^bits, with 0 beyond the outputs.
std::vector<std::int32_t> some_multiples(int bits) {
  std::vector<std::int32_t> made;
  Stream stream(3);
  for (std::size_t row = 0; row < some_rows().rows.size(); ++row)
    for (std::size_t j = 0; j < grid_distance; ++j)
      made.push_back(j < grid_outputs ? static_cast<std::int32_t>(std::ldexp(stream.uniform(-1.0, 1.0), bits))
                                      : 0);
  return made;
}

RealGrid grid_of(const std::vector<std::int32_t>& multiples, double unit, const Sample& sample) {
  const WholeMultiples whole{unit, 0x1.0p31, grid_distance, {5, -7, 12, 0, 0}, [&](auto rows, auto numbers) {
                               REQUIRE(std::ranges::equal(rows, sample.rows));
                               std::ranges::copy(multiples, numbers.begin());
                             }};
  return {whole, grid_outputs, sample,
          std::vector<double>(grid_rows * RealGrid::stride_of(grid_outputs), 77.0)};
}

}  // namespace

TEST_CASE("multiples of a power of two stay what they are on a grid, but for the centres") {
  const Sample sample = some_rows();
  const auto multiples = some_multiples(20);
  const double unit = 0x1.0p-13;
  const RealGrid grid = grid_of(multiples, unit, sample);
  REQUIRE(grid.outputs() == grid_outputs);
  for (std::size_t j = 0; j < grid_outputs; ++j) {
    CHECK(grid.step()[j] == unit);
    CHECK(grid.inverse_step()[j] == 1.0 / unit);
    const std::int32_t centre = std::array{5, -7, 12}[j];
    for (std::size_t i = 0; i < sample.rows.size(); ++i)
      CHECK(grid.row(sample.rows[i])[j] == unit * (multiples[i * grid_distance + j] - centre));
  }
  for (const std::uint32_t row : sample.rows) CHECK(grid.row(row)[grid_outputs] == 0.0);
}

TEST_CASE("multiples of another unit, or too large ones, are rounded as any values are") {
  Sample sample = some_rows();
  for (const double unit : {0.3, 0x1.0p-13}) {
    CAPTURE(unit);
    if (unit != 0.3) {  // rows that weigh so much that the unit is too fine for exact sums
      for (std::uint32_t& weight : sample.weights) weight *= 1U << 27;
      sample.total <<= 27;
    }
    const auto multiples = some_multiples(30);
    std::vector<double> values(grid_rows * grid_outputs, 0.0);
    for (std::size_t i = 0; i < sample.rows.size(); ++i)
      for (std::size_t j = 0; j < grid_outputs; ++j)
        values[sample.rows[i] * grid_outputs + j] = unit * multiples[i * grid_distance + j];
    const RealGrid expected(values, grid_outputs, sample);
    const RealGrid grid = grid_of(multiples, unit, sample);
    for (std::size_t j = 0; j < grid_outputs; ++j) {
      CHECK(grid.step()[j] == expected.step()[j]);
      for (const std::uint32_t row : sample.rows) CHECK(grid.row(row)[j] == expected.row(row)[j]);
    }
  }
}
