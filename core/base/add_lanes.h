#pragma once

#include <cstdint>
#include <cstring>

namespace coppice {

/// Numbers that are added at once.
using SixteenBytes = std::uint8_t __attribute__((vector_size(16)));
using FourDoubles = double __attribute__((vector_size(4 * sizeof(double))));
using EightDoubles = double __attribute__((vector_size(8 * sizeof(double))));

/// Adds as many numbers as a vector has to others, each to its own.
template <typename Vector, typename T>
[[gnu::always_inline]] inline void add_lanes(const T* from, T* to) {
  Vector sums;
  Vector more;
  std::memcpy(&sums, to, sizeof sums);
  std::memcpy(&more, from, sizeof more);
  sums += more;
  std::memcpy(to, &sums, sizeof sums);
}

}  // namespace coppice
