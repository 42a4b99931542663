#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "core/data/label_sets.h"
#include "core/tree/sample.h"

namespace coppice {

/// LabelSpace for few labels and not too many rows: label sums are 16 numbers of 16 bits, added and
/// multiplied at once. The same scores.
class PackedLabelSpace {
 public:
  static constexpr std::size_t lanes = 16;
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

    void start() {
      sums_ = {};
      weight_ = squares_ = cross_ = 0;
    }
    void add(std::uint32_t id) {
      const Local& local = *space_->local_;
      const Vector& row = local.rows[id];
      squares_ += 2 * dot(sums_, row) + local.squares[id];
      for (std::size_t j = 0; j < lanes; ++j) sums_[j] = static_cast<std::int16_t>(sums_[j] + row[j]);
      cross_ += space_->often_ ? space_->cross_[id] : dot(row, space_->totals_->sums);
      weight_ += local.weights[id];
    }
    void set(std::span<const std::uint32_t> ids) {
      start();
      const Local& local = *space_->local_;
      for (const std::uint32_t id : ids) {
        for (std::size_t j = 0; j < lanes; ++j)
          sums_[j] = static_cast<std::int16_t>(sums_[j] + local.rows[id][j]);
        weight_ += local.weights[id];
      }
      squares_ = dot(sums_, sums_);
      cross_ = dot(sums_, space_->totals_->sums);
    }
    double numerator() const {
      const std::int64_t rest = std::int64_t{space_->squares_} - 2 * std::int64_t{cross_} + squares_;
      return static_cast<double>(squares_) * (space_->totals_->weight - weight_) +
             static_cast<double>(rest) * weight_;
    }
    double denominator() const {
      return static_cast<double>(weight_) * static_cast<double>(space_->totals_->weight - weight_);
    }

   private:
    const PackedLabelSpace* space_;
    Vector sums_{};
    std::int32_t weight_ = 0;
    std::int32_t squares_ = 0;
    std::int32_t cross_ = 0;
  };

 private:
  static std::int32_t dot(const Vector& a, const Vector& b) {
    std::int32_t sum = 0;
    for (std::size_t j = 0; j < lanes; ++j) sum += std::int32_t{a[j]} * std::int32_t{b[j]};
    return sum;
  }

  const LabelSets* labels_;
  const std::uint32_t* weights_;
  const Local* local_ = nullptr;
  const Totals* totals_ = nullptr;
  bool often_ = false;
  std::int32_t squares_ = 0;
  std::vector<std::int32_t> cross_;
};

}  // namespace coppice
