#include "core/tree/tree_walk.h"

#include <algorithm>
#include <array>
#include <type_traits>
#include <utility>

#include "core/base/fetch_ahead.h"
#include "core/tree/gather_walk.h"
#include "core/tree/walkers.h"
#include "core/tree/word_walk.h"

namespace coppice {

namespace {

/// Rows that take their steps by turns: while one waits for memory the others go on.
constexpr std::size_t by_turns = 16;
/// How many steps they take before it is asked again which of them have arrived. From the root they first
/// take as many as leaves are deep on average, together, which costs less than the others; from where they
/// leave a group these.
constexpr int first_steps = 12;
constexpr int more_steps = 4;
/// Inputs that can be gathered have signed numbers of 32 bits.
constexpr std::size_t most_gathered = 0x7fffffffU;

/// Steps of rows whose inputs `inputs_of` gives.
template <typename Nodes, typename Inputs, std::size_t... Row>
void take_steps(const Nodes nodes, int steps, const Inputs& inputs_of, const WalkingRows& walking,
                std::index_sequence<Row...> /*rows*/) {
  for (std::size_t begin = 0; begin < walking.count; begin += sizeof...(Row)) {
    const std::array inputs{inputs_of(walking.rows[begin + Row])...};
    // Named one by one, here and below: what is copied as a whole is not kept in registers.
    std::uint32_t* const places = walking.places + begin;
    std::array<typename Nodes::Place, sizeof...(Row)> at{places[Row]...};
    for (int s = 0; s < steps; ++s) ((at[Row] = nodes.step(inputs[Row], at[Row])), ...);
    ((places[Row] = static_cast<std::uint32_t>(at[Row])), ...);
  }
}

/// Steps of the rows of a bundle.
template <typename Nodes, std::size_t... Row>
void take_first_steps(const Nodes nodes, int steps, const float* bundle, std::uint32_t* places,
                      std::index_sequence<Row...> /*rows*/) {
  std::array<typename Nodes::Place, sizeof...(Row)> at{places[Row]...};
  for (int s = 0; s < steps; ++s) ((at[Row] = nodes.template step<Row>(bundle, at[Row])), ...);
  ((places[Row] = static_cast<std::uint32_t>(at[Row])), ...);
}

/// No branch depends on the data: a wrong guess would throw away what the other rows have done meanwhile.
/// Rows take a few steps, the last ones possibly on the spot, before it is asked which have arrived. `go`
/// lets rows take so many steps.
template <typename Nodes, typename Go>
void walk_some(const Nodes nodes, int steps, std::size_t together, const Go& go, Walkers& walkers,
               std::size_t count, std::uint32_t* leaves) {
  auto& [row, place] = walkers;
  for (std::size_t walking = count; walking > 0;) {
    // The last ones have company that is not noted.
    const std::size_t whole = (walking + together - 1) / together * together;
    std::fill(place.begin() + walking, place.begin() + whole, place[walking - 1]);
    std::fill(row.begin() + walking, row.begin() + whole, row[walking - 1]);
    go(steps, WalkingRows{row.data(), place.data(), whole});
    walking = walkers.note(nodes, walking, leaves);
    steps = more_steps;
  }
}

/// Rows as bits: down the upper part of the tree together, then each alone.
template <typename Nodes>
void walk_bits(const Nodes nodes, const RowBlock& block, std::span<const std::uint64_t> next_tree,
               std::uint32_t* leaves) {
  Walkers walkers;
  FetchAhead ahead(next_tree.data(), next_tree.size_bytes(), block.rows() / Walkers::most_rows + 1);
  const std::uint32_t* const bits = block.bits(0);
  const std::size_t stride = block.stride();
  for (std::size_t first = 0; first < block.rows(); first += Walkers::most_rows) {
    const std::size_t count = std::min(Walkers::most_rows, block.rows() - first);
    ahead.fetch();
    walk_group(nodes, {block.group(first), count}, walkers.row.data(), walkers.place.data());
    for (std::size_t i = 0; i < count; ++i) walkers.row[i] += static_cast<std::uint32_t>(first);
    const auto walk = [&](std::size_t together, const auto& go) {
      walk_some(nodes, first_steps, together, go, walkers, count, leaves);
    };
    if constexpr (std::is_same_v<Nodes, PackedNodes>) {
      if (gathers_pay() && block.rows() * stride <= most_gathered) {
        walk(WalkingRows::together, [&](int steps, const WalkingRows& walking) {
          gather_steps(nodes, steps, bits, stride, walking);
        });
        continue;
      }
    }
    walk(by_turns, [&](int steps, const WalkingRows& walking) {
      take_steps(
          nodes, steps, [&](std::size_t row) { return bits + row * stride; }, walking,
          std::make_index_sequence<by_turns>());
    });
  }
}

/// Rows as values: bundle by bundle at first, then those that have further to go.
template <typename Nodes>
void walk_values(const Nodes nodes, const Descent& descent, const RowBlock& block,
                 std::span<const std::uint64_t> next_tree, std::uint32_t* leaves) {
  Walkers walkers;
  FetchAhead ahead(next_tree.data(), next_tree.size_bytes(), block.rows() / RowBundle::rows + 1);
  const std::size_t apart = block.stride() * RowBundle::rows;
  for (std::size_t first = 0; first < block.rows(); first += Walkers::most_rows) {
    const std::size_t count = std::min(Walkers::most_rows, block.rows() - first);
    const std::size_t bundles = (count + RowBundle::rows - 1) / RowBundle::rows;
    descent.busy.walk(block[first], apart, bundles, walkers.place.data());
    for (std::size_t b = 0; b < bundles; ++b) {
      ahead.fetch();
      take_first_steps(nodes, descent.steps, block[first] + b * apart,
                       walkers.place.data() + b * RowBundle::rows,
                       std::make_index_sequence<RowBundle::rows>());
    }
    const std::size_t left_over = walkers.note_first(nodes, static_cast<std::uint32_t>(first), count, leaves);
    walk_some(
        nodes, more_steps, by_turns,
        [&](int steps, const WalkingRows& walking) {
          take_steps(
              nodes, steps, [&](std::size_t row) { return block[row]; }, walking,
              std::make_index_sequence<by_turns>());
        },
        walkers, left_over, leaves);
  }
}

template <typename Nodes>
void walk_all(const Nodes& nodes, const Descent& descent, const RowBlock& block,
              std::span<const std::uint64_t> next_tree, std::uint32_t* leaves) {
  if (block.words() != nullptr)
    walk_words(nodes, *block.words(), leaves);
  else if (block.in_bits())
    walk_bits(nodes, block, next_tree, leaves);
  else
    walk_values(nodes, descent, block, next_tree, leaves);
}

}  // namespace

void walk_rows(const PackedNodes& nodes, const Descent& descent, const RowBlock& block,
               std::span<const std::uint64_t> next_tree, std::uint32_t* leaves) {
  walk_all(nodes, descent, block, next_tree, leaves);
}

void walk_rows(const WideNodes& nodes, const Descent& descent, const RowBlock& block, std::uint32_t* leaves) {
  walk_all(nodes, descent, block, {}, leaves);
}

}  // namespace coppice
