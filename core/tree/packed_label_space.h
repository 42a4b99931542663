#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "core/data/label_sets.h"
#include "core/tree/packed_sums.h"
#include "core/tree/packed_vector.h"
#include "core/tree/sample.h"
#include "core/tree/split_score.h"
#include "core/tree/word_gram.h"

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

  using Row = PackedRow;
  struct Local {
    std::vector<Row> rows;
  };
  struct Totals {
    std::int32_t weight = 0;
    Vector sums{};
  };

  PackedLabelSpace(const LabelSets& labels, const Sample& sample, const LabelBits* bits = nullptr,
                   bool widest = has_widest_vectors())
      : labels_(&labels),
        bits_(bits),
        weights_(sample.weights.data()),
        rows_(sample.weights.size()),
        widest_(widest) {
    for (const std::uint32_t index : sample.rows) {
      Row& row = rows_[index];
      row.weight = static_cast<std::int32_t>(sample.weights[index]);
      for (const std::uint32_t label : labels[index]) {
        row.labels[label] = static_cast<std::int16_t>(row.weight);
        row.set |= 1U << label;
      }
      row.square = dot(row.labels, row.labels);
    }
  }

  /// The same scores for frames of up to 64 rows.
  WordGram gram() const { return {*labels_, weights_, bits_}; }

  void localise(std::span<const std::uint32_t> rows, Local& local) const {
    local.rows.resize(rows.size());
    for (std::size_t id = 0; id < rows.size(); ++id) local.rows[id] = rows_[rows[id]];
  }

  static void clear(const Local& /*local*/, Totals& totals) { totals = {}; }
  static void add(const Local& local, std::uint32_t id, Totals& totals) {
    totals.weight += local.rows[id].weight;
    PackedVector sums(totals.sums.data());
    sums.add(PackedVector(local.rows[id].labels.data()));
    sums.store(totals.sums.data());
  }
  static void remove(const Local& local, std::uint32_t id, Totals& totals) {
    totals.weight -= local.rows[id].weight;
    PackedVector sums(totals.sums.data());
    sums.subtract(PackedVector(local.rows[id].labels.data()));
    sums.store(totals.sums.data());
  }
  static bool identical(const Local& local, std::span<const std::uint32_t> ids) {
    return std::all_of(ids.begin() + 1, ids.end(),
                       [&](std::uint32_t id) { return local.rows[id].set == local.rows[ids[0]].set; });
  }

  static double pair_gain(const Local& local, std::uint32_t a, std::uint32_t b) {
    const Row& first = local.rows[a];
    const Row& second = local.rows[b];
    const double product = static_cast<double>(first.weight) * static_cast<double>(second.weight);
    return product * static_cast<double>(std::popcount(first.set ^ second.set)) /
           static_cast<double>(first.weight + second.weight);
  }

  void enter(Local& local, const Totals& totals, std::span<const std::uint32_t> ids, bool often) {
    local_ = &local;
    totals_ = &totals;
    often_ = often;
    squares_ = dot(totals.sums, totals.sums);
    if (!often) return;
    for (const std::uint32_t id : ids) local.rows[id].cross = dot(local.rows[id].labels, totals.sums);
  }
  double base_score() const { return static_cast<double>(squares_) / static_cast<double>(totals_->weight); }

  static std::size_t dimension() { return lanes; }
  double add_outputs(std::uint32_t id, double* sums) const {
    const Row& row = local_->rows[id];
    for (std::size_t j = 0; j < lanes; ++j) sums[j] += row.labels[j];
    return row.weight;
  }

  class Side {
   public:
    static constexpr bool asks_wanted = false;
    explicit Side(const PackedLabelSpace& space) : space_(&space) {}

    void prefixes(std::span<const std::uint32_t> ids, const std::uint32_t* /*wanted*/, SplitScore* scores) {
#if COPPICE_WRITES_WIDEST
      if (space_->often_ && space_->widest_) {
        packed_prefixes(space_->local_->rows.data(), ids, space_->squares_, space_->totals_->weight, scores);
        return;
      }
#endif
      if (weights_.size() < ids.size()) {
        weights_.resize(ids.size());
        squares_.resize(ids.size());
        rests_.resize(ids.size());
      }
      if (space_->often_)
        follow(ids, [](const Row& row) { return row.cross; });
      else
        follow(ids, [&](const Row& row) { return dot(row.labels, space_->totals_->sums); });
      // Apart from the sums, so that several are computed at once.
      const std::int32_t* const weights = weights_.data();
      const std::int32_t* const squares = squares_.data();
      const std::int32_t* const rests = rests_.data();
      const std::int32_t total = space_->totals_->weight;
      for (std::size_t i = 0; i < ids.size(); ++i)
        scores[i] = packed_score(weights[i], total - weights[i], squares[i], rests[i]);
    }
    SplitScore part(std::span<const std::uint32_t> ids) const {
      return part_each([&](const auto& visit) {
        for (std::size_t i = 0; i < ids.size(); ++i) visit(i, ids[i]);
      });
    }
    /// The same for rows that `each` hands over one by one.
    template <typename Each>
    SplitScore part_each(const Each& each) const {
      const Row* const rows = space_->local_->rows.data();
      PackedVector sums;
      std::int32_t weight = 0;
      each([&](std::size_t /*which*/, std::uint32_t id) {
        sums.add(PackedVector(rows[id].labels.data()));
        weight += rows[id].weight;
      });
      return space_->score(weight, sums.dot(sums), sums.dot(PackedVector(space_->totals_->sums.data())));
    }
    /// The scores of so many parts of a node's rows: part i has a bit for each row from sides[i * words] on.
    void parts(std::span<const std::uint32_t> ids, const std::uint64_t* sides, std::size_t words,
               std::size_t count, SplitScore* scores) {
      if (parts_.size() < count) {
        parts_.resize(count);
        part_sums_.resize(count);
      }
      const PackedRows rows{space_->local_->rows[0].labels.data(), sizeof(Row) / sizeof(std::int16_t)};
      packed_parts(rows, ids, space_->totals_->sums.data(), sides, words, std::span(parts_).first(count),
                   part_sums_[0].data());
      const bool alike = space_->totals_->weight == static_cast<std::int32_t>(ids.size());
      for (std::size_t i = 0; i < count; ++i)
        scores[i] = space_->score(alike ? parts_[i].rows : weight_of(ids, sides + i * words, words),
                                  parts_[i].square, parts_[i].cross);
    }

   private:
    std::int32_t weight_of(std::span<const std::uint32_t> ids, const std::uint64_t* side,
                           std::size_t words) const {
      std::int32_t weight = 0;
      for (std::size_t w = 0; w < words; ++w)
        for (std::uint64_t bits = side[w]; bits != 0; bits &= bits - 1)
          weight +=
              space_->local_->rows[ids[64 * w + static_cast<std::size_t>(std::countr_zero(bits))]].weight;
      return weight;
    }

    /// Adds up rows; `cross` gives the product of a row's labels and the node's sums.
    template <typename Cross>
    void follow(std::span<const std::uint32_t> ids, const Cross& cross) {
      const Row* const rows = space_->local_->rows.data();
      std::int32_t* const weights = weights_.data();
      std::int32_t* const squares = squares_.data();
      std::int32_t* const rests = rests_.data();
      PackedVector sums;
      std::int32_t weight = 0;
      std::int32_t square = 0;
      std::int32_t rest = space_->squares_;
      for (std::size_t i = 0; i < ids.size(); ++i) {
        const Row& row = rows[ids[i]];
        const PackedVector labels(row.labels.data());
        const std::int32_t grown = 2 * sums.dot(labels) + row.square;
        sums.add(labels);
        weights[i] = weight += row.weight;
        squares[i] = square += grown;
        rests[i] = rest += grown - 2 * cross(row);
      }
    }

    const PackedLabelSpace* space_;
    std::vector<std::int32_t> weights_;  ///< of the rows up to each
    std::vector<std::int32_t> squares_;  ///< |S_L|² likewise
    std::vector<std::int32_t> rests_;    ///< |S_R|² likewise
    std::vector<PackedPart> parts_;
    std::vector<Vector> part_sums_;
  };

 private:
  SplitScore score(std::int32_t weight, std::int32_t squares, std::int32_t cross) const {
    const std::int64_t rest = std::int64_t{squares_} - 2 * std::int64_t{cross} + squares;
    return packed_score(weight, totals_->weight - weight, squares, static_cast<std::int32_t>(rest));
  }
  static std::int32_t dot(const Vector& a, const Vector& b) {
    return PackedVector(a.data()).dot(PackedVector(b.data()));
  }

  const LabelSets* labels_;
  const LabelBits* bits_;
  const std::uint32_t* weights_;
  std::vector<Row> rows_;  ///< of the dataset
  bool widest_;            ///< whether there are vectors of 512 bits
  const Local* local_ = nullptr;
  const Totals* totals_ = nullptr;
  bool often_ = false;
  std::int32_t squares_ = 0;
};

}  // namespace coppice
