#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace coppice {

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
