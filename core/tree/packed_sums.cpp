#include "core/tree/packed_sums.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "core/base/wide_vectors.h"
#include "core/tree/packed_vector.h"

namespace coppice {

namespace {

using LabelVector = std::int16_t __attribute__((vector_size(packed_lanes * sizeof(std::int16_t))));

[[gnu::always_inline]] inline void load(const std::int16_t* from, LabelVector& lanes) {
  std::memcpy(&lanes, from, sizeof lanes);
}

/// Of up to 64 rows by fours: the sums of any of four.
struct SumsOfFours {
  LabelVector sums[16][16];

  [[gnu::always_inline]] inline void make(const PackedRows& rows, std::span<const std::uint32_t> ids) {
    for (std::size_t i = 0; i < ids.size(); ++i) {
      LabelVector* const four = sums[i / 4];
      const std::size_t bit = std::size_t{1} << (i % 4);
      LabelVector row;
      load(rows.numbers + ids[i] * rows.distance, row);
      if (bit == 1) four[0] = LabelVector{};
      for (std::size_t some = 0; some < bit; ++some) four[bit + some] = four[some] + row;
    }
  }
  /// Adds those of so many rows whose bit is set; how often that loops does not depend on the bits.
  [[gnu::always_inline]] inline void add(std::uint64_t bits, std::size_t rows, LabelVector& sum) const {
    for (std::size_t four = 0; 4 * four < rows; ++four) sum += sums[four][(bits >> (4 * four)) & 15U];
  }
};

}  // namespace

COPPICE_WIDE_VECTORS
void packed_parts(const PackedRows& rows, std::span<const std::uint32_t> ids, const std::int16_t* totals,
                  const std::uint64_t* bits, std::size_t words, std::span<PackedPart> parts,
                  std::int16_t* sums) {
  SumsOfFours fours;
  for (std::size_t w = 0; w < words; ++w) {
    const auto some = ids.subspan(64 * w, std::min<std::size_t>(64, ids.size() - 64 * w));
    fours.make(rows, some);
    for (std::size_t i = 0; i < parts.size(); ++i) {
      LabelVector sum{};
      if (w > 0) load(sums + i * packed_lanes, sum);
      fours.add(bits[i * words + w], some.size(), sum);
      std::memcpy(sums + i * packed_lanes, &sum, sizeof sum);
      parts[i].rows = (w > 0 ? parts[i].rows : 0) + std::popcount(bits[i * words + w]);
    }
  }
  const PackedVector of_all(totals);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const PackedVector sum(sums + i * packed_lanes);
    parts[i].square = sum.dot(sum);
    parts[i].cross = sum.dot(of_all);
  }
}

}  // namespace coppice
