#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/data/label_sets.h"
#include "core/tree/label_space.h"
#include "core/tree/sample.h"
#include "core/tree/split_score.h"

namespace coppice {

/// f(n) = n ln n for the whole numbers up to a largest one, rounded to a power of two so that sums of as many
/// terms as a tree needs are exact in any order.
class EntropyTable {
 public:
  EntropyTable(std::uint64_t largest, std::uint64_t labels);
  double operator()(std::int64_t n) const {
    const auto index = static_cast<std::size_t>(n);
    return index < values_.size() ? values_[index] : compute(n);
  }

 private:
  /// Beyond it, values are computed when they are needed: only weighted samples have such sums.
  static constexpr std::uint64_t most_kept = std::uint64_t{1} << 20;

  double compute(std::int64_t n) const;

  double step_ = 1.0;
  std::vector<double> values_;
};

/// The output space of label sets under the entropy impurity (thesis 3.12): of the class distribution where
/// every row has one class, else summed over labels, each present or absent (3.24). LabelSpace says what an
/// output space is. A candidate costs as many steps as the frame has labels.
class EntropySpace {
 public:
  using Local = LocalLabels;

  struct Totals {
    std::int64_t weight = 0;
    std::vector<std::int32_t> sums;
  };

  EntropySpace(const LabelSets& labels, bool one_class, const EntropyTable& table, const Sample& sample)
      : localiser_(labels, sample, nullptr), one_class_(one_class), table_(&table) {}

  void localise(std::span<const std::uint32_t> rows, Local& local) { localiser_.localise(rows, local); }

  static void clear(const Local& local, Totals& totals) {
    totals.weight = 0;
    totals.sums.assign(local.label_count, 0);
  }
  static void add(const Local& local, std::uint32_t id, Totals& totals) {
    update(local, id, local.weights[id], totals);
  }
  static void remove(const Local& local, std::uint32_t id, Totals& totals) {
    update(local, id, -local.weights[id], totals);
  }
  static bool identical(const Local& local, std::span<const std::uint32_t> ids) {
    return local.identical(ids);
  }

  double pair_gain(const Local& local, std::uint32_t a, std::uint32_t b) const;

  void enter(const Local& local, const Totals& totals, std::span<const std::uint32_t> /*ids*/,
             bool /*often*/) {
    local_ = &local;
    totals_ = &totals;
  }
  double base_score() const;
  std::size_t dimension() const { return local_->label_count; }
  double add_outputs(std::uint32_t id, double* sums) const { return local_->add_outputs(id, sums); }

  class Side {
   public:
    static constexpr bool asks_wanted = true;
    explicit Side(const EntropySpace& space) : space_(&space) {}

    void prefixes(std::span<const std::uint32_t> ids, const std::uint32_t* wanted, SplitScore* scores) {
      clear(*space_->local_, totals_);
      for (std::size_t i = 0; i < ids.size(); ++i) {
        EntropySpace::add(*space_->local_, ids[i], totals_);
        if (wanted[i] != 0) scores[i] = space_->score(totals_);
      }
    }
    SplitScore part(std::span<const std::uint32_t> ids) {
      clear(*space_->local_, totals_);
      for (const std::uint32_t id : ids) EntropySpace::add(*space_->local_, id, totals_);
      return space_->score(totals_);
    }

   private:
    const EntropySpace* space_;
    Totals totals_;
  };

 private:
  SplitScore score(const Totals& side) const;
  static void update(const Local& local, std::uint32_t id, std::int32_t weight, Totals& totals) {
    totals.weight += weight;
    for (const std::uint32_t label : local[id]) totals.sums[label] += weight;
  }

  LabelLocaliser localiser_;
  bool one_class_;
  const EntropyTable* table_;
  const Local* local_ = nullptr;
  const Totals* totals_ = nullptr;
};

}  // namespace coppice
