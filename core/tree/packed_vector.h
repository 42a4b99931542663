#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace coppice {

constexpr std::size_t packed_lanes = 16;

/// 16 small whole numbers that are added and multiplied at once. The products of two vectors must add up to
/// less than 2^31.
#if defined(__SSE2__)

class PackedVector {
 public:
  PackedVector() : low_(_mm_setzero_si128()), high_(low_) {}
  PackedVector(__m128i low, __m128i high) : low_(low), high_(high) {}
  explicit PackedVector(const std::int16_t* numbers)
      : low_(_mm_loadu_si128(reinterpret_cast<const __m128i*>(numbers))),
        high_(_mm_loadu_si128(reinterpret_cast<const __m128i*>(numbers + 8))) {}
  void store(std::int16_t* numbers) const {
    _mm_storeu_si128(reinterpret_cast<__m128i*>(numbers), low_);
    _mm_storeu_si128(reinterpret_cast<__m128i*>(numbers + 8), high_);
  }

  void add(const PackedVector& other) {
    low_ = _mm_add_epi16(low_, other.low_);
    high_ = _mm_add_epi16(high_, other.high_);
  }
  void subtract(const PackedVector& other) {
    low_ = _mm_sub_epi16(low_, other.low_);
    high_ = _mm_sub_epi16(high_, other.high_);
  }
  std::int32_t dot(const PackedVector& other) const {
    __m128i sum = _mm_add_epi32(_mm_madd_epi16(low_, other.low_), _mm_madd_epi16(high_, other.high_));
    sum = _mm_add_epi32(sum, _mm_shuffle_epi32(sum, _MM_SHUFFLE(1, 0, 3, 2)));
    sum = _mm_add_epi32(sum, _mm_shuffle_epi32(sum, _MM_SHUFFLE(2, 3, 0, 1)));
    return _mm_cvtsi128_si32(sum);
  }

 private:
  __m128i low_;
  __m128i high_;
};

/// 32 numbers up to 255, to be added up and then read as vectors.
class PackedBytes {
 public:
  PackedBytes() : first_(_mm_setzero_si128()), second_(first_) {}
  void add(const std::uint8_t* numbers) {
    first_ = _mm_add_epi8(first_, _mm_loadu_si128(reinterpret_cast<const __m128i*>(numbers)));
    second_ = _mm_add_epi8(second_, _mm_loadu_si128(reinterpret_cast<const __m128i*>(numbers + 16)));
  }
  PackedVector first() const { return widened(first_); }
  PackedVector second() const { return widened(second_); }

 private:
  static PackedVector widened(__m128i bytes) {
    const __m128i zero = _mm_setzero_si128();
    return {_mm_unpacklo_epi8(bytes, zero), _mm_unpackhi_epi8(bytes, zero)};
  }
  __m128i first_;
  __m128i second_;
};

#else

class PackedVector {
 public:
  PackedVector() = default;
  explicit PackedVector(const std::int16_t* numbers) { std::memcpy(lanes_, numbers, sizeof lanes_); }
  void store(std::int16_t* numbers) const { std::memcpy(numbers, lanes_, sizeof lanes_); }

  void add(const PackedVector& other) {
    for (std::size_t j = 0; j < packed_lanes; ++j)
      lanes_[j] = static_cast<std::int16_t>(lanes_[j] + other.lanes_[j]);
  }
  void subtract(const PackedVector& other) {
    for (std::size_t j = 0; j < packed_lanes; ++j)
      lanes_[j] = static_cast<std::int16_t>(lanes_[j] - other.lanes_[j]);
  }
  std::int32_t dot(const PackedVector& other) const {
    std::int32_t sum = 0;
    for (std::size_t j = 0; j < packed_lanes; ++j)
      sum += std::int32_t{lanes_[j]} * std::int32_t{other.lanes_[j]};
    return sum;
  }

 private:
  std::int16_t lanes_[packed_lanes] = {};
};

class PackedBytes {
 public:
  void add(const std::uint8_t* numbers) {
    for (std::size_t j = 0; j < 2 * packed_lanes; ++j)
      bytes_[j] = static_cast<std::uint8_t>(bytes_[j] + numbers[j]);
  }
  PackedVector first() const { return widened(bytes_); }
  PackedVector second() const { return widened(bytes_ + packed_lanes); }

 private:
  static PackedVector widened(const std::uint8_t* bytes) {
    std::int16_t wide[packed_lanes];
    for (std::size_t j = 0; j < packed_lanes; ++j) wide[j] = bytes[j];
    return PackedVector(wide);
  }
  std::uint8_t bytes_[2 * packed_lanes] = {};
};

#endif

}  // namespace coppice
