#include "core/tree/bit_rows.h"

#include <algorithm>

#include "core/tree/bit_transpose.h"
#include "core/tree/coded_inputs.h"

namespace coppice {

BitRows::BitRows(const CodedInputs& inputs)
    : features_(inputs.columns()), words_((features_ + 63) / 64), bits_(inputs.rows() * words_, 0) {
  for (std::uint32_t row = 0; row < inputs.rows(); ++row)
    for (const std::uint32_t place : inputs.listing_places(row)) {
      const std::uint32_t feature = inputs.feature_at(place);
      bits_[row * words_ + feature / 64] |= std::uint64_t{1} << (feature % 64);
    }
}

void BitRows::write_columns(std::span<const std::uint32_t> rows, std::uint64_t* columns,
                            std::size_t stride) const {
  BitSquare square;
  for (std::size_t word = 0; word < words_; ++word) {
    for (std::size_t id = 0; id < rows.size(); ++id) square.set_row(id, bits_[rows[id] * words_ + word]);
    for (std::size_t id = rows.size(); id < BitSquare::side; ++id) square.set_row(id, 0);
    square.transpose();
    const std::size_t first = word * BitSquare::side;
    const std::size_t count = std::min(BitSquare::side, features_ - first);
    for (std::size_t i = 0; i < count; ++i) columns[(first + i) * stride] = square.column(i);
  }
}

}  // namespace coppice
