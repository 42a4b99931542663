#include "core/projections/normal_multiples.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>

#include "core/base/eight_lanes.h"

namespace coppice {

namespace {

template <std::size_t terms>
[[gnu::always_inline]] inline float polynomial(const std::array<float, terms>& coefficients, float x) {
  float sum = coefficients[terms - 1];
  for (std::size_t i = terms - 1; i-- > 0;) sum = sum * x + coefficients[i];
  return sum;
}

/// PPND7 for probabilities within 0.425 of a half, by 0.425² - q².
constexpr std::array<float, 4> middle_above{3.3871327179F, 50.434271938F, 159.29113202F, 59.109374720F};
constexpr std::array<float, 4> middle_below{1.0F, 17.895169469F, 78.757757664F, 67.187563600F};
/// For those farther away, by √(-log of the distance from the nearer end) - 1.6, the root at most 5: that of
/// half of 2^-32 is 4.8.
constexpr std::array<float, 4> tail_above{1.4234372777F, 2.7568153900F, 1.3067284816F, 0.17023821103F};
constexpr std::array<float, 3> tail_below{1.0F, 0.73700164250F, 0.12021132975F};

/// How many of 2^32 cells lie between the bits and the nearer end.
std::uint32_t cells_from_end(std::uint32_t bits) {
  return std::min(bits, ~bits);
}
/// 0.075 of 2^32.
constexpr std::uint32_t tail_cells = 322122547;
constexpr float cell = 0x1.0p-32F;
/// Numbers in a vector of 512 bits.
constexpr std::size_t numbers_in_vector = 16;

/// Rounds to a whole number below 2^22, which is then negative if the bits are below a half.
[[gnu::always_inline]] inline std::int32_t rounded(float size, std::uint32_t bits) {
  // Of the sum with 1.5 · 2^23 the last bits are that number.
  constexpr float round = 0x1.8p23F;
  const std::int32_t whole = std::bit_cast<std::int32_t>(size + round) - std::bit_cast<std::int32_t>(round);
  const auto negative = static_cast<std::int32_t>(bits >> 31) - 1;
  return (whole ^ negative) - negative;
}

COPPICE_WIDEST_VECTORS
void middle_multiples(const std::uint32_t* bits, std::size_t count, float scale, std::int32_t* multiples) {
  for (std::size_t i = 0; i < count; ++i) {
    const auto from_half = static_cast<std::int32_t>(0x7fffffffU - cells_from_end(bits[i]));
    const float q = (static_cast<float>(from_half) + 0.5F) * cell;
    const float r = 0.180625F - q * q;
    multiples[i] = rounded(scale * (q * polynomial(middle_above, r) / polynomial(middle_below, r)), bits[i]);
  }
}

/// Minus the logarithms of probabilities, given as cells.
COPPICE_WIDEST_VECTORS
void minus_logs(const std::uint32_t* cells, std::size_t count, float* logs) {
  constexpr float ln2 = 0.693147181F;
  // From √½ to √2 mantissas are near 1.
  constexpr std::int32_t root_half = std::bit_cast<std::int32_t>(0.707106781F);
  for (std::size_t i = 0; i < count; ++i) {
    const float probability = (static_cast<float>(static_cast<std::int32_t>(cells[i])) + 0.5F) * cell;
    const auto above = std::bit_cast<std::int32_t>(probability) - root_half;
    const auto mantissa = std::bit_cast<float>((above & 0x7fffff) + root_half);
    // log(m) = 2 atanh(s) with s = (m - 1) / (m + 1), |s| < 0.172.
    const float s = (mantissa - 1.0F) / (mantissa + 1.0F);
    const float square = s * s;
    constexpr std::array<float, 5> series{2.0F, 2.0F / 3.0F, 2.0F / 5.0F, 2.0F / 7.0F, 2.0F / 9.0F};
    logs[i] = -(static_cast<float>(above >> 23) * ln2 + s * polynomial(series, square));
  }
}

COPPICE_WIDEST_VECTORS
void tail_multiples(const float* roots, const std::uint32_t* bits, std::size_t count, float scale,
                    std::int32_t* multiples) {
  for (std::size_t i = 0; i < count; ++i) {
    const float r = roots[i] - 1.6F;
    multiples[i] = rounded(scale * (polynomial(tail_above, r) / polynomial(tail_below, r)), bits[i]);
  }
}

/// The places of bits of the tails, and how many there are; `places` has room for all and a vector beyond.
std::size_t tails_anywhere(std::span<const std::uint32_t> bits, std::uint32_t* places) {
  std::size_t tails = 0;
  for (std::size_t i = 0; i < bits.size(); ++i) {
    places[tails] = static_cast<std::uint32_t>(i);
    tails += cells_from_end(bits[i]) < tail_cells ? 1 : 0;
  }
  return tails;
}

#if COPPICE_WRITES_WIDEST

COPPICE_WRITTEN_FOR_WIDEST std::size_t tails_widest(std::span<const std::uint32_t> bits,
                                                    std::uint32_t* places) {
  const __m512i limit = _mm512_set1_epi32(static_cast<int>(tail_cells));
  const __m512i ones = _mm512_set1_epi32(-1);
  __m512i numbers = _mm512_set_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
  std::size_t tails = 0;
  for (std::size_t i = 0; i < bits.size(); i += numbers_in_vector) {
    const auto valid = static_cast<__mmask16>(
        bits.size() - i < numbers_in_vector ? (1U << (bits.size() - i)) - 1U : 0xffffU);
    const __m512i some = _mm512_maskz_loadu_epi32(valid, bits.data() + i);
    const __mmask16 tail = _mm512_mask_cmplt_epu32_mask(
        valid, _mm512_maskz_min_epu32(valid, some, _mm512_xor_si512(some, ones)), limit);
    _mm512_storeu_si512(places + tails, _mm512_maskz_compress_epi32(tail, numbers));
    tails += static_cast<std::size_t>(std::popcount(static_cast<unsigned>(tail)));
    numbers = _mm512_add_epi32(numbers, _mm512_set1_epi32(static_cast<int>(numbers_in_vector)));
  }
  return tails;
}

#endif

std::size_t tails_of(std::span<const std::uint32_t> bits, std::uint32_t* places,
                     [[maybe_unused]] bool widest) {
#if COPPICE_WRITES_WIDEST
  if (widest) return tails_widest(bits, places);
#endif
  return tails_anywhere(bits, places);
}

}  // namespace

void normal_multiples(std::span<const std::uint32_t> bits, float scale, std::span<std::int32_t> multiples,
                      bool widest) {
  // Each formula is for vectors: one for the middle, where most are, then those of the tails by themselves.
  constexpr std::size_t block = 512;
  std::array<std::uint32_t, block + numbers_in_vector> places;
  std::array<std::uint32_t, block> tail_bits;
  std::array<std::uint32_t, block> cells;
  std::array<float, block> roots;
  std::array<std::int32_t, block> made;
  for (std::size_t begin = 0; begin < bits.size(); begin += block) {
    const auto some = bits.subspan(begin, std::min(block, bits.size() - begin));
    std::int32_t* const result = multiples.data() + begin;
    middle_multiples(some.data(), some.size(), scale, result);
    const std::size_t tails = tails_of(some, places.data(), widest);
    for (std::size_t i = 0; i < tails; ++i) {
      tail_bits[i] = some[places[i]];
      cells[i] = cells_from_end(tail_bits[i]);
    }
    minus_logs(cells.data(), tails, roots.data());
    for (std::size_t i = 0; i < tails; ++i) roots[i] = std::sqrt(roots[i]);
    tail_multiples(roots.data(), tail_bits.data(), tails, scale, made.data());
    for (std::size_t i = 0; i < tails; ++i) result[places[i]] = made[i];
  }
}

}  // namespace coppice
