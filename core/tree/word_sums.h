#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

#include "core/tree/split_score.h"

namespace coppice {

/// The outputs of a frame of up to 64 rows in any space, for nodes whose rows are bits: they are added up as
/// elsewhere. WordGram says what the functions do.
template <typename Space>
class WordSums {
 public:
  static constexpr std::size_t most_rows = 64;
  using Totals = typename Space::Totals;

  explicit WordSums(Space& space) : space_(&space), side_(space) {}

  void build(std::span<const std::uint32_t> rows) { space_->localise(rows, local_); }
  bool identical(std::uint64_t rows) { return space_->identical(local_, ids_of(rows)); }
  double pair_gain(std::uint32_t a, std::uint32_t b) const { return space_->pair_gain(local_, a, b); }

  void learn(std::uint64_t rows, Totals& totals) {
    space_->clear(local_, totals);
    for (const std::uint32_t id : ids_of(rows)) space_->add(local_, id, totals);
  }
  void remove(std::uint64_t gone, std::uint64_t /*left*/, Totals& totals) {
    for (const std::uint32_t id : ids_of(gone)) space_->remove(local_, id, totals);
  }

  void enter(std::uint64_t rows, const Totals& totals) { space_->enter(local_, totals, ids_of(rows), false); }
  double base_score() const { return space_->base_score(); }
  SplitScore alone(std::uint32_t id) { return side_.part(std::span(&id, 1)); }
  SplitScore part(std::uint64_t rows) { return side_.part(ids_of(rows)); }
  void prefixes(std::span<const std::uint32_t> ids, const std::uint32_t* wanted, SplitScore* scores) {
    side_.prefixes(ids, wanted, scores);
  }

 private:
  /// The rows as numbers, until the next call.
  std::span<const std::uint32_t> ids_of(std::uint64_t rows) {
    std::size_t count = 0;
    for (; rows != 0; rows &= rows - 1) ids_[count++] = static_cast<std::uint32_t>(std::countr_zero(rows));
    return std::span(ids_).first(count);
  }

  Space* space_;
  typename Space::Local local_;
  typename Space::Side side_;
  std::array<std::uint32_t, most_rows> ids_;
};

/// What scores the nodes of small frames in a space.
template <typename Space>
auto word_outputs(Space& space) {
  if constexpr (requires { space.gram(); })
    return space.gram();
  else
    return WordSums<Space>(space);
}

}  // namespace coppice
