#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "core/base/random.h"

namespace coppice {

/// The order in which a node looks at the features: a random permutation that is a function of the node's
/// stream and nothing else. It can be read forwards (which feature comes next?) and backwards (when do these
/// features come?), so a node that already knows its few non-constant features need not walk past all the
/// others, and still draws the same ones.
///
/// Up to 64 features it is a Fisher-Yates shuffle. Above, it is a keyed bijection of b bits, 2^b ≥ features,
/// made of rounds of multiplication and xor-shift; places that fall on no feature are skipped. Up to 2^16
/// features many places are computed at once, in 16-bit lanes.
class FeatureOrder {
 public:
  FeatureOrder(const Stream& node, std::uint32_t features);

  static constexpr std::uint32_t none = 0xffffffffU;

  /// The next feature, or none after the last one.
  std::uint32_t next() {
    if (shuffled_) return position_ < features_ ? draw() : none;
    for (;;) {
      if (position_ == batch_end_) {
        if (position_ > mask_) return none;
        refill();
      }
      const std::uint32_t feature = batch_[position_++ % batch];
      if (feature < features_) return feature;
    }
  }

  /// The next features, up to so many, without a branch for the places that fall on none; `features` has room
  /// for one more. Returns how many there were.
  std::size_t next(std::size_t wanted, std::uint32_t* features);

  /// When features come: places[i] becomes a number for features[i]; they have the order of next(). Not to be
  /// mixed with next().
  void places_of(std::span<const std::uint32_t> features, std::uint32_t* places);

 private:
  static constexpr unsigned rounds = 5;
  static constexpr std::uint32_t small = 64;
  static constexpr std::uint32_t batch = 16;

  std::uint64_t number();
  std::uint32_t draw();
  void refill();
  void invert_narrow(std::span<const std::uint32_t> features, std::uint32_t* places) const;

  std::uint64_t counter_;  ///< the state of the numbers that the permutation is made from
  std::uint64_t key_;
  std::uint32_t features_;
  bool shuffled_;
  std::uint32_t position_ = 0;
  std::uint32_t batch_end_ = 0;
  std::uint32_t mask_ = 0;
  unsigned shift_ = 0;
  std::array<std::uint32_t, rounds> multiplier_;
  std::array<std::uint32_t, rounds> addend_;
  std::array<std::uint32_t, batch> batch_;
  std::array<std::uint8_t, small> order_;
};

/// A number in [0, 1) that belongs to a node and a feature: where Extra-Trees cut. Addressed, so that it is
/// only computed where it is needed.
double cut_position(const Stream& node, std::uint32_t feature);
/// The same for several features.
void cut_positions(const Stream& node, std::span<const std::uint32_t> features, double* positions);

}  // namespace coppice
