#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace coppice {

/// A square of 64 times 64 bits that is set row by row and read column by column. Turning it exchanges the
/// corners of ever smaller squares inside it, eight words at once where vectors are wide enough.
class BitSquare {
 public:
  static constexpr std::size_t side = 64;

  void set_row(std::size_t row, std::uint64_t bits) { words_[row] = bits; }
  /// Turns the square.
  void transpose() { transpose(words_.data(), turned_.data()); }
  /// After that: the bits of a column, the first that of the first row.
  std::uint64_t column(std::size_t index) const { return turned_[place(index)]; }

 private:
  /// Where a column comes to lie: those next to each other far apart, as vectors need it.
  static constexpr std::size_t place(std::size_t column) { return column % 8 * 8 + column / 8; }
  static void transpose(const std::uint64_t* words, std::uint64_t* turned);

  std::array<std::uint64_t, side> words_;
  std::array<std::uint64_t, side> turned_;
};

}  // namespace coppice
