#include "algorithms/craftml/projection.h"

#include <algorithm>
#include <array>

#include "core/base/portable_math.h"

namespace coppice::craftml {

namespace {

constexpr std::size_t quantile_count = 65536;

const std::array<float, quantile_count>& normal_quantiles() {
  static const auto quantiles = [] {
    std::array<float, quantile_count> table;
    for (std::size_t i = 0; i < quantile_count; ++i)
      table[i] = static_cast<float>(normal_quantile((static_cast<double>(i) + 0.5) / quantile_count));
    return table;
  }();
  return quantiles;
}

/// Calls body(q, coefficient) for all coefficients of a coordinate; four come from each hash.
template <typename Body>
void for_each_coefficient(std::uint64_t seed, std::uint32_t dimension, std::uint32_t coordinate,
                          const Body& body) {
  const auto& quantiles = normal_quantiles();
  const std::uint64_t base = mix(seed + (coordinate + 1) * 0x9e3779b97f4a7c15U);
  for (std::uint32_t q = 0; q < dimension; q += 4) {
    std::uint64_t bits = mix(base + (q + 1) * 0xd1b54a32d192ed03U);
    for (std::uint32_t k = q; k < std::min(q + 4, dimension); ++k, bits >>= 16)
      body(k, quantiles[bits & 0xffff]);
  }
}

}  // namespace

void GaussianProjection::project(std::span<const std::uint32_t> ids, std::span<const float> matrix,
                                 std::size_t lanes, std::vector<float>& projected) const {
  projected.assign(dimension_ * lanes, 0.0F);
  for (std::size_t i = 0; i < ids.size(); ++i)
    for_each_coefficient(seed_, dimension_, ids[i], [&](std::uint32_t q, float coefficient) {
      for (std::size_t lane = 0; lane < lanes; ++lane)
        projected[q * lanes + lane] += coefficient * matrix[i * lanes + lane];
    });
}

void GaussianProjection::back(std::uint32_t id, std::span<const float> projected,
                              std::span<float> row) const {
  std::fill(row.begin(), row.end(), 0.0F);
  for_each_coefficient(seed_, dimension_, id, [&](std::uint32_t q, float coefficient) {
    for (std::size_t lane = 0; lane < row.size(); ++lane)
      row[lane] += coefficient * projected[q * row.size() + lane];
  });
}

void GaussianProjection::gram(std::span<const std::uint32_t> ids, std::span<float> matrix, std::size_t lanes,
                              std::vector<float>& projected) const {
  project(ids, matrix, lanes, projected);
  for (std::size_t i = 0; i < ids.size(); ++i) back(ids[i], projected, matrix.subspan(i * lanes, lanes));
}

}  // namespace coppice::craftml
