#include "core/tree/feature_order.h"

#include <bit>
#include <utility>

namespace coppice {

namespace {

/// A 64-bit mixing function (Stafford's variant 13).
constexpr std::uint64_t mix(std::uint64_t x) {
  x ^= x >> 30;
  x *= 0xbf58476d1ce4e5b9U;
  x ^= x >> 27;
  x *= 0x94d049bb133111ebU;
  x ^= x >> 31;
  return x;
}

/// Mixed counters: the numbers a permutation is made from.
class KeyedNumbers {
 public:
  explicit KeyedNumbers(const Stream& node) : state_(node.key()[0]), second_(node.key()[1]) {}
  std::uint64_t next() { return mix((state_ += 0x9e3779b97f4a7c15U) ^ second_); }

 private:
  std::uint64_t state_;
  std::uint64_t second_;
};

/// The inverse of an odd number modulo 2^32: Newton's iteration doubles the correct bits.
constexpr std::uint32_t inverse_of(std::uint32_t odd) {
  std::uint32_t x = odd;
  for (int i = 0; i < 4; ++i) x *= 2U - odd * x;
  return x;
}
static_assert(inverse_of(0x12345679U) * 0x12345679U == 1U);

}  // namespace

FeatureOrder::FeatureOrder(const Stream& node, std::uint32_t features)
    : features_(features), shuffled_(features <= small) {
  KeyedNumbers numbers(node);
  if (shuffled_) {
    mask_ = features - 1;
    for (std::uint32_t i = 0; i < features; ++i) order_[i] = static_cast<std::uint8_t>(i);
    for (std::uint32_t i = 0; i + 1 < features; ++i) {
      const auto ahead = static_cast<unsigned __int128>(numbers.next()) * (features - i) >> 64;
      std::swap(order_[i], order_[i + static_cast<std::uint32_t>(ahead)]);
    }
    for (std::uint32_t i = 0; i < features; ++i) place_[order_[i]] = static_cast<std::uint8_t>(i);
    return;
  }
  const auto bits = static_cast<unsigned>(std::bit_width(features - 1));
  mask_ = static_cast<std::uint32_t>((std::uint64_t{1} << bits) - 1);
  shift_ = (bits + 1) / 2;
  for (unsigned r = 0; r < rounds; ++r) {
    const std::uint64_t number = numbers.next();
    multiplier_[r] = static_cast<std::uint32_t>(number) | 1U;
    addend_[r] = static_cast<std::uint32_t>(number >> 32);
    inverse_[r] = inverse_of(multiplier_[r]);
  }
}

double cut_position(const Stream& node, std::uint32_t feature) {
  const std::uint64_t bits =
      mix(mix(node.key()[0] + feature * 0xd1b54a32d192ed03U) ^ node.key()[1] ^ 0x8cb92ba72f3d8dd7U);
  return static_cast<double>(bits >> 11) * 0x1.0p-53;
}

}  // namespace coppice
