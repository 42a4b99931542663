#include "core/tree/feature_order.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "core/base/mix.h"
#include "core/base/wide_vectors.h"

namespace coppice {

namespace {

/// The places that are computed at once.
using PlaceLanes = std::uint16_t __attribute__((vector_size(32)));

/// The inverse of an odd number modulo 2^32: Newton's iteration doubles the correct bits.
constexpr std::uint32_t inverse_of(std::uint32_t odd) {
  std::uint32_t x = odd;
  for (int i = 0; i < 4; ++i) x *= 2U - odd * x;
  return x;
}
static_assert(inverse_of(0x12345679U) * 0x12345679U == 1U);

inline double position_of(const std::array<std::uint64_t, 2>& key, std::uint32_t feature) {
  const std::uint64_t bits = mix(mix(key[0] + feature * 0xd1b54a32d192ed03U) ^ key[1] ^ 0x8cb92ba72f3d8dd7U);
  return static_cast<double>(bits >> 11) * 0x1.0p-53;
}

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
  static_assert(sizeof(PlaceLanes) == batch * sizeof(std::uint16_t));
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
  std::array<std::uint16_t, batch> places;
  for (std::uint32_t i = 0; i < batch; ++i) places[i] = static_cast<std::uint16_t>(position_ + i);
  PlaceLanes lanes;
  std::memcpy(&lanes, places.data(), sizeof lanes);
  const PlaceLanes mask = PlaceLanes{} + static_cast<std::uint16_t>(mask_);
  for (unsigned r = 0; r < rounds; ++r) {
    lanes =
        (lanes * static_cast<std::uint16_t>(multiplier_[r]) + static_cast<std::uint16_t>(addend_[r])) & mask;
    lanes ^= lanes >> shift_;
  }
  std::memcpy(places.data(), &lanes, sizeof lanes);
  for (std::uint32_t i = 0; i < batch; ++i) batch_[i] = places[i];
}

std::size_t FeatureOrder::next(std::size_t wanted, std::uint32_t* features) {
  std::size_t count = 0;
  if (shuffled_) {
    while (count < wanted && position_ < features_) features[count++] = draw();
    return count;
  }
  while (count < wanted) {
    if (position_ == batch_end_) {
      if (position_ > mask_) break;
      refill();
    }
    const std::uint32_t feature = batch_[position_++ % batch];
    features[count] = feature;
    count += feature < features_ ? 1 : 0;
  }
  return count;
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
  std::array<std::uint16_t, batch> places_of_batch{};
  for (std::size_t i = 0; i < features.size(); ++i)
    places_of_batch[i] = static_cast<std::uint16_t>(features[i]);
  PlaceLanes lanes;
  std::memcpy(&lanes, places_of_batch.data(), sizeof lanes);
  const PlaceLanes mask = PlaceLanes{} + static_cast<std::uint16_t>(mask_);
  for (unsigned r = rounds; r-- > 0;) {
    lanes ^= lanes >> shift_;
    lanes = ((lanes - static_cast<std::uint16_t>(addend_[r])) *
             static_cast<std::uint16_t>(inverse_of(multiplier_[r]))) &
            mask;
  }
  std::memcpy(places_of_batch.data(), &lanes, sizeof lanes);
  for (std::size_t i = 0; i < features.size(); ++i) places[i] = places_of_batch[i];
}

double cut_position(const Stream& node, std::uint32_t feature) {
  return position_of(node.key(), feature);
}

COPPICE_WIDEST_VECTORS
void cut_positions(const Stream& node, std::span<const std::uint32_t> features, double* positions) {
  const std::array<std::uint64_t, 2> key = node.key();
  for (std::size_t i = 0; i < features.size(); ++i) positions[i] = position_of(key, features[i]);
}

}  // namespace coppice
