#include "core/tree/bit_rows.h"

#include <algorithm>
#include <array>

#include "core/tree/bit_transpose.h"
#include "core/tree/coded_inputs.h"

namespace coppice {

namespace {

/// Features whose bits are turned at once: rows have whole groups of words.
constexpr std::size_t group_features = BitSquare::at_once * BitSquare::side;

}  // namespace

BitRows::BitRows(const CodedInputs& inputs)
    : features_(inputs.columns()),
      words_((features_ + group_features - 1) / group_features * BitSquare::at_once),
      bits_(inputs.rows() * words_, 0) {
  for (std::uint32_t row = 0; row < inputs.rows(); ++row)
    for (const std::uint32_t place : inputs.listing_places(row)) {
      const std::uint32_t feature = inputs.feature_at(place);
      bits_[row * words_ + feature / 64] |= std::uint64_t{1} << (feature % 64);
    }
}

void BitRows::write_columns(std::span<const std::uint32_t> rows, std::uint64_t* columns,
                            std::size_t stride) const {
  static constexpr std::array<std::uint64_t, BitSquare::at_once> no_row{};
  std::array<BitSquare, BitSquare::at_once> squares;
  std::array<const std::uint64_t*, BitSquare::side> from;
  from.fill(no_row.data());
  for (std::size_t group = 0; group < words_; group += BitSquare::at_once) {
    for (std::size_t id = 0; id < rows.size(); ++id) from[id] = bits_.data() + rows[id] * words_ + group;
    BitSquare::set_rows(from, squares);
    for (std::size_t word = 0; word < BitSquare::at_once; ++word) {
      const std::size_t first = (group + word) * BitSquare::side;
      if (first >= features_) break;
      squares[word].transpose();
      const auto& of_word = squares[word].columns();
      const std::size_t count = std::min(BitSquare::side, features_ - first);
      if (stride == 1)
        std::copy_n(of_word.begin(), count, columns + first);
      else
        for (std::size_t i = 0; i < count; ++i) columns[(first + i) * stride] = of_word[i];
    }
  }
}

}  // namespace coppice
