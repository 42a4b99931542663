#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/wide_vectors.h"

namespace coppice {

/// A column of a word frame: which rows have an entry, as bits. A column of two values has an entry in the
/// rows that it lists; of other columns the entries say the value as well.
struct WordColumn {
  /// What `entries` says instead of a place.
  static constexpr std::uint32_t two_valued = 0xffffffffU;
  static constexpr std::uint32_t one_entry = two_valued - 1;

  std::uint64_t rows = 0;
  std::uint32_t feature = 0;
  std::uint32_t entries = 0;  ///< the first of its entries; or that it has two values, or only one entry

  bool has_entries() const { return entries < one_entry; }
};

/// Columns one after another, what they are apart from their rows: several are then looked at at once. Their
/// number is kept elsewhere.
struct WordColumns {
  std::vector<std::uint64_t> rows;
  std::vector<std::uint64_t> names;  ///< the feature; in the high half `entries`

  /// Names of columns with entries are less than this, names of columns of two values not less than that.
  static constexpr std::uint64_t first_without_entries = std::uint64_t{WordColumn::one_entry} << 32;
  static constexpr std::uint64_t first_two_valued = std::uint64_t{WordColumn::two_valued} << 32;

  static std::uint64_t name(std::uint32_t feature, std::uint32_t entries) {
    return (std::uint64_t{entries} << 32) | feature;
  }
  WordColumn operator[](std::size_t i) const {
    return {rows[i], static_cast<std::uint32_t>(names[i]), static_cast<std::uint32_t>(names[i] >> 32)};
  }
  /// Has room for so many columns, and for what the functions below write beyond.
  void make_room(std::size_t count) {
    if (rows.size() >= count + beyond) return;
    rows.resize(2 * count + beyond);
    names.resize(2 * count + beyond);
  }

  static constexpr std::size_t beyond = 8;
};

/// How many columns the functions below look at together: what this processor has vectors for that slow
/// nothing else down.
inline std::size_t columns_at_once() {
  return has_bit_vectors() ? 8 : has_widest_vectors() ? 4 : 1;
}

/// Of `size` columns from the place `from` on, puts those that may vary among some rows at `to`, which may be
/// the same place, and returns how many. Columns with an entry in each of the rows may, if entries say
/// values.
std::size_t keep_varying(WordColumns& columns, std::size_t from, std::size_t size, std::uint64_t among,
                         std::size_t to, std::size_t at_once = columns_at_once());

/// Says by a bit for each column which of them that function would keep; there is room for whole words.
void mark_varying(const WordColumns& columns, std::size_t from, std::size_t size, std::uint64_t among,
                  std::uint64_t* marks, std::size_t at_once = columns_at_once());

/// Makes columns of two values of the words of all features: of those that vary among all rows. Words become
/// 0; returns how many columns there are.
std::size_t collect_columns(std::uint64_t* words, std::size_t features, std::uint64_t all,
                            WordColumns& columns, std::size_t at_once = columns_at_once());

/// Columns that part one row from the others, and all others, in the order in which they come.
struct SortedOut {
  std::vector<std::uint64_t> alone_row;  ///< the row, as a bit
  std::vector<std::uint32_t> alone_place;
  std::vector<std::uint32_t> several_place;
  std::size_t alone = 0;
  std::size_t several = 0;
  std::uint64_t alone_rows = 0;  ///< all rows that some column parts

  void make_room(std::size_t count) {
    if (alone_row.size() >= count + beyond) return;
    alone_row.resize(count + beyond);
    alone_place.resize(count + beyond);
    several_place.resize(count + beyond);
  }

 private:
  static constexpr std::size_t beyond = 16;
};
void sort_out(const WordColumns& columns, std::size_t begin, std::size_t count, std::uint64_t among,
              SortedOut& sorted, std::size_t at_once = columns_at_once());

}  // namespace coppice
