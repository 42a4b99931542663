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

/// The inverse of an odd number modulo 2^32: Newton's iteration doubles the correct bits.
constexpr std::uint32_t inverse_of(std::uint32_t odd) {
  std::uint32_t x = odd;
  for (int i = 0; i < 4; ++i) x *= 2U - odd * x;
  return x;
}
static_assert(inverse_of(0x12345679U) * 0x12345679U == 1U);

}  // namespace

FeatureOrder::FeatureOrder(const Stream& node, std::uint32_t features)
    : counter_(node.key()[0]), key_(node.key()[1]), features_(features), shuffled_(features <= small) {
  if (shuffled_) {
    for (std::uint32_t i = 0; i < small; ++i) order_[i] = static_cast<std::uint8_t>(i);
    return;
  }
  const auto bits = static_cast<unsigned>(std::bit_width(features - 1));
  mask_ = static_cast<std::uint32_t>((std::uint64_t{1} << bits) - 1);
  shift_ = (bits + 1) / 2;
  for (unsigned r = 0; r < rounds; ++r) {
    const std::uint64_t drawn = number();
    multiplier_[r] = static_cast<std::uint32_t>(drawn) | 1U;
    addend_[r] = static_cast<std::uint32_t>(drawn >> 32);
  }
}

std::uint64_t FeatureOrder::number() {
  return mix((counter_ += 0x9e3779b97f4a7c15U) ^ key_);
}

std::uint32_t FeatureOrder::draw() {
  const auto ahead = static_cast<unsigned __int128>(number()) * (features_ - position_) >> 64;
  std::swap(order_[position_], order_[position_ + static_cast<std::uint32_t>(ahead)]);
  return order_[position_++];
}

void FeatureOrder::make_invertible() {
  invertible_ = true;
  if (shuffled_) {
    while (position_ < features_) {
      const std::uint32_t place = position_;
      place_[draw()] = static_cast<std::uint8_t>(place);
    }
    return;
  }
  for (unsigned r = 0; r < rounds; ++r) inverse_[r] = inverse_of(multiplier_[r]);
}

double cut_position(const Stream& node, std::uint32_t feature) {
  const std::uint64_t bits =
      mix(mix(node.key()[0] + feature * 0xd1b54a32d192ed03U) ^ node.key()[1] ^ 0x8cb92ba72f3d8dd7U);
  return static_cast<double>(bits >> 11) * 0x1.0p-53;
}

}  // namespace coppice
