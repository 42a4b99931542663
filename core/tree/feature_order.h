#pragma once

#include <array>
#include <cstdint>

#include "core/base/random.h"

namespace coppice {

/// The order in which a node looks at the features: a random permutation that is a function of the node's
/// stream and nothing else. It can be read forwards (which feature comes i-th?) and backwards (when does this
/// feature come?), so a node that already knows its few non-constant features need not walk past all the
/// others, and still draws the same ones.
///
/// Up to 64 features it is a Fisher-Yates shuffle. Above, it is a keyed bijection of b bits, 2^b ≥ features,
/// made of rounds of multiplication and xor-shift; places that fall on no feature are skipped.
class FeatureOrder {
 public:
  FeatureOrder(const Stream& node, std::uint32_t features);

  /// The number of places; some may be empty.
  std::uint32_t places() const { return mask_ + 1; }
  /// Whether there is a feature in a place, and which: at(place) < features.
  std::uint32_t at(std::uint32_t place) const {
    if (shuffled_) return order_[place];
    std::uint32_t x = place;
    for (unsigned r = 0; r < rounds; ++r) {
      x = (x * multiplier_[r] + addend_[r]) & mask_;
      x ^= x >> shift_;
    }
    return x;
  }
  bool holds_feature(std::uint32_t place) const { return shuffled_ || at(place) < features_; }
  /// The inverse of at().
  std::uint32_t place_of(std::uint32_t feature) const {
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

  std::uint32_t features_;
  bool shuffled_;
  std::uint32_t mask_ = 0;
  unsigned shift_ = 0;
  std::array<std::uint32_t, rounds> multiplier_{};
  std::array<std::uint32_t, rounds> addend_{};
  std::array<std::uint32_t, rounds> inverse_{};
  std::array<std::uint8_t, small> order_{};
  std::array<std::uint8_t, small> place_{};
};

/// A number in [0, 1) that belongs to a node and a feature: where Extra-Trees cut. Addressed, so that it is
/// only computed where it is needed.
double cut_position(const Stream& node, std::uint32_t feature);

}  // namespace coppice
