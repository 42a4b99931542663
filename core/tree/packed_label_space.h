#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "core/data/label_sets.h"
#include "core/tree/prefix_sums.h"
#include "core/tree/sample.h"
#include "core/tree/split_score.h"

namespace coppice {

/// LabelSpace for few labels and not too many rows: label sums are 16 numbers of 16 bits, added and
/// multiplied at once. The same scores.
class PackedLabelSpace {
 public:
  static constexpr std::size_t lanes = packed_lanes;
  /// 16 · 8191² is less than 2^31.
  static constexpr std::uint64_t most_weight = 8191;
  using Vector = std::array<std::int16_t, lanes>;

  static bool suits(const LabelSets& labels, const Sample& sample) {
    return labels.label_count() <= lanes && sample.total <= most_weight;
  }

  struct Local {
    std::vector<Vector> rows;           ///< the labels of each row times its weight
    std::vector<std::int32_t> squares;  ///< |w·y|²
    std::vector<std::int32_t> weights;
    std::vector<std::uint16_t> sets;  ///< the labels of each row as bits
  };
  struct Totals {
    std::int32_t weight = 0;
    Vector sums{};
  };

  PackedLabelSpace(const LabelSets& labels, const Sample& sample)
      : labels_(&labels), weights_(sample.weights.data()) {}

  void localise(std::span<const std::uint32_t> rows, Local& local) {
    local.rows.assign(rows.size(), Vector{});
    local.squares.resize(rows.size());
    local.weights.resize(rows.size());
    local.sets.resize(rows.size());
    for (std::size_t id = 0; id < rows.size(); ++id) {
      const auto weight = static_cast<std::int16_t>(weights_[rows[id]]);
      std::uint32_t set = 0;
      for (const std::uint32_t label : (*labels_)[rows[id]]) {
        local.rows[id][label] = weight;
        set |= 1U << label;
      }
      local.weights[id] = weight;
      local.sets[id] = static_cast<std::uint16_t>(set);
      local.squares[id] = dot(local.rows[id], local.rows[id]);
    }
  }

  static void clear(const Local& /*local*/, Totals& totals) { totals = {}; }
  static void add(const Local& local, std::uint32_t id, Totals& totals) {
    totals.weight += local.weights[id];
    for (std::size_t j = 0; j < lanes; ++j)
      totals.sums[j] = static_cast<std::int16_t>(totals.sums[j] + local.rows[id][j]);
  }
  static void remove(const Local& local, std::uint32_t id, Totals& totals) {
    totals.weight -= local.weights[id];
    for (std::size_t j = 0; j < lanes; ++j)
      totals.sums[j] = static_cast<std::int16_t>(totals.sums[j] - local.rows[id][j]);
  }
  static bool identical(const Local& local, std::span<const std::uint32_t> ids) {
    return std::all_of(ids.begin() + 1, ids.end(),
                       [&](std::uint32_t id) { return local.sets[id] == local.sets[ids[0]]; });
  }

  static double pair_gain(const Local& local, std::uint32_t a, std::uint32_t b) {
    const double product = static_cast<double>(local.weights[a]) * static_cast<double>(local.weights[b]);
    const auto different = static_cast<unsigned>(local.sets[a] ^ local.sets[b]);
    return product * static_cast<double>(std::popcount(different)) /
           static_cast<double>(local.weights[a] + local.weights[b]);
  }

  void enter(const Local& local, const Totals& totals, std::span<const std::uint32_t> ids, bool often) {
    local_ = &local;
    totals_ = &totals;
    often_ = often;
    squares_ = dot(totals.sums, totals.sums);
    if (!often) return;
    cross_.resize(local.rows.size());
    for (const std::uint32_t id : ids) cross_[id] = dot(local.rows[id], totals.sums);
  }
  double base_score() const { return static_cast<double>(squares_) / static_cast<double>(totals_->weight); }

  class Side {
   public:
    explicit Side(const PackedLabelSpace& space) : space_(&space) {}

    void prefixes(std::span<const std::uint32_t> ids, const std::uint8_t* /*wanted*/, SplitScore* scores) {
      const Local& local = *space_->local_;
      squares_.resize(ids.size());
      prefix_squares_packed(local.rows.data()->data(), local.squares.data(), ids.data(), ids.size(),
                            squares_.data());
      std::int32_t weight = 0;
      std::int32_t cross = 0;
      for (std::size_t i = 0; i < ids.size(); ++i) {
        weight += local.weights[ids[i]];
        cross += space_->often_ ? space_->cross_[ids[i]] : dot(local.rows[ids[i]], space_->totals_->sums);
        scores[i] = space_->score(weight, squares_[i], cross);
      }
    }
    SplitScore part(std::span<const std::uint32_t> ids) const {
      const Local& local = *space_->local_;
      Vector sums;
      sum_packed(local.rows.data()->data(), ids.data(), ids.size(), sums.data());
      std::int32_t weight = 0;
      for (const std::uint32_t id : ids) weight += local.weights[id];
      return space_->score(weight, dot(sums, sums), dot(sums, space_->totals_->sums));
    }

   private:
    const PackedLabelSpace* space_;
    std::vector<std::int32_t> squares_;
  };

 private:
  SplitScore score(std::int32_t weight, std::int32_t squares, std::int32_t cross) const {
    const std::int32_t rest_weight = totals_->weight - weight;
    const std::int64_t rest = std::int64_t{squares_} - 2 * std::int64_t{cross} + squares;
    return {static_cast<double>(squares) * static_cast<double>(rest_weight) +
                static_cast<double>(rest) * static_cast<double>(weight),
            static_cast<double>(weight) * static_cast<double>(rest_weight)};
  }
  static std::int32_t dot(const Vector& a, const Vector& b) { return dot_packed(a.data(), b.data()); }

  const LabelSets* labels_;
  const std::uint32_t* weights_;
  const Local* local_ = nullptr;
  const Totals* totals_ = nullptr;
  bool often_ = false;
  std::int32_t squares_ = 0;
  std::vector<std::int32_t> cross_;
};

}  // namespace coppice
