#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <utility>

namespace coppice::craftml {

/// One term of a sum of vectors: a row of a matrix and what it is multiplied by.
struct Term {
  std::size_t row;
  float factor;
};

/// The width of a matrix with a column for each of `clusters` clusters: a multiple of four, as vector
/// instructions like it.
constexpr std::size_t lanes_for(std::size_t clusters) {
  return (clusters + 3) / 4 * 4;
}

namespace detail {

using Four = float __attribute__((vector_size(4 * sizeof(float))));

/// Sums of `groups` times four numbers, in registers.
template <int groups, typename TermAt>
[[gnu::always_inline]] inline void sum_groups(const float* matrix, std::size_t count, const TermAt& term_at,
                                              float* sums) {
  Four totals[groups] = {};
  for (std::size_t i = 0; i < count; ++i) {
    const Term term = term_at(i);
    const float* row = matrix + term.row * (4 * groups);
    for (int g = 0; g < groups; ++g) {
      Four loaded;
      std::memcpy(&loaded, row + 4 * g, sizeof loaded);
      totals[g] += term.factor * loaded;
    }
  }
  std::memcpy(sums, totals, sizeof totals);
}

using WideFour = double __attribute__((vector_size(4 * sizeof(double))));

/// The same for products of two rows, in double precision.
template <int groups, typename RowsAt>
[[gnu::always_inline]] inline void sum_group_products(std::size_t count, const RowsAt& rows_at,
                                                      double* sums) {
  WideFour totals[groups] = {};
  for (std::size_t i = 0; i < count; ++i) {
    const auto [left, right] = rows_at(i);
    for (int g = 0; g < groups; ++g) {
      Four a;
      Four b;
      std::memcpy(&a, left + 4 * g, sizeof a);
      std::memcpy(&b, right + 4 * g, sizeof b);
      totals[g] += __builtin_convertvector(a, WideFour) * __builtin_convertvector(b, WideFour);
    }
  }
  std::memcpy(sums, totals, sizeof totals);
}

}  // namespace detail

/// sums = Σ factor · row over `count` terms. Each lane is added up in the order of the terms, so the result
/// does not depend on the instructions used.
template <typename TermAt>
inline void weighted_sum(std::span<const float> matrix, std::size_t lanes, std::size_t count,
                         const TermAt& term_at, std::span<float> sums) {
  switch (lanes) {
    case 4:
      return detail::sum_groups<1>(matrix.data(), count, term_at, sums.data());
    case 8:
      return detail::sum_groups<2>(matrix.data(), count, term_at, sums.data());
    case 12:
      return detail::sum_groups<3>(matrix.data(), count, term_at, sums.data());
    case 16:
      return detail::sum_groups<4>(matrix.data(), count, term_at, sums.data());
    default:
      break;
  }
  std::fill(sums.begin(), sums.begin() + static_cast<std::ptrdiff_t>(lanes), 0.0F);
  for (std::size_t i = 0; i < count; ++i) {
    const Term term = term_at(i);
    const float* row = matrix.data() + term.row * lanes;
    for (std::size_t lane = 0; lane < lanes; ++lane) sums[lane] += term.factor * row[lane];
  }
}

/// sums = Σ left · right, lane by lane, over `count` pairs of rows of `lanes` numbers.
template <typename RowsAt>
inline void sum_products(std::size_t lanes, std::size_t count, const RowsAt& rows_at,
                         std::span<double> sums) {
  switch (lanes) {
    case 4:
      return detail::sum_group_products<1>(count, rows_at, sums.data());
    case 8:
      return detail::sum_group_products<2>(count, rows_at, sums.data());
    case 12:
      return detail::sum_group_products<3>(count, rows_at, sums.data());
    case 16:
      return detail::sum_group_products<4>(count, rows_at, sums.data());
    default:
      break;
  }
  std::fill(sums.begin(), sums.end(), 0.0);
  for (std::size_t i = 0; i < count; ++i) {
    const auto [left, right] = rows_at(i);
    for (std::size_t lane = 0; lane < lanes; ++lane) sums[lane] += double{left[lane]} * double{right[lane]};
  }
}

/// Makes a row of a matrix of `lanes` columns 0. By hand, because a call of memset costs more than the row.
inline void clear_row(float* row, std::size_t lanes) {
  constexpr detail::Four zeros{};
  for (std::size_t lane = 0; lane < lanes; lane += 4) std::memcpy(row + lane, &zeros, sizeof zeros);
}

/// The index of the largest of scores[c]·scale[c]; the lowest of those that tie.
inline std::size_t best_scaled(std::span<const float> scores, std::span<const float> scale) {
  std::size_t best = 0;
  float highest = scores[0] * scale[0];
  for (std::size_t c = 1; c < scale.size(); ++c) {
    const float score = scores[c] * scale[c];
    if (score > highest) {
      highest = score;
      best = c;
    }
  }
  return best;
}

}  // namespace coppice::craftml
