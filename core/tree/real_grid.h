#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "core/tree/sample.h"

namespace coppice {

/// Outputs that are whole multiples of a unit, made for some rows at a time.
struct WholeMultiples {
  double unit = 1.0;
  double largest = 0.0;               ///< the size of a multiple, centre and all, at most
  std::size_t distance = 0;           ///< from one row to the next; 0 beyond the outputs
  std::vector<std::int32_t> centres;  ///< a number near the mean of each, 0 beyond the outputs
  std::function<void(std::span<const std::uint32_t> rows, std::span<std::int32_t> numbers)> write;
};

/// Real outputs to grow trees on: the targets of a regression, the residuals of boosting, projected labels.
///
/// Values are rounded to a grid, a power of two for each output, chosen so fine that nothing is lost but the
/// last digits, and so coarse that every sum of weighted values inside a tree is exact in double precision
/// (with n rows, about 51 - log2(n) bits remain for each value). Sums of any rows in any order are then equal
/// to the last bit: the tree does not depend on how columns are stored, in what order rows are visited, or on
/// how many threads share a node. Outputs are shifted by their mean first.
class RealGrid {
 public:
  /// `values` has `outputs` numbers for each row of the dataset; only the rows of the sample are looked at.
  /// Growing is exact for samples that are drawn from this one and do not weigh more.
  RealGrid(std::span<const double> values, std::size_t outputs, const Sample& sample);
  /// The same from values that already lie as row() has them, `stride_of(outputs)` for each row of the
  /// dataset with 0 beyond the outputs: they become the grid's own.
  RealGrid(std::vector<double>&& values, std::size_t outputs, const Sample& sample);
  /// The same from whole multiples of a unit. If the unit is a power of two and fine enough for it, it is the
  /// grid, and nothing is rounded. `memory` is used for the values, with room for stride_of(outputs) for each
  /// row of the dataset.
  RealGrid(const WholeMultiples& multiples, std::size_t outputs, const Sample& sample,
           std::vector<double>&& memory);
  static std::size_t stride_of(std::size_t outputs) { return outputs == 1 ? 1 : (outputs + 3) / 4 * 4; }
  /// The memory of a grid that has been used up.
  std::vector<double> take_values() && { return std::move(values_); }

  std::size_t outputs() const { return outputs_; }
  /// The outputs of a row in memory: a multiple of 4 but for a single one; what is beyond outputs() is 0.
  std::size_t stride() const { return stride_; }
  const double* row(std::uint32_t row) const { return values_.data() + row * stride_; }
  /// The grid of each output (1 beyond outputs()), and its inverse.
  std::span<const double> step() const { return step_; }
  std::span<const double> inverse_step() const { return inverse_step_; }

 private:
  /// Reads `distance` numbers for each row, which may be values_ itself.
  void round(const double* values, std::size_t distance, const Sample& sample);

  std::size_t outputs_;
  std::size_t stride_;
  std::vector<double> values_;
  std::vector<double> step_;
  std::vector<double> inverse_step_;
};

}  // namespace coppice
