#include "core/tree/bit_transpose.h"

#include <cstring>
#include <utility>

#include "core/base/wide_vectors.h"

namespace coppice {

namespace {

constexpr int words_of_vector = 4;
using FourWords = std::uint64_t __attribute__((vector_size(words_of_vector * sizeof(std::uint64_t))));
/// Eight words.
struct Row {
  FourWords halves[2];
};
constexpr int words_of_row = 8;

[[gnu::always_inline]] inline void load(const std::uint64_t* from, Row& row) {
  for (int h = 0; h < 2; ++h) std::memcpy(&row.halves[h], from + h * words_of_vector, sizeof(FourWords));
}
[[gnu::always_inline]] inline void store(const Row& row, std::uint64_t* to) {
  for (int h = 0; h < 2; ++h) std::memcpy(to + h * words_of_vector, &row.halves[h], sizeof(FourWords));
}

/// Exchanges the corners of squares of 2 · `half` bits whose upper and lower rows lie `distance` rows of
/// words apart.
template <int half, int distance>
[[gnu::always_inline]] inline void exchange_corners(Row* rows) {
  constexpr std::uint64_t all = ~std::uint64_t{0};
  // Of each 2 · half bits the lower ones.
  constexpr std::uint64_t lower = half == 32 ? all >> 32 : all / ((std::uint64_t{1} << half) + 1);
  for (int i = 0; i < words_of_row; ++i) {
    if ((i & distance) != 0) continue;
    for (int h = 0; h < 2; ++h) {
      FourWords& upper_row = rows[i].halves[h];
      FourWords& lower_row = rows[i + distance].halves[h];
      const FourWords moved = ((upper_row >> half) ^ lower_row) & lower;
      upper_row ^= moved << half;
      lower_row ^= moved;
    }
  }
}

/// What is the number of a row becomes that of a word in it.
[[gnu::always_inline]] inline void exchange_words(Row* rows) {
  for (int i = 0; i < 4; ++i) std::swap(rows[i].halves[1], rows[i + 4].halves[0]);
  for (int h = 0; h < 2; ++h) {
    for (const int i : {0, 1, 4, 5}) {
      const FourWords first = rows[i].halves[h];
      const FourWords second = rows[i + 2].halves[h];
      rows[i].halves[h] = __builtin_shufflevector(first, second, 0, 1, 4, 5);
      rows[i + 2].halves[h] = __builtin_shufflevector(first, second, 2, 3, 6, 7);
    }
    for (const int i : {0, 2, 4, 6}) {
      const FourWords first = rows[i].halves[h];
      const FourWords second = rows[i + 1].halves[h];
      rows[i].halves[h] = __builtin_shufflevector(first, second, 0, 4, 2, 6);
      rows[i + 1].halves[h] = __builtin_shufflevector(first, second, 1, 5, 3, 7);
    }
  }
}

/// Reads eight of the rows from[place], from[place + 8]… and writes each of their words to another square.
COPPICE_WIDEST_VECTORS void deal_out(const std::uint64_t* const* from, std::uint64_t* const* to) {
  for (std::size_t place = 0; place < words_of_row; ++place) {
    Row rows[words_of_row];
    for (std::size_t i = 0; i < words_of_row; ++i) load(from[place + i * words_of_row], rows[i]);
    exchange_words(rows);
    for (std::size_t i = 0; i < words_of_row; ++i) store(rows[i], to[i] + place * words_of_row);
  }
}

COPPICE_WIDEST_VECTORS void turn(const std::uint64_t* words, std::uint64_t* columns) {
  Row rows[words_of_row];
  for (std::size_t i = 0; i < words_of_row; ++i) load(words + i * words_of_row, rows[i]);
  exchange_corners<4, 4>(rows);
  exchange_corners<2, 2>(rows);
  exchange_corners<1, 1>(rows);
  exchange_words(rows);
  exchange_corners<32, 4>(rows);
  exchange_corners<16, 2>(rows);
  exchange_corners<8, 1>(rows);
  for (std::size_t i = 0; i < words_of_row; ++i) store(rows[i], columns + i * words_of_row);
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
