#include "core/tree/label_lanes.h"

#if COPPICE_WRITES_WIDEST
#include <immintrin.h>
#endif

namespace coppice {

namespace {

#if COPPICE_WRITES_WIDEST

COPPICE_WRITTEN_FOR_WIDEST std::int64_t sum_of(__m256i numbers) {
  __m128i sum = _mm_add_epi32(_mm256_castsi256_si128(numbers), _mm256_extracti128_si256(numbers, 1));
  sum = _mm_add_epi32(sum, _mm_shuffle_epi32(sum, _MM_SHUFFLE(1, 0, 3, 2)));
  sum = _mm_add_epi32(sum, _mm_shuffle_epi32(sum, _MM_SHUFFLE(2, 3, 0, 1)));
  return _mm_cvtsi128_si32(sum);
}

/// Adds up 32 lanes of rows.
COPPICE_WRITTEN_FOR_WIDEST void part_widest(const std::uint8_t* lanes, std::size_t stride,
                                            std::span<const std::uint32_t> ids, std::size_t at_once,
                                            const std::int16_t* others, LabelLanes::Part& part) {
  __m256i squares = _mm256_setzero_si256();
  __m256i product = squares;
  for (std::size_t lane = 0; lane < stride; lane += 32) {
    __m256i first = _mm256_setzero_si256();
    __m256i second = first;
    for (std::size_t done = 0; done < ids.size(); done += at_once) {
      const std::size_t end = std::min(ids.size(), done + at_once);
      __m256i bytes = _mm256_setzero_si256();
      for (std::size_t i = done; i < end; ++i)
        bytes = _mm256_add_epi8(
            bytes, _mm256_loadu_si256(reinterpret_cast<const __m256i*>(lanes + ids[i] * stride + lane)));
      first = _mm256_add_epi16(first, _mm256_cvtepu8_epi16(_mm256_castsi256_si128(bytes)));
      second = _mm256_add_epi16(second, _mm256_cvtepu8_epi16(_mm256_extracti128_si256(bytes, 1)));
    }
    const __m256i other_first = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(others + lane));
    const __m256i other_second = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(others + lane + 16));
    squares = _mm256_add_epi32(
        squares, _mm256_add_epi32(_mm256_madd_epi16(first, first), _mm256_madd_epi16(second, second)));
    product = _mm256_add_epi32(product, _mm256_add_epi32(_mm256_madd_epi16(first, other_first),
                                                         _mm256_madd_epi16(second, other_second)));
  }
  part = {sum_of(squares), sum_of(product)};
}

/// Lanes of 32 labels: a row's weight where it has the label.
COPPICE_WRITTEN_FOR_WIDEST void spread_widest(std::span<const std::uint32_t> rows,
                                              const std::int32_t* weights, const LabelBits& bits,
                                              std::size_t stride, std::uint8_t* lanes) {
  for (std::size_t id = 0; id < rows.size(); ++id) {
    const std::uint64_t* const words = bits[rows[id]];
    const auto weight = static_cast<char>(weights[id]);
    for (std::size_t lane = 0; lane < stride; lane += 32, lanes += 32) {
      const auto has = static_cast<__mmask32>(words[lane / 64] >> (lane % 64));
      _mm256_storeu_si256(reinterpret_cast<__m256i*>(lanes), _mm256_maskz_set1_epi8(has, weight));
    }
  }
}

/// `groups` times 16 lanes, in registers.
template <int groups>
COPPICE_WRITTEN_FOR_WIDEST void follow(const std::uint8_t* lanes, std::span<const std::uint32_t> ids,
                                       const std::int16_t* others, LabelLanes::Part* parts) {
  __m256i sums[groups];
#pragma GCC unroll 8
  for (int g = 0; g < groups; ++g) sums[g] = _mm256_setzero_si256();
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const std::uint8_t* const row = lanes + std::size_t{ids[i]} * (16 * groups);
    __m256i squares = _mm256_setzero_si256();
    __m256i product = squares;
#pragma GCC unroll 8
    for (int g = 0; g < groups; ++g) {
      const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(row + 16 * g));
      const __m256i other = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(others + 16 * g));
      sums[g] = _mm256_add_epi16(sums[g], _mm256_cvtepu8_epi16(bytes));
      squares = _mm256_add_epi32(squares, _mm256_madd_epi16(sums[g], sums[g]));
      product = _mm256_add_epi32(product, _mm256_madd_epi16(sums[g], other));
    }
    parts[i] = {sum_of(squares), sum_of(product)};
  }
}

#endif

}  // namespace

void LabelLanes::spread_bits([[maybe_unused]] std::span<const std::uint32_t> rows,
                             [[maybe_unused]] std::span<const std::int32_t> weights,
                             [[maybe_unused]] const LabelBits& bits) {
#if COPPICE_WRITES_WIDEST
  if (lanes_.size() < rows.size() * stride_) lanes_.resize(rows.size() * stride_);
  spread_widest(rows, weights.data(), bits, stride_, lanes_.data());
#endif
}

LabelLanes::TwoVectors LabelLanes::sum(std::span<const std::uint32_t> ids, std::size_t at_once,
                                       std::size_t lane) const {
  const std::uint8_t* const rows = lanes_.data() + lane;
  TwoVectors sums;
  for (std::size_t done = 0; done < ids.size(); done += at_once) {
    const std::size_t end = std::min(ids.size(), done + at_once);
    PackedBytes bytes;
    for (std::size_t i = done; i < end; ++i) bytes.add(rows + ids[i] * stride_);
    sums.first.add(bytes.first());
    sums.second.add(bytes.second());
  }
  return sums;
}

void LabelLanes::sum(std::span<const std::uint32_t> ids, std::size_t at_once, Sums& sums) const {
  sums.fill(0);
  for (std::size_t lane = 0; lane < stride_; lane += width) {
    const TwoVectors some = sum(ids, at_once, lane);
    some.first.store(sums.data() + lane);
    some.second.store(sums.data() + lane + packed_lanes);
  }
}

LabelLanes::Part LabelLanes::part_anywhere(std::span<const std::uint32_t> ids, std::size_t at_once,
                                           const std::int16_t* others) const {
  Part part;
  for (std::size_t lane = 0; lane < stride_; lane += width) {
    const auto [first, second] = sum(ids, at_once, lane);
    part.squares += std::int64_t{first.dot(first)} + second.dot(second);
    part.product += std::int64_t{first.dot(PackedVector(others + lane))} +
                    second.dot(PackedVector(others + lane + packed_lanes));
  }
  return part;
}

void LabelLanes::prefixes([[maybe_unused]] std::span<const std::uint32_t> ids,
                          [[maybe_unused]] const std::int16_t* others, [[maybe_unused]] Part* parts) const {
#if COPPICE_WRITES_WIDEST
  static_assert(width == 32 && most_labels == 4 * width);
  switch (stride_ / width) {
    case 1:
      return follow<2>(lanes_.data(), ids, others, parts);
    case 2:
      return follow<4>(lanes_.data(), ids, others, parts);
    case 3:
      return follow<6>(lanes_.data(), ids, others, parts);
    default:
      return follow<8>(lanes_.data(), ids, others, parts);
  }
#endif
}

LabelLanes::Part LabelLanes::part(std::span<const std::uint32_t> ids, std::size_t at_once,
                                  const std::int16_t* others, [[maybe_unused]] bool widest) const {
#if COPPICE_WRITES_WIDEST
  if (widest) {
    Part part;
    part_widest(lanes_.data(), stride_, ids, at_once, others, part);
    return part;
  }
#endif
  return part_anywhere(ids, at_once, others);
}

}  // namespace coppice
