#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "core/base/wide_vectors.h"
#include "core/tree/packed_vector.h"
#include "core/tree/split_score.h"

namespace coppice {

/// A row whose labels are numbers in lanes: its labels times its weight, |w·y|², its weight, its labels as
/// bits, and the product of its labels and the sums of the node whose splits are scored.
struct PackedRow {
  std::array<std::int16_t, packed_lanes> labels{};
  std::int32_t square = 0;
  std::int32_t weight = 0;
  std::uint32_t set = 0;
  std::int32_t cross = 0;
};

/// The score of a split, of the weights and the squares of sums of its sides.
inline SplitScore packed_score(std::int32_t weight, std::int32_t rest_weight, std::int32_t squares,
                               std::int32_t rest_squares) {
  return {static_cast<double>(squares) * static_cast<double>(rest_weight) +
              static_cast<double>(rest_squares) * static_cast<double>(weight),
          static_cast<double>(weight) * static_cast<double>(rest_weight)};
}

#if COPPICE_WRITES_WIDEST
/// The scores of the splits that part the first of some rows from the others, the first two, the first
/// three…, of a node with that |S|² and weight. Only where has_widest_vectors().
void packed_prefixes(const PackedRow* rows, std::span<const std::uint32_t> ids, std::int32_t squares,
                     std::int32_t weight, SplitScore* scores);
#endif

/// Rows of packed_lanes small whole numbers: row i begins at numbers + i * distance.
struct PackedRows {
  const std::int16_t* numbers = nullptr;
  std::size_t distance = 0;
};

/// What the score of a split needs of the sum S of some rows.
struct PackedPart {
  std::int32_t rows = 0;
  std::int32_t square = 0;  ///< |S|²
  std::int32_t cross = 0;   ///< S · totals
};

/// Adds up some of the rows `ids` for each of several parts: part i has `words` words from bits[i * words]
/// on, a bit for each row. Of every four rows the sums of any of them are made first: parts are then added up
/// four rows at a time. `sums` has room for packed_lanes numbers for each part.
void packed_parts(const PackedRows& rows, std::span<const std::uint32_t> ids, const std::int16_t* totals,
                  const std::uint64_t* bits, std::size_t words, std::span<PackedPart> parts,
                  std::int16_t* sums);

}  // namespace coppice
