#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace coppice {

/// A square of 64 times 64 bits that is set by rows and read by columns. Turning it exchanges the corners of
/// ever smaller squares inside it, four words at once where vectors are wide enough.
class BitSquare {
 public:
  static constexpr std::size_t side = 64;
  /// So many squares are set at once.
  static constexpr std::size_t at_once = 8;

  /// Sets the rows of squares that lie side by side: from[i] points to row i of all of them, one word for
  /// each.
  static void set_rows(const std::array<const std::uint64_t*, side>& from,
                       std::array<BitSquare, at_once>& squares);
  /// Turns the square.
  void transpose();
  /// After that: the bits of the columns, the first that of the first row.
  const std::array<std::uint64_t, side>& columns() const { return columns_; }

 private:
  /// The rows 0, 8, 16…, then 1, 9, 17…, as vectors need it.
  std::array<std::uint64_t, side> words_;
  std::array<std::uint64_t, side> columns_;
};

}  // namespace coppice
