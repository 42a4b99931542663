#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "algorithms/craftml/options.h"
#include "core/base/mix.h"

namespace coppice::craftml {

/// The hashing trick (Weinberger et al. 2009): coordinate j goes to one of `dimension` new coordinates, times
/// +1 or -1. Nothing is stored; the same seed gives the same projection on every platform.
///
/// Not core/projections' hashing, which gives columns of a matrix by ten rounds of Philox: where nodes have
/// projections of their own, every entry of every row is hashed in every node, and this is one multiplication
/// or two.
struct HashProjection {
  std::uint64_t seed = 0;
  std::uint32_t dimension = 1;

  /// The new coordinate, times two, plus one if the sign is negative.
  std::uint32_t code(std::uint32_t coordinate) const {
    const std::uint64_t bits = mix(seed + (coordinate + 1) * 0x9e3779b97f4a7c15U);
    const auto place = static_cast<std::uint32_t>(((bits >> 32) * dimension) >> 32);
    return 2 * place + static_cast<std::uint32_t>(bits & 1);
  }
};

/// A projection by a matrix P of standard normal coefficients that are made up from a seed when needed: the
/// normal quantiles of 65,536 equally likely probabilities.
///
/// Only inner products of projected vectors are ever wanted, and (xP)·(yP) = x·(PP'y): so what is computed is
/// PP'y for a few vectors y, and projected rows never exist. core/projections' Gaussian gives columns in
/// double precision from exact quantiles; here millions of coefficients are made for one node, and used once.
class GaussianProjection {
 public:
  GaussianProjection(std::uint64_t seed, std::uint32_t dimension) : seed_(seed), dimension_(dimension) {}

  /// P'M, of `dimension` × lanes: row i of M (`lanes` numbers) belongs to coordinate ids[i].
  void project(std::span<const std::uint32_t> ids, std::span<const float> matrix, std::size_t lanes,
               std::vector<float>& projected) const;
  /// The row of P·`projected` for a coordinate.
  void back(std::uint32_t id, std::span<const float> projected, std::span<float> row) const;
  /// M becomes PP'M on the coordinates `ids`.
  void gram(std::span<const std::uint32_t> ids, std::span<float> matrix, std::size_t lanes,
            std::vector<float>& projected) const;

 private:
  std::uint64_t seed_;
  std::uint32_t dimension_;
};

}  // namespace coppice::craftml
