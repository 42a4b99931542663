#include "core/tree/feature_order.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "core/base/mix.h"

namespace coppice {

namespace {

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

void FeatureOrder::refill() {
  batch_end_ = position_ + batch;
  if (mask_ > 0xffffU) {
    for (std::uint32_t i = 0; i < batch; ++i) {
      std::uint32_t x = position_ + i;
      for (unsigned r = 0; r < rounds; ++r) {
        x = (x * multiplier_[r] + addend_[r]) & mask_;
        x ^= x >> shift_;
      }
      batch_[i] = x;
    }
    return;
  }
  std::array<std::uint16_t, batch> lanes;
  for (std::uint32_t i = 0; i < batch; ++i) lanes[i] = static_cast<std::uint16_t>(position_ + i);
  const auto mask = static_cast<std::uint16_t>(mask_);
  for (unsigned r = 0; r < rounds; ++r) {
    const auto multiplier = static_cast<std::uint16_t>(multiplier_[r]);
    const auto addend = static_cast<std::uint16_t>(addend_[r]);
    for (std::uint16_t& lane : lanes) {
      const auto x = static_cast<std::uint16_t>((std::uint32_t{lane} * multiplier + addend) & mask);
      lane = static_cast<std::uint16_t>(x ^ (x >> shift_));
    }
  }
  for (std::uint32_t i = 0; i < batch; ++i) batch_[i] = lanes[i];
}

void FeatureOrder::places_of(std::span<const std::uint32_t> features, std::uint32_t* places) {
  if (shuffled_) {
    std::array<std::uint8_t, small> place;
    while (position_ < features_) {
      const std::uint32_t now = position_;
      place[draw()] = static_cast<std::uint8_t>(now);
    }
    for (std::size_t i = 0; i < features.size(); ++i) places[i] = place[features[i]];
    return;
  }
  if (mask_ <= 0xffffU) {
    for (std::size_t done = 0; done < features.size(); done += batch)
      invert_narrow(features.subspan(done, std::min<std::size_t>(batch, features.size() - done)),
                    places + done);
    return;
  }
  std::array<std::uint32_t, rounds> inverse;
  for (unsigned r = 0; r < rounds; ++r) inverse[r] = inverse_of(multiplier_[r]);
  for (std::size_t i = 0; i < features.size(); ++i) {
    std::uint32_t x = features[i];
    for (unsigned r = rounds; r-- > 0;) {
      x ^= x >> shift_;
      x = ((x - addend_[r]) * inverse[r]) & mask_;
    }
    places[i] = x;
  }
}

void FeatureOrder::invert_narrow(std::span<const std::uint32_t> features, std::uint32_t* places) const {
  std::array<std::uint16_t, batch> lanes{};
  for (std::size_t i = 0; i < features.size(); ++i) lanes[i] = static_cast<std::uint16_t>(features[i]);
  const auto mask = static_cast<std::uint16_t>(mask_);
  for (unsigned r = rounds; r-- > 0;) {
    const auto inverse = static_cast<std::uint16_t>(inverse_of(multiplier_[r]));
    const auto addend = static_cast<std::uint16_t>(addend_[r]);
    for (std::uint16_t& lane : lanes) {
      const auto x = static_cast<std::uint16_t>(lane ^ (lane >> shift_));
      lane = static_cast<std::uint16_t>(((std::uint32_t{x} - addend) * inverse) & mask);
    }
  }
  for (std::size_t i = 0; i < features.size(); ++i) places[i] = lanes[i];
}

double cut_position(const Stream& node, std::uint32_t feature) {
  const std::uint64_t bits =
      mix(mix(node.key()[0] + feature * 0xd1b54a32d192ed03U) ^ node.key()[1] ^ 0x8cb92ba72f3d8dd7U);
  return static_cast<double>(bits >> 11) * 0x1.0p-53;
}

}  // namespace coppice
