#include "core/tree/bit_transpose.h"

#include <cstring>

#include "core/base/wide_vectors.h"

namespace coppice {

namespace {

constexpr int words_of_vector = 8;
using EightWords = std::uint64_t __attribute__((vector_size(words_of_vector * sizeof(std::uint64_t))));

/// Exchanges the corners of squares of 2 · `half` bits whose upper and lower rows lie `distance` vectors
/// apart.
template <int half, int distance>
[[gnu::always_inline]] inline void exchange_corners(EightWords* rows) {
  constexpr std::uint64_t all = ~std::uint64_t{0};
  // Of each 2 · half bits the lower ones.
  constexpr std::uint64_t lower = half == 32 ? all >> 32 : all / ((std::uint64_t{1} << half) + 1);
  for (int i = 0; i < words_of_vector; ++i) {
    if ((i & distance) != 0) continue;
    const EightWords moved = ((rows[i] >> half) ^ rows[i + distance]) & lower;
    rows[i] ^= moved << half;
    rows[i + distance] ^= moved;
  }
}

/// What is the number of a vector becomes that of a lane.
[[gnu::always_inline]] inline void exchange_lanes(EightWords* rows) {
  for (int i = 0; i < 4; ++i) {
    const EightWords first = rows[i];
    rows[i] = __builtin_shufflevector(first, rows[i + 4], 0, 1, 2, 3, 8, 9, 10, 11);
    rows[i + 4] = __builtin_shufflevector(first, rows[i + 4], 4, 5, 6, 7, 12, 13, 14, 15);
  }
  for (const int i : {0, 1, 4, 5}) {
    const EightWords first = rows[i];
    rows[i] = __builtin_shufflevector(first, rows[i + 2], 0, 1, 8, 9, 4, 5, 12, 13);
    rows[i + 2] = __builtin_shufflevector(first, rows[i + 2], 2, 3, 10, 11, 6, 7, 14, 15);
  }
  for (const int i : {0, 2, 4, 6}) {
    const EightWords first = rows[i];
    rows[i] = __builtin_shufflevector(first, rows[i + 1], 0, 8, 2, 10, 4, 12, 6, 14);
    rows[i + 1] = __builtin_shufflevector(first, rows[i + 1], 1, 9, 3, 11, 5, 13, 7, 15);
  }
}

/// Reads eight of the rows from[place], from[place + 8]… and writes each of their words to another square.
COPPICE_WIDEST_VECTORS void deal_out(const std::uint64_t* const* from, std::uint64_t* const* to) {
  for (std::size_t place = 0; place < words_of_vector; ++place) {
    EightWords rows[words_of_vector];
    for (std::size_t i = 0; i < words_of_vector; ++i)
      std::memcpy(rows + i, from[place + i * words_of_vector], sizeof(EightWords));
    exchange_lanes(rows);
    for (std::size_t i = 0; i < words_of_vector; ++i)
      std::memcpy(to[i] + place * words_of_vector, rows + i, sizeof(EightWords));
  }
}

COPPICE_WIDEST_VECTORS void turn(const std::uint64_t* words, std::uint64_t* columns) {
  EightWords rows[words_of_vector];
  std::memcpy(rows, words, sizeof(rows));
  exchange_corners<4, 4>(rows);
  exchange_corners<2, 2>(rows);
  exchange_corners<1, 1>(rows);
  exchange_lanes(rows);
  exchange_corners<32, 4>(rows);
  exchange_corners<16, 2>(rows);
  exchange_corners<8, 1>(rows);
  std::memcpy(columns, rows, sizeof(rows));
}

}  // namespace

void BitSquare::set_rows(const std::array<const std::uint64_t*, side>& from,
                         std::array<BitSquare, at_once>& squares) {
  std::array<std::uint64_t*, at_once> to;
  for (std::size_t i = 0; i < at_once; ++i) to[i] = squares[i].words_.data();
  deal_out(from.data(), to.data());
}

void BitSquare::transpose() {
  turn(words_.data(), columns_.data());
}

}  // namespace coppice
