#include "core/losses/logistic_kernels.h"

#include <cstring>

#include "core/base/wide_vectors.h"

namespace coppice {

namespace {

using Quad = double __attribute__((vector_size(4 * sizeof(double))));

/// Rows that are worked on at a time: two groups of four lanes.
constexpr std::size_t rows_at_once = 8;

// Odds of 1e±280 are as good as certain; beyond them there would be nothing left to multiply.
constexpr double least = 1e-280;

[[gnu::always_inline]] inline void load(const double* from, Quad& quad) {
  std::memcpy(&quad, from, sizeof quad);
}
[[gnu::always_inline]] inline void look_up(const double* factors, const std::uint32_t* group, Quad& quad) {
  quad = Quad{factors[group[0]], factors[group[1]], factors[group[2]], factors[group[3]]};
}

/// Sums of four lanes, added up in a fixed order.
struct QuadSums {
  Quad first{};
  Quad second{};
  Quad third{};
};

/// The functions below are for a number or four of them alike.
template <typename Value>
[[gnu::always_inline]] inline void split_state(const Value& kept, Value& p, Value& other) {
  const Value smaller = kept < 0.0 ? -kept : kept;
  const Value larger = 1.0 - smaller;
  p = kept < 0.0 ? larger : smaller;
  other = kept < 0.0 ? smaller : larger;
}

template <typename Value, typename Sums>
[[gnu::always_inline]] inline void add_row(const Value& p, const Value& other, const Value& told,
                                           Sums& sums) {
  const Value along = p * told;
  const Value curved = other * along * told;
  sums.first += along;
  sums.second += curved;
  sums.third += (other - p) * told * curved;
}

template <typename Value, typename Sums>
[[gnu::always_inline]] inline void add_moved(const Value& kept, const Value& factor, const Value& told,
                                             Sums& sums) {
  Value p;
  Value other;
  split_state(kept, p, other);
  const Value raised = p * factor;
  const Value moved = raised / (other + raised);
  add_row<Value, Sums>(moved, 1.0 - moved, told, sums);
}

template <typename Value>
[[gnu::always_inline]] inline void move_state(Value& kept, const Value& factor) {
  Value p;
  Value other;
  split_state(kept, p, other);
  const Value raised = p * factor;
  const Value smaller = (raised < other ? raised : other) / (other + raised);
  const Value enough = smaller > least ? smaller : Value{} + least;
  kept = raised <= other ? enough : -enough;
}

[[gnu::always_inline]] inline double total(const Quad& a, const Quad& b, double rest) {
  const Quad both = a + b;
  return ((both[0] + both[1]) + (both[2] + both[3])) + rest;
}

}  // namespace

COPPICE_WIDE_VECTORS
LogisticSums logistic_sums(const double* state, const double* told, std::size_t rows) {
  QuadSums sums[2];
  std::size_t row = 0;
  for (; row + rows_at_once <= rows; row += rows_at_once)
    for (std::size_t half = 0; half < 2; ++half) {
      Quad kept;
      Quad along;
      Quad p;
      Quad other;
      load(state + row + 4 * half, kept);
      load(told + row + 4 * half, along);
      split_state(kept, p, other);
      add_row(p, other, along, sums[half]);
    }
  LogisticSums rest;
  for (; row < rows; ++row) {
    double p = 0.0;
    double other = 0.0;
    split_state(state[row], p, other);
    add_row(p, other, told[row], rest);
  }
  return {total(sums[0].first, sums[1].first, rest.first), total(sums[0].second, sums[1].second, rest.second),
          total(sums[0].third, sums[1].third, rest.third)};
}

COPPICE_WIDE_VECTORS
LogisticSums logistic_sums_moved(const double* state, const double* told, const std::uint32_t* group,
                                 const double* factors, std::size_t rows) {
  QuadSums sums[2];
  std::size_t row = 0;
  for (; row + rows_at_once <= rows; row += rows_at_once)
    for (std::size_t half = 0; half < 2; ++half) {
      Quad kept;
      Quad along;
      Quad factor;
      load(state + row + 4 * half, kept);
      load(told + row + 4 * half, along);
      look_up(factors, group + row + 4 * half, factor);
      add_moved(kept, factor, along, sums[half]);
    }
  LogisticSums rest;
  for (; row < rows; ++row) add_moved(state[row], factors[group[row]], told[row], rest);
  return {total(sums[0].first, sums[1].first, rest.first), total(sums[0].second, sums[1].second, rest.second),
          total(sums[0].third, sums[1].third, rest.third)};
}

COPPICE_WIDE_VECTORS
void logistic_move(double* state, const std::uint32_t* group, const double* factors, std::size_t rows) {
  std::size_t row = 0;
  for (; row + rows_at_once <= rows; row += rows_at_once) {
    // The next output usually comes next in memory: it is fetched while this one is computed.
    __builtin_prefetch(state + row + rows);
    for (std::size_t half = 0; half < 2; ++half) {
      double* at = state + row + 4 * half;
      Quad kept;
      Quad factor;
      load(at, kept);
      look_up(factors, group + row + 4 * half, factor);
      move_state(kept, factor);
      std::memcpy(at, &kept, sizeof kept);
    }
  }
  for (; row < rows; ++row) move_state(state[row], factors[group[row]]);
}

COPPICE_WIDE_VECTORS
void logistic_gradients(const double* state, std::size_t rows, double* gradients) {
  std::size_t row = 0;
  for (; row + 4 <= rows; row += 4) {
    Quad kept;
    Quad p;
    Quad other;
    load(state + row, kept);
    split_state(kept, p, other);
    p *= -2.0;
    std::memcpy(gradients + row, &p, sizeof p);
  }
  for (; row < rows; ++row) gradients[row] = -2.0 * (state[row] < 0.0 ? 1.0 + state[row] : state[row]);
}

COPPICE_WIDE_VECTORS
void logistic_add(const double* state, std::size_t rows, double factor, double* sums) {
  std::size_t row = 0;
  for (; row + 4 <= rows; row += 4) {
    Quad kept;
    Quad p;
    Quad other;
    Quad sum;
    load(state + row, kept);
    load(sums + row, sum);
    split_state(kept, p, other);
    sum += factor * p;
    std::memcpy(sums + row, &sum, sizeof sum);
  }
  for (; row < rows; ++row) sums[row] += factor * (state[row] < 0.0 ? 1.0 + state[row] : state[row]);
}

}  // namespace coppice
