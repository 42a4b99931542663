#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace coppice {

/// The name of an axis of randomness ("repeat", "tree", "node"), hashed when the program is compiled.
class Axis {
 public:
  consteval Axis(const char* name) : code_(hash(name)) {}  // NOLINT(google-explicit-constructor)
  constexpr std::uint64_t code() const { return code_; }

 private:
  static constexpr std::uint64_t hash(std::string_view name) {
    std::uint64_t value = 0xcbf29ce484222325U;
    for (const char character : name) {
      value ^= static_cast<unsigned char>(character);
      value *= 0x100000001b3U;
    }
    return value;
  }
  std::uint64_t code_;
};

/// An addressed stream of random numbers. Randomness in coppice is never consumed from a shared generator: a
/// stream is derived from what it is for, `Stream(seed).at("repeat", 3).at("tree", 17)`, so no result depends
/// on scheduling or on how many numbers somebody else drew. The numbers are those of the counter-based
/// generator Philox4x64-10 (Salmon et al. 2011) and are the same on every platform.
class Stream {
 public:
  explicit Stream(std::uint64_t seed);

  /// The stream at position `index` of `axis`, independent of this one and of how far this one has been read.
  Stream at(Axis axis, std::uint64_t index = 0) const;
  /// The same for an axis that is addressed by text, such as an algorithm's name.
  Stream at(Axis axis, std::string_view text) const;

  /// 64 random bits.
  std::uint64_t next() {
    if (position_ == 4) refill();
    return block_[position_++];
  }
  /// Uniform on [0, 1), a multiple of 2^-53.
  double uniform() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }
  /// Uniform on [low, high).
  double uniform(double low, double high) { return low + (high - low) * uniform(); }
  /// Uniform on {0, …, bound - 1}, exactly (rejection); bound ≥ 1.
  std::uint64_t below(std::uint64_t bound) {
    // Lemire 2019: the high word of a product, rejecting the few values that would favour small results.
    auto product = static_cast<unsigned __int128>(next()) * bound;
    if (static_cast<std::uint64_t>(product) < bound) {
      const std::uint64_t threshold = (0 - bound) % bound;
      while (static_cast<std::uint64_t>(product) < threshold)
        product = static_cast<unsigned __int128>(next()) * bound;
    }
    return static_cast<std::uint64_t>(product >> 64);
  }
  /// Standard normal, by inversion: one draw each.
  double normal();

  /// Shuffles `items` (Fisher-Yates).
  template <typename T>
  void shuffle(std::span<T> items) {
    for (std::size_t i = items.size(); i > 1; --i) std::swap(items[i - 1], items[below(i)]);
  }

  /// The 128 bits that address this stream.
  const std::array<std::uint64_t, 2>& key() const { return key_; }

  /// The raw generator, public so that it can be checked against published vectors.
  static std::array<std::uint64_t, 4> philox(std::array<std::uint64_t, 4> counter,
                                             std::array<std::uint64_t, 2> key) {
    for (int round = 0; round < 10; ++round) {
      const auto first = static_cast<unsigned __int128>(0xD2E7470EE14C6C93U) * counter[0];
      const auto second = static_cast<unsigned __int128>(0xCA5A826395121157U) * counter[2];
      counter = {
          static_cast<std::uint64_t>(second >> 64) ^ counter[1] ^ key[0], static_cast<std::uint64_t>(second),
          static_cast<std::uint64_t>(first >> 64) ^ counter[3] ^ key[1], static_cast<std::uint64_t>(first)};
      key[0] += 0x9E3779B97F4A7C15U;
      key[1] += 0xBB67AE8584CAA73BU;
    }
    return counter;
  }

 private:
  explicit Stream(const std::array<std::uint64_t, 2>& key) : key_(key) {}
  void refill();

  std::array<std::uint64_t, 2> key_;
  std::uint64_t counter_ = 0;
  std::array<std::uint64_t, 4> block_{};
  unsigned position_ = 4;
};

}  // namespace coppice
