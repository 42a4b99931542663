#pragma once

#include <array>
#include <cstdint>
#include <utility>

#include "core/base/random.h"

namespace coppice {

/// The order in which a node looks at the features: a random permutation that is a function of the node's
/// stream and nothing else. It can be read forwards (which feature comes next?) and backwards (when does this
/// feature come?), so a node that already knows its few non-constant features need not walk past all the
/// others, and still draws the same ones.
///
/// Up to 64 features it is a Fisher-Yates shuffle. Above, it is a keyed bijection of b bits, 2^b ≥ features,
/// made of rounds of multiplication and xor-shift; places that fall on no feature are skipped.
class FeatureOrder {
 public:
  FeatureOrder(const Stream& node, std::uint32_t features);

  static constexpr std::uint32_t none = 0xffffffffU;

  /// The next feature, or none after the last one.
  std::uint32_t next() {
    if (shuffled_) return position_ < features_ ? draw() : none;
    while (position_ <= mask_) {
      const std::uint32_t feature = at(position_++);
      if (feature < features_) return feature;
    }
    return none;
  }

  /// When a feature comes: numbers that have the order of next(). Not to be mixed with next().
  std::uint32_t place_of(std::uint32_t feature) {
    if (!invertible_) make_invertible();
    if (shuffled_) return place_[feature];
    std::uint32_t x = feature;
    for (unsigned r = rounds; r-- > 0;) {
      x ^= x >> shift_;
      x = ((x - addend_[r]) * inverse_[r]) & mask_;
    }
    return x;
  }

 private:
  static constexpr unsigned rounds = 5;
  static constexpr std::uint32_t small = 64;

  std::uint64_t number();
  std::uint32_t draw();
  void make_invertible();
  std::uint32_t at(std::uint32_t place) const {
    std::uint32_t x = place;
    for (unsigned r = 0; r < rounds; ++r) {
      x = (x * multiplier_[r] + addend_[r]) & mask_;
      x ^= x >> shift_;
    }
    return x;
  }

  std::uint64_t counter_;  ///< the state of the numbers that the permutation is made from
  std::uint64_t key_;
  std::uint32_t features_;
  bool shuffled_;
  bool invertible_ = false;
  std::uint32_t position_ = 0;
  std::uint32_t mask_ = 0;
  unsigned shift_ = 0;
  std::array<std::uint32_t, rounds> multiplier_;
  std::array<std::uint32_t, rounds> addend_;
  std::array<std::uint32_t, rounds> inverse_;
  std::array<std::uint8_t, small> order_;
  std::array<std::uint8_t, small> place_;
};

/// A number in [0, 1) that belongs to a node and a feature: where Extra-Trees cut. Addressed, so that it is
/// only computed where it is needed.
double cut_position(const Stream& node, std::uint32_t feature);

}  // namespace coppice
