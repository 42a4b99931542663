#include "core/tree/bit_rows.h"

#include <array>
#include <numeric>
#include <vector>

#include <doctest/doctest.h>

#include "core/base/random.h"
#include "core/tree/bit_transpose.h"
#include "core/tree/coded_inputs.h"

using namespace coppice;

TEST_CASE("squares of bits are read by column as they were set by row") {
  Stream stream = Stream(5).at("square");
  std::vector<std::uint64_t> words(BitSquare::side * BitSquare::at_once);
  for (std::uint64_t& word : words) word = stream.next();
  std::array<const std::uint64_t*, BitSquare::side> rows;
  for (std::size_t row = 0; row < rows.size(); ++row) rows[row] = words.data() + row * BitSquare::at_once;
  std::array<BitSquare, BitSquare::at_once> squares;
  BitSquare::set_rows(rows, squares);
  for (std::size_t square = 0; square < squares.size(); ++square) {
    squares[square].transpose();
    for (std::size_t column = 0; column < BitSquare::side; ++column) {
      std::uint64_t expected = 0;
      for (std::size_t row = 0; row < rows.size(); ++row)
        expected |= ((rows[row][square] >> column) & 1U) << row;
      CHECK(squares[square].columns()[column] == expected);
    }
  }
}

TEST_CASE("bits by row give the bitmaps of any rows, and places the columns that list most rows first") {
  constexpr std::uint32_t rows = 150;
  constexpr std::uint32_t features = 531;
  Stream stream = Stream(6).at("rows");
  Features inputs(rows);
  for (std::uint32_t j = 0; j < features; ++j) {
    std::vector<std::uint32_t> listed;
    for (std::uint32_t row = 0; row < rows; ++row)
      if (stream.below(features) < j / 4) listed.push_back(row);
    inputs.add_sparse("", listed, std::vector<float>(listed.size(), 1.0F));
  }
  const CodedInputs coded(inputs, DenseUse::sweeps, Context{});
  REQUIRE(coded.all_two_valued());
  for (std::uint32_t place = 1; place < coded.listed_columns(); ++place)
    CHECK(coded.column(coded.feature_at(place - 1)).rows.size() >=
          coded.column(coded.feature_at(place)).rows.size());

  for (const std::size_t size : {std::size_t{1}, std::size_t{13}, std::size_t{64}}) {
    std::vector<std::uint32_t> some(rows);
    std::iota(some.begin(), some.end(), 0U);
    stream.shuffle(std::span(some));
    some.resize(size);
    constexpr std::size_t stride = 3;
    std::vector<std::uint64_t> columns(stride * features, 7);
    coded.bit_rows().write_columns(some, columns.data() + 1, stride);
    for (std::uint32_t j = 0; j < features; ++j) {
      std::uint64_t expected = 0;
      for (std::size_t id = 0; id < size; ++id)
        expected |= std::uint64_t{inputs.column(j).at(some[id]) != 0.0F ? 1U : 0U} << id;
      // The rarer of two values is the listed one: here always 1.
      CHECK(columns[stride * j + 1] == expected);
      CHECK(columns[stride * j] == 7);
      CHECK(columns[stride * j + 2] == 7);
    }
  }
}
