#include "algorithms/craftml/projection.h"

#include <cmath>
#include <numeric>
#include <set>

#include <doctest/doctest.h>

using namespace coppice::craftml;

TEST_CASE("hashing: the codes of a seed are fixed for ever") {
  // Computed apart, in Python, from the definition: mix(seed + (j + 1)·0x9e3779b97f4a7c15).
  const HashProjection hashing{42, 1000};
  const std::vector<std::uint32_t> expected{1483, 319, 556, 688, 76, 1736, 437, 1600};
  for (std::uint32_t j = 0; j < expected.size(); ++j) CHECK(hashing.code(j) == expected[j]);
}

TEST_CASE("hashing: coordinates spread evenly and signs balance") {
  const HashProjection hashing{7, 10};
  std::vector<int> count(10, 0);
  int negative = 0;
  for (std::uint32_t j = 0; j < 10000; ++j) {
    const std::uint32_t code = hashing.code(j);
    REQUIRE(code / 2 < 10);
    ++count[code / 2];
    negative += static_cast<int>(code % 2);
  }
  for (const int c : count) CHECK(std::abs(c - 1000) < 150);  // five deviations
  CHECK(std::abs(negative - 5000) < 250);
}

TEST_CASE("hashing: other seeds give other projections, one dimension is one coordinate") {
  std::size_t same = 0;
  for (std::uint32_t j = 0; j < 1000; ++j)
    same += HashProjection{1, 1000}.code(j) == HashProjection{2, 1000}.code(j) ? 1 : 0;
  CHECK(same < 10);
  for (std::uint32_t j = 0; j < 100; ++j) CHECK(HashProjection{3, 1}.code(j) < 2);
}

TEST_CASE("gaussian: inner products are kept on average") {
  constexpr std::uint32_t dimension = 4000;
  const GaussianProjection gaussian(5, dimension);
  const std::vector<std::uint32_t> ids{3, 8, 100};
  std::vector<float> matrix{1.0F, 0.0F, 0.5F, 2.0F, 0.0F, 1.0F};  // three coordinates, two vectors
  const std::vector<float> before = matrix;
  std::vector<float> scratch;
  gaussian.gram(ids, matrix, 2, scratch);
  for (std::size_t i = 0; i < matrix.size(); ++i)
    CHECK(matrix[i] / dimension == doctest::Approx(before[i]).epsilon(0.02).scale(5.0));
}

TEST_CASE("gaussian: the product with its own transpose is symmetric") {
  const GaussianProjection gaussian(9, 30);
  const std::vector<std::uint32_t> ids{1, 2};
  std::vector<float> first{1.0F, 0.0F};
  std::vector<float> second{0.0F, 1.0F};
  std::vector<float> scratch;
  gaussian.gram(ids, first, 1, scratch);
  gaussian.gram(ids, second, 1, scratch);
  CHECK(first[1] == doctest::Approx(second[0]));
  CHECK(first[0] > 0.0F);
  CHECK(second[1] > 0.0F);
}
