#pragma once

#include <cstdint>

namespace coppice {

/// What counters are raised by before they are mixed: 2^64 over the golden ratio.
constexpr std::uint64_t mix_step = 0x9e3779b97f4a7c15U;

/// A bijection of 64 bits in which every bit of the result depends on every bit given: the finaliser of
/// MurmurHash3 with the constants of Stafford's variant 13.
constexpr std::uint64_t mix(std::uint64_t x) {
  x ^= x >> 30;
  x *= 0xbf58476d1ce4e5b9U;
  x ^= x >> 27;
  x *= 0x94d049bb133111ebU;
  x ^= x >> 31;
  return x;
}

}  // namespace coppice
