#include "core/base/random.h"

#include <xxhash.h>

#include "core/base/mix.h"
#include "core/base/portable_math.h"

namespace coppice {

namespace {

constexpr std::array<std::uint64_t, 2> derive(const std::array<std::uint64_t, 2>& key, std::uint64_t axis,
                                              std::uint64_t index) {
  const std::uint64_t a = mix(key[0] ^ mix(axis + 0x9e3779b97f4a7c15U));
  const std::uint64_t b = mix(key[1] ^ mix(index + 0xd1b54a32d192ed03U));
  return {mix(a + 3 * b), mix(b + 5 * a + 0x8cb92ba72f3d8dd7U)};
}

}  // namespace

Stream::Stream(std::uint64_t seed) : key_(derive({0, 0}, 0, seed)) {}

Stream Stream::at(Axis axis, std::uint64_t index) const {
  return Stream(derive(key_, axis.code(), index));
}

Stream Stream::at(Axis axis, std::string_view text) const {
  return at(axis, XXH3_64bits(text.data(), text.size()));
}

void Stream::refill() {
  block_ = philox({counter_++, 0, 0, 0}, key_);
  position_ = 0;
}

double Stream::normal() {
  // Centred in its cell, so that 0 and 1 never occur.
  return normal_quantile((static_cast<double>(next() >> 12) + 0.5) * 0x1.0p-52);
}

}  // namespace coppice
