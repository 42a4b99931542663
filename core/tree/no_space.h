#pragma once

#include <cstdint>
#include <span>

#include "core/tree/split_score.h"

namespace coppice {

/// The output space of trees that grow without looking at outputs; LabelSpace says what an output space is.
/// All splits are equally good, so the first feature that can split a node does.
class NoSpace {
 public:
  struct Local {};
  struct Totals {};

  static void localise(std::span<const std::uint32_t> /*rows*/, Local& /*local*/) {}
  static void clear(const Local& /*local*/, Totals& /*totals*/) {}
  static void add(const Local& /*local*/, std::uint32_t /*id*/, Totals& /*totals*/) {}
  static void remove(const Local& /*local*/, std::uint32_t /*id*/, Totals& /*totals*/) {}
  static bool identical(const Local& /*local*/, std::span<const std::uint32_t> /*ids*/) { return false; }
  static double pair_gain(const Local& /*local*/, std::uint32_t /*a*/, std::uint32_t /*b*/) { return 0.0; }
  static void enter(const Local& /*local*/, const Totals& /*totals*/, std::span<const std::uint32_t> /*ids*/,
                    bool /*often*/) {}
  static double base_score() { return 0.0; }
  static std::size_t dimension() { return 1; }
  static double add_outputs(std::uint32_t /*id*/, double* /*sums*/) { return 1.0; }

  class Side {
   public:
    static constexpr bool asks_wanted = false;
    explicit Side(const NoSpace& /*space*/) {}
    static void prefixes(std::span<const std::uint32_t> ids, const std::uint32_t* /*wanted*/,
                         SplitScore* scores) {
      for (std::size_t i = 0; i < ids.size(); ++i) scores[i] = {};
    }
    static SplitScore part(std::span<const std::uint32_t> /*ids*/) { return {}; }
  };
};

}  // namespace coppice
