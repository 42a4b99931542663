#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace coppice {

class CodedInputs;

/// The values of dense columns row by row, one number for each of CodedInputs::dense_columns(): a node of few
/// rows finds all of its values near each other, and several columns are read at once.
class DenseRows {
 public:
  explicit DenseRows(const CodedInputs& inputs);
  /// Whether a copy of the values is worth its memory.
  static bool affordable(const CodedInputs& inputs);

  /// Where in a row the value of each feature is, or `nowhere` for constant ones.
  std::span<const std::uint32_t> places() const { return places_; }
  static constexpr std::uint32_t nowhere = 0xffffffffU;

  const float* values() const { return values_.data(); }
  /// From one row to the next: a multiple of column_group; what is beyond the columns is 0.
  std::size_t stride() const { return stride_; }

 private:
  static constexpr std::size_t most_bytes = std::size_t{1} << 28;

  std::vector<std::uint32_t> places_;
  std::size_t stride_;
  std::vector<float> values_;
};

}  // namespace coppice
