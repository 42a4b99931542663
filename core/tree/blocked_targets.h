#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace coppice {

/// Real outputs to grow trees on, as RealGrid has them, laid out for sums over many columns: up to 16 outputs
/// of a row next to each other, block after block. A block of all rows, or of the sums of all columns, stays
/// in the cache while it is worked on, however many outputs there are.
///
/// Values are multiplied by the weights of rows and rounded to a grid on which every sum is exact; see
/// RealGrid. They may be set again and again.
class BlockedTargets {
 public:
  BlockedTargets(std::size_t rows, std::size_t outputs);

  std::size_t rows() const { return rows_; }
  std::size_t outputs() const { return outputs_; }
  /// Numbers of a row in one block: 1, or a multiple of 4.
  std::size_t lanes() const { return lanes_; }
  std::size_t blocks() const { return blocks_; }
  /// Numbers of a row in all blocks; those beyond the outputs are 0.
  std::size_t width() const { return lanes_ * blocks_; }

  /// Sets one output of all rows. `weights` are whole numbers, or empty: all 1; `total` is their sum.
  /// Different outputs may be set at the same time.
  void set(std::size_t output, std::span<const double> values, std::span<const std::uint32_t> weights,
           std::uint64_t total);

  /// The weighted values of a block, row after row.
  const double* block(std::size_t block) const { return values_.data() + block * rows_ * lanes_; }
  /// The grid of each output, and its inverse; 1 beyond the outputs.
  std::span<const double> step() const { return step_; }
  std::span<const double> inverse_step() const { return inverse_step_; }

 private:
  std::size_t rows_;
  std::size_t outputs_;
  std::size_t lanes_;
  std::size_t blocks_;
  std::vector<double> values_;
  std::vector<double> step_;
  std::vector<double> inverse_step_;
};

}  // namespace coppice
