#include "core/losses/logistic_kernels.h"

#include "core/base/wide_vectors.h"

namespace coppice {

namespace {

constexpr std::size_t lanes = 8;

/// Sums in so many lanes, added up in a fixed order.
struct LaneSums {
  double first[lanes] = {};
  double second[lanes] = {};
  double third[lanes] = {};

  static double total(const double* sums) {
    return ((sums[0] + sums[1]) + (sums[2] + sums[3])) + ((sums[4] + sums[5]) + (sums[6] + sums[7]));
  }
  LogisticSums totals() const { return {total(first), total(second), total(third)}; }
};

[[gnu::always_inline]] inline void add_row(double p, double told, std::size_t lane, LaneSums& sums) {
  const double along = p * told;
  const double curved = (1.0 - p) * along * told;
  sums.first[lane] += along;
  sums.second[lane] += curved;
  sums.third[lane] += (1.0 - 2.0 * p) * told * curved;
}

[[gnu::always_inline]] inline double probability(double kept) {
  return kept < 0.0 ? 1.0 + kept : kept;
}

[[gnu::always_inline]] inline double moved_probability(double kept, double factor) {
  const double p = kept < 0.0 ? 1.0 + kept : kept;
  const double other = kept < 0.0 ? -kept : 1.0 - kept;
  const double raised = p * factor;
  return raised / (other + raised);
}

}  // namespace

COPPICE_WIDE_VECTORS
LogisticSums logistic_sums(const double* state, const double* told, std::size_t rows) {
  LaneSums sums;
  std::size_t row = 0;
  for (; row + lanes <= rows; row += lanes)
    for (std::size_t lane = 0; lane < lanes; ++lane)
      add_row(probability(state[row + lane]), told[row + lane], lane, sums);
  for (; row < rows; ++row) add_row(probability(state[row]), told[row], row % lanes, sums);
  return sums.totals();
}

COPPICE_WIDE_VECTORS
LogisticSums logistic_sums_moved(const double* state, const double* told, const std::uint32_t* group,
                                 const double* factors, std::size_t rows) {
  LaneSums sums;
  std::size_t row = 0;
  for (; row + lanes <= rows; row += lanes)
    for (std::size_t lane = 0; lane < lanes; ++lane)
      add_row(moved_probability(state[row + lane], factors[group[row + lane]]), told[row + lane], lane, sums);
  for (; row < rows; ++row)
    add_row(moved_probability(state[row], factors[group[row]]), told[row], row % lanes, sums);
  return sums.totals();
}

COPPICE_WIDE_VECTORS
void logistic_move(double* state, const std::uint32_t* group, const double* factors, std::size_t rows) {
  // Odds of 1e±280 are as good as certain; beyond them there would be nothing left to multiply.
  constexpr double least = 1e-280;
  for (std::size_t row = 0; row < rows; ++row) {
    const double kept = state[row];
    const double p = kept < 0.0 ? 1.0 + kept : kept;
    const double other = kept < 0.0 ? -kept : 1.0 - kept;
    const double raised = p * factors[group[row]];
    const double smaller = raised <= other ? raised : -other;
    const double moved = smaller / (other + raised);
    state[row] = moved >= 0.0 ? (moved < least ? least : moved) : (moved > -least ? -least : moved);
  }
}

COPPICE_WIDE_VECTORS
void logistic_gradients(const double* state, std::size_t rows, double* gradients) {
  for (std::size_t row = 0; row < rows; ++row) gradients[row] = -2.0 * probability(state[row]);
}

}  // namespace coppice
