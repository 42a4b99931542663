#include "core/projections/normal_multiples.h"

#include <cmath>
#include <span>
#include <vector>

#include <doctest/doctest.h>

#include "core/base/portable_math.h"
#include "core/base/random.h"

using namespace coppice;

namespace {

std::vector<std::int32_t> multiples_of(const std::vector<std::uint32_t>& bits, float scale) {
  std::vector<std::int32_t> made(bits.size(), -1);
  normal_multiples(bits, scale, made);
  return made;
}

}  // namespace

TEST_CASE("normal multiples are the rounded quantiles of their bits") {
  std::vector<std::uint32_t> bits{0U, 1U, 0xffffffffU, 0x7fffffffU, 0x80000000U, 322122546U, 322122547U};
  Stream stream(5);
  for (int i = 0; i < 20000; ++i) bits.push_back(static_cast<std::uint32_t>(stream.next() >> 32));
  for (std::uint32_t near_end = 2; near_end < 1U << 30; near_end *= 3) bits.push_back(near_end);
  for (const float scale : {4096.0F, 2048.5F, 1.0F}) {
    CAPTURE(scale);
    const auto made = multiples_of(bits, scale);
    for (std::size_t i = 0; i < bits.size(); ++i) {
      CAPTURE(bits[i]);
      const double exact = scale * normal_quantile((bits[i] + 0.5) * 0x1.0p-32);
      REQUIRE(std::abs(made[i] - exact) < 0.5 + 1e-6 * std::abs(exact) + 2e-7 * scale);
      REQUIRE(std::abs(made[i]) < 1 << 15);
    }
  }
}

TEST_CASE("normal multiples are the same on every processor") {
  std::vector<std::uint32_t> bits;
  Stream stream(7);
  for (int i = 0; i < 1500; ++i) bits.push_back(static_cast<std::uint32_t>(stream.next()));
  for (const std::size_t count : {0UL, 1UL, 15UL, 16UL, 17UL, 511UL, 512UL, 513UL, 1500UL}) {
    CAPTURE(count);
    std::vector<std::int32_t> anywhere(count, -1);
    normal_multiples(std::span(bits).first(count), 2500.0F, anywhere, false);
    CHECK(anywhere ==
          multiples_of({bits.begin(), bits.begin() + static_cast<std::ptrdiff_t>(count)}, 2500.0F));
  }
}

TEST_CASE("complements give opposite normal multiples") {
  std::vector<std::uint32_t> bits;
  std::vector<std::uint32_t> complements;
  Stream stream(6);
  for (int i = 0; i < 5000; ++i) {
    bits.push_back(static_cast<std::uint32_t>(stream.next()));
    complements.push_back(~bits.back());
  }
  const auto made = multiples_of(bits, 3000.0F);
  const auto opposite = multiples_of(complements, 3000.0F);
  for (std::size_t i = 0; i < made.size(); ++i) REQUIRE(made[i] == -opposite[i]);
}
