#include "core/losses/logistic_kernels.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "core/base/wide_vectors.h"

namespace coppice {

namespace {

constexpr std::size_t lanes = 8;
using Floats = float __attribute__((vector_size(lanes * sizeof(float))));
using Integers = std::int32_t __attribute__((vector_size(lanes * sizeof(std::int32_t))));

/// Rows whose sums are added up as floats, or as 32-bit integers, before they go into wider ones.
constexpr std::size_t rows_at_once = 256;

// Odds of 1e±29 are as good as certain; beyond them there would be nothing left to multiply.
constexpr float least = 1e-29F;

constexpr auto sign_bit = std::bit_cast<std::int32_t>(-0.0F);

template <typename Lanes, typename Number>
[[gnu::always_inline]] inline void load(const Number* from, Lanes& into) {
  std::memcpy(&into, from, sizeof into);
}

/// The values of groups. Those of few groups fit into a vector, from which a row's is picked.
template <typename Lanes, typename Number, bool few>
class GroupValues {
 public:
  [[gnu::always_inline]] explicit GroupValues(std::span<const Number> values) : values_(values.data()) {
    if constexpr (few)
      for (std::size_t g = 0; g < values.size(); ++g) table_[g] = values[g];
  }
  [[gnu::always_inline]] void look_up(const std::uint32_t* group, Lanes& found) const {
    if constexpr (few) {
      Integers index;
      load(group, index);
      found = __builtin_shuffle(table_, index);
    } else {
      for (std::size_t i = 0; i < lanes; ++i) found[i] = values_[group[i]];
    }
  }

 private:
  const Number* values_;
  Lanes table_{};
};

[[gnu::always_inline]] inline void as_bits(const Floats& numbers, Integers& bits) {
  std::memcpy(&bits, &numbers, sizeof bits);
}
[[gnu::always_inline]] inline void as_numbers(const Integers& bits, Floats& numbers) {
  std::memcpy(&numbers, &bits, sizeof numbers);
}

[[gnu::always_inline]] inline void probabilities(const Floats& kept, Floats& p, Floats& other) {
  constexpr auto one = std::bit_cast<std::int32_t>(1.0F);
  Integers likely;
  as_bits(kept, likely);
  likely >>= 31;
  Floats one_if_likely;
  Floats one_if_not;
  as_numbers(likely & one, one_if_likely);
  as_numbers(~likely & one, one_if_not);
  p = kept + one_if_likely;
  other = one_if_not - kept;
}

/// Multiplies odds. With `clamp` they stay above 0. Numbers above 0 compare as their bits do, which is
/// faster.
template <bool clamp>
[[gnu::always_inline]] inline void move_state(Floats& kept, const Floats& factor) {
  Floats p;
  Floats other;
  probabilities(kept, p, other);
  const Floats raised = p * factor;
  Integers raised_bits;
  Integers other_bits;
  as_bits(raised, raised_bits);
  as_bits(other, other_bits);
  Floats smaller;
  as_numbers(raised_bits < other_bits ? raised_bits : other_bits, smaller);
  smaller /= raised + other;
  Integers bits;
  as_bits(smaller, bits);
  if constexpr (clamp) {
    constexpr auto least_bits = std::bit_cast<std::int32_t>(least);
    bits = bits > least_bits ? bits : Integers{} + least_bits;
  }
  // Minus where the odds have become more than one to one.
  bits |= (raised_bits > other_bits) & sign_bit;
  as_numbers(bits, kept);
}

/// The probabilities of the rows that begin at `first`, as many as are worked on at once.
[[gnu::always_inline]] inline std::size_t find_probabilities(std::span<const float> state, std::size_t first,
                                                             float* p) {
  const std::size_t count = std::min(rows_at_once, state.size() - first);
  for (std::size_t i = 0; i < count; ++i) {
    const float kept = state[first + i];
    p[i] = kept + std::bit_cast<float>((std::bit_cast<std::int32_t>(kept) >> 31) &
                                       std::bit_cast<std::int32_t>(1.0F));
  }
  return count;
}

/// The sums of some rows, lane by lane.
struct LaneSums {
  Floats small{};
  Integers likely{};
  Floats second{};
  Floats third{};

  /// With s = |state| and h of the state's sign: p(1-p) = s(1-s), (1-2p) h = (1-2s) of that.
  [[gnu::always_inline]] void add(const Floats& kept, const Integers& told) {
    const Floats h = __builtin_convertvector(told, Floats);
    Integers bits;
    Integers signed_bits;
    as_bits(kept, bits);
    as_bits(h, signed_bits);
    likely += (bits >> 31) & told;
    signed_bits ^= bits & sign_bit;
    bits &= ~sign_bit;
    Floats smaller;
    Floats signed_h;
    as_numbers(bits, smaller);
    as_numbers(signed_bits, signed_h);
    const Floats larger = 1.0F - smaller;
    const Floats curved = smaller * larger * h * h;
    small += smaller * signed_h;
    second += curved;
    third += (larger - smaller) * signed_h * curved;
  }
  /// Adds the lanes up, always in the same order.
  [[gnu::always_inline]] void add_to(LogisticSums& sums) const {
    for (std::size_t i = 0; i < lanes; ++i) {
      sums.small += static_cast<double>(small[i]);
      sums.likely += likely[i];
      sums.second += static_cast<double>(second[i]);
      sums.third += static_cast<double>(third[i]);
    }
  }
};

/// The sums over all rows; with `moved` after their odds have been multiplied.
template <bool few, bool moved>
[[gnu::always_inline]] inline LogisticSums sum_rows(std::span<const float> state, const std::uint32_t* group,
                                                    std::span<const std::int32_t> told,
                                                    std::span<const float> factors) {
  const GroupValues<Integers, std::int32_t, few> tells(told);
  const GroupValues<Floats, float, few> moves(factors);
  LogisticSums sums;
  const auto add = [&](const float* from, const std::uint32_t* groups, std::size_t count, LaneSums& some)
      __attribute__((always_inline)) {
    Floats kept;
    load(from, kept);
    if constexpr (moved) {
      Floats factor;
      moves.look_up(groups, factor);
      move_state<false>(kept, factor);
    }
    Integers h;
    tells.look_up(groups, h);
    for (std::size_t i = count; i < lanes; ++i) h[i] = 0;
    some.add(kept, h);
  };
  std::size_t row = 0;
  while (row + lanes <= state.size()) {
    // Two at a time, which do not wait for one another.
    LaneSums some[2];
    const std::size_t end = std::min(state.size(), row + rows_at_once);
    for (; row + 2 * lanes <= end; row += 2 * lanes) {
      add(state.data() + row, group + row, lanes, some[0]);
      add(state.data() + row + lanes, group + row + lanes, lanes, some[1]);
    }
    for (; row + lanes <= end; row += lanes) add(state.data() + row, group + row, lanes, some[0]);
    some[0].add_to(sums);
    some[1].add_to(sums);
  }
  if (row < state.size()) {
    float kept[lanes] = {};
    std::uint32_t groups[lanes] = {};
    std::copy(state.begin() + static_cast<std::ptrdiff_t>(row), state.end(), kept);
    std::copy(group + row, group + state.size(), groups);
    LaneSums some;
    add(kept, groups, state.size() - row, some);
    some.add_to(sums);
  }
  return sums;
}

template <bool few>
[[gnu::always_inline]] inline void move_rows(std::span<float> state, const std::uint32_t* group,
                                             std::span<const float> factors) {
  const GroupValues<Floats, float, few> moves(factors);
  const auto move = [&](float* at, const std::uint32_t* groups) __attribute__((always_inline)) {
    Floats kept;
    Floats factor;
    load(at, kept);
    moves.look_up(groups, factor);
    move_state<true>(kept, factor);
    std::memcpy(at, &kept, sizeof kept);
  };
  std::size_t row = 0;
  for (; row + 2 * lanes <= state.size(); row += 2 * lanes) {
    // The next output usually comes next in memory: it is fetched while this one is computed.
    __builtin_prefetch(state.data() + row + state.size());
    move(state.data() + row, group + row);
    move(state.data() + row + lanes, group + row + lanes);
  }
  for (; row < state.size(); row += lanes) {
    float kept[lanes] = {};
    std::uint32_t groups[lanes] = {};
    const std::size_t count = std::min(lanes, state.size() - row);
    std::copy_n(state.data() + row, count, kept);
    std::copy_n(group + row, count, groups);
    move(kept, groups);
    std::copy_n(kept, count, state.data() + row);
  }
}

}  // namespace

COPPICE_WIDE_VECTORS
LogisticSums logistic_sums(std::span<const float> state, std::span<const std::uint32_t> group,
                           std::span<const std::int32_t> told) {
  return told.size() <= lanes ? sum_rows<true, false>(state, group.data(), told, {})
                              : sum_rows<false, false>(state, group.data(), told, {});
}

COPPICE_WIDE_VECTORS
LogisticSums logistic_sums_moved(std::span<const float> state, std::span<const std::uint32_t> group,
                                 std::span<const std::int32_t> told, std::span<const float> factors) {
  return told.size() <= lanes ? sum_rows<true, true>(state, group.data(), told, factors)
                              : sum_rows<false, true>(state, group.data(), told, factors);
}

COPPICE_WIDE_VECTORS
void logistic_move(std::span<float> state, std::span<const std::uint32_t> group,
                   std::span<const float> factors) {
  if (factors.size() <= lanes)
    move_rows<true>(state, group.data(), factors);
  else
    move_rows<false>(state, group.data(), factors);
}

COPPICE_WIDE_VECTORS
void logistic_gradients(std::span<const float> state, std::span<double> gradients) {
  for (std::size_t first = 0; first < state.size(); first += rows_at_once) {
    float p[rows_at_once];
    const std::size_t count = find_probabilities(state, first, p);
    for (std::size_t i = 0; i < count; ++i) gradients[first + i] = -2.0 * static_cast<double>(p[i]);
  }
}

COPPICE_WIDE_VECTORS
void logistic_add(std::span<const float> state, double factor, std::span<double> sums) {
  for (std::size_t first = 0; first < state.size(); first += rows_at_once) {
    float p[rows_at_once];
    const std::size_t count = find_probabilities(state, first, p);
    for (std::size_t i = 0; i < count; ++i) sums[first + i] += factor * static_cast<double>(p[i]);
  }
}

}  // namespace coppice
