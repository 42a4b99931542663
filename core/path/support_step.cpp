#include "core/path/support_step.h"

#include <algorithm>
#include <bit>

#include <Eigen/Cholesky>

#include "core/base/wide_vectors.h"

namespace coppice {

namespace {

/// Bits that two lists of words share.
COPPICE_WIDE_VECTORS
std::uint64_t shared_bits(const std::uint64_t* one, const std::uint64_t* other, std::size_t words) {
  std::uint64_t count = 0;
  for (std::size_t w = 0; w < words; ++w)
    count += static_cast<std::uint64_t>(std::popcount(one[w] & other[w]));
  return count;
}

}  // namespace

std::vector<double> support_step(std::span<const SupportColumn> columns, std::size_t n,
                                 std::span<const double> gradient) {
  constexpr double ridge = 1e-10;  // of the mean squared length
  const auto size = static_cast<Eigen::Index>(columns.size());
  const std::size_t words = (n + 63) / 64;
  std::vector<std::uint64_t> bits(columns.size() * words, 0);
  for (std::size_t i = 0; i < columns.size(); ++i)
    for (const std::uint32_t row : columns[i].rows)
      bits[i * words + row / 64] |= std::uint64_t{1} << (row % 64);
  Eigen::MatrixXd products(size, size);
  const auto rows = static_cast<double>(n);
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const auto count = static_cast<double>(columns[i].rows.size());
    for (std::size_t j = 0; j <= i; ++j) {
      const std::uint64_t both = shared_bits(bits.data() + i * words, bits.data() + j * words, words);
      const auto other = static_cast<double>(columns[j].rows.size());
      products(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) =
          columns[i].factor * columns[j].factor * (static_cast<double>(both) - count * other / rows);
    }
  }
  products.diagonal().array() += ridge * products.diagonal().mean();
  const Eigen::Map<const Eigen::VectorXd> right(gradient.data(), size);
  std::vector<double> step(columns.size());
  Eigen::Map<Eigen::VectorXd>(step.data(), size) =
      products.selfadjointView<Eigen::Lower>().llt().solve(right);
  return step;
}

}  // namespace coppice
