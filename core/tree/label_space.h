#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "core/data/label_sets.h"
#include "core/tree/label_lanes.h"
#include "core/tree/sample.h"
#include "core/tree/split_score.h"
#include "core/tree/word_gram.h"

namespace coppice {

/// The label sets of the rows of a frame: parts of the dataset's own list of labels, or of a list with the
/// labels that occur numbered anew.
struct LocalLabels {
  /// Where the labels of a row begin and end.
  struct Range {
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
  };
  const std::uint32_t* labels = nullptr;
  std::vector<Range> ranges;
  std::vector<std::int32_t> weights;
  std::uint32_t label_count = 0;
  std::vector<std::uint32_t> renumbered;

  std::span<const std::uint32_t> operator[](std::uint32_t id) const {
    return {labels + ranges[id].begin, labels + ranges[id].end};
  }
  /// Adds a row's labels, times its weight, to `sums`; returns the weight.
  double add_outputs(std::uint32_t id, double* sums) const {
    for (const std::uint32_t label : (*this)[id]) sums[label] += weights[id];
    return weights[id];
  }
  bool is_renumbered() const { return labels == renumbered.data(); }
  bool identical(std::span<const std::uint32_t> ids) const {
    const auto first = (*this)[ids[0]];
    return std::all_of(ids.begin() + 1, ids.end(),
                       [&](std::uint32_t id) { return std::ranges::equal((*this)[id], first); });
  }
};

/// Makes the label sets of frames. Labels are numbered anew where a frame has far fewer than there are: what
/// is kept for each label then follows the frame, not the number of labels of the dataset.
class LabelLocaliser {
 public:
  LabelLocaliser(const LabelSets& labels, const Sample& sample, const LabelBits* bits)
      : labels_(&labels), bits_(bits), weights_(sample.weights.data()) {}

  void localise(std::span<const std::uint32_t> rows, LocalLabels& local) {
    local.labels = labels_->labels().data();
    local.label_count = labels_->label_count();
    local.ranges.resize(rows.size());
    local.weights.resize(rows.size());
    std::size_t total = 0;
    for (std::size_t id = 0; id < rows.size(); ++id) {
      const auto offsets = labels_->offsets();
      local.ranges[id] = {static_cast<std::uint32_t>(offsets[rows[id]]),
                          static_cast<std::uint32_t>(offsets[rows[id] + 1])};
      local.weights[id] = static_cast<std::int32_t>(weights_[rows[id]]);
      total += local.ranges[id].end - local.ranges[id].begin;
    }
    if (total * sparse < local.label_count) renumber(local);
  }
  WordGram gram() const { return {*labels_, weights_, bits_}; }
  /// The bits of the label sets, if they are known.
  const LabelBits* bits() const { return bits_; }

 private:
  static constexpr std::size_t sparse = 8;

  void renumber(LocalLabels& local) {
    if (number_.empty()) number_.resize(labels_->label_count(), 0);
    local.renumbered.clear();
    for (LocalLabels::Range& range : local.ranges) {
      const auto begin = static_cast<std::uint32_t>(local.renumbered.size());
      for (std::uint32_t i = range.begin; i < range.end; ++i) {
        const std::uint32_t label = local.labels[i];
        if (number_[label] == 0) {
          met_.push_back(label);
          number_[label] = static_cast<std::uint32_t>(met_.size());
        }
        local.renumbered.push_back(number_[label] - 1);
      }
      range = {begin, static_cast<std::uint32_t>(local.renumbered.size())};
    }
    local.labels = local.renumbered.data();
    local.label_count = static_cast<std::uint32_t>(met_.size());
    for (const std::uint32_t label : met_) number_[label] = 0;
    met_.clear();
  }

  const LabelSets* labels_;
  const LabelBits* bits_;
  const std::uint32_t* weights_;
  std::vector<std::uint32_t> number_;  ///< one more than the new number; 0 between uses
  std::vector<std::uint32_t> met_;
};

/// The output space of label sets under the variance impurity, which is the Gini index (thesis 3.2.1). Sums
/// are whole numbers, so everything is exact; a row costs as many steps as it has labels, never d.
///
/// With S the label sums of the node, the split that reduces the impurity most maximises
/// |S_L|²/W_L + |S_R|²/W_R; |S_L|² follows the rows that are added, and |S_R|² = |S|² - 2·S·S_L + |S_L|².
///
/// An output space has the outputs of a frame (Local), the totals of a node (Totals), to which rows are added
/// and from which they are taken, and follows the sums of one side of a split (Side). The score of a split is
/// larger for better ones and a function of the partition only.
class LabelSpace {
 public:
  struct Local : LocalLabels {
    LabelLanes lanes;  ///< the same, if the sample suits
  };

  struct Totals {
    std::int64_t weight = 0;
    std::int64_t squares = 0;        ///< |S|²
    std::vector<std::int32_t> sums;  ///< S
  };

  LabelSpace(const LabelSets& labels, const Sample& sample, const LabelBits* bits = nullptr)
      : localiser_(labels, sample, bits),
        lane_rows_(LabelLanes::rows_at_once(labels.label_count(), sample)) {}

  void localise(std::span<const std::uint32_t> rows, Local& local) {
    localiser_.localise(rows, local);
    if (lane_rows_ > 0) local.lanes.build(local, rows, localiser_.bits());
  }
  /// The same scores for frames of up to 64 rows.
  WordGram gram() const { return localiser_.gram(); }

  static void clear(const Local& local, Totals& totals) {
    totals.weight = totals.squares = 0;
    totals.sums.assign(local.label_count, 0);
  }
  static void add(const Local& local, std::uint32_t id, Totals& totals) {
    update(local, id, local.weights[id], totals);
  }
  static void remove(const Local& local, std::uint32_t id, Totals& totals) {
    update(local, id, -local.weights[id], totals);
  }
  /// The same with some rows, in lanes where that is less work.
  void add(const Local& local, std::span<const std::uint32_t> ids, Totals& totals) const {
    if (sums_in_lanes(ids))
      update(local, ids, 1, totals);
    else
      for (const std::uint32_t id : ids) add(local, id, totals);
  }
  void remove(const Local& local, std::span<const std::uint32_t> ids, Totals& totals) const {
    if (sums_in_lanes(ids))
      update(local, ids, -1, totals);
    else
      for (const std::uint32_t id : ids) remove(local, id, totals);
  }
  static bool identical(const Local& local, std::span<const std::uint32_t> ids) {
    return local.identical(ids);
  }
  /// What parting two rows gains: score minus base score.
  static double pair_gain(const Local& local, std::uint32_t a, std::uint32_t b) {
    const auto first = local[a];
    const auto second = local[b];
    std::size_t common = 0;
    for (const std::uint32_t label : first) common += std::ranges::count(second, label);
    const double product = static_cast<double>(local.weights[a]) * static_cast<double>(local.weights[b]);
    return product * static_cast<double>(first.size() + second.size() - 2 * common) /
           static_cast<double>(local.weights[a] + local.weights[b]);
  }

  /// Makes a node the one whose splits are scored. `often` says that every row will be added several times.
  void enter(const Local& local, const Totals& totals, std::span<const std::uint32_t> ids, bool often) {
    local_ = &local;
    totals_ = &totals;
    often_ = often;
    in_lanes_ = lane_rows_ > 0 && totals.squares < LabelLanes::most_squares;
    if (in_lanes_) local.lanes.widen(totals.sums, wide_sums_);
    if (!often) return;
    cross_.resize(local.weights.size());
    for (const std::uint32_t id : ids) cross_[id] = cross(id);
  }
  /// Learns how far the rows of the node are from the mean of their labels: what Side::most needs.
  void spread(std::span<const std::uint32_t> ids) {
    if (spread_.size() < local_->weights.size()) spread_.resize(local_->weights.size());
    const auto weight = static_cast<double>(totals_->weight);
    const double mean_squares = static_cast<double>(totals_->squares) / (weight * weight);
    for (const std::uint32_t id : ids) {
      const double own = local_->weights[id];
      const double product = often_ ? static_cast<double>(cross_[id]) : static_cast<double>(cross(id));
      spread_[id] = {
          own, own * static_cast<double>((*local_)[id].size()) - 2.0 * product / weight + own * mean_squares};
    }
  }
  /// For the order of categories: how many numbers a row's outputs are, and adds them, times the row's
  /// weight, to `sums`; returns the weight.
  std::size_t dimension() const { return local_->label_count; }
  double add_outputs(std::uint32_t id, double* sums) const { return local_->add_outputs(id, sums); }
  /// The score of not splitting at all.
  double base_score() const {
    return static_cast<double>(totals_->squares) / static_cast<double>(totals_->weight);
  }

  /// Follows one side of splits; the memory of one thread.
  class Side {
   public:
    /// Whether `prefixes` asks which scores are wanted; else it gives all.
    static constexpr bool asks_wanted = false;
    explicit Side(const LabelSpace& space) : space_(&space) {}

    /// The splits that part the first row from the others, the first two, the first three…: scores[i] for
    /// the rows ids[0] … ids[i]. Only where `wanted` is not 0 need the score be given.
    void prefixes(std::span<const std::uint32_t> ids, const std::uint32_t* /*wanted*/, SplitScore* scores) {
      if (space_->in_lanes_ && LabelLanes::has_prefixes()) {
        prefixes_in_lanes(ids, scores);
        return;
      }
      std::int64_t weight = 0;
      std::int64_t squares = 0;
      std::int64_t cross = 0;
      make_room();
      for (std::size_t i = 0; i < ids.size(); ++i) {
        add(ids[i], weight, squares, cross);
        scores[i] = space_->score(weight, squares, cross);
      }
      undo(ids);
    }
    /// At least the score of any split that parts some of these rows, which are not all, from all others. The
    /// distances of rows from their mean add up to no less than that of their sum.
    template <typename Keys, typename IdOf>
    double most(const Keys& keys, const IdOf& id_of) const {
      Spread sum;
      for (const auto& key : keys) {
        const Spread& row = space_->spread_[id_of(key)];
        sum.weight += row.weight;
        sum.distance += row.distance;
      }
      const auto total = static_cast<double>(space_->totals_->weight);
      return space_->base_score() + SplitScore::most_gain(sum.distance, sum.weight, total);
    }
    /// The split that parts some rows from the others.
    SplitScore part(std::span<const std::uint32_t> ids) {
      return space_->in_lanes_ && ids.size() > 1 ? part_lanes(ids) : part_labels(ids);
    }

   private:
    void prefixes_in_lanes(std::span<const std::uint32_t> ids, SplitScore* scores) {
      if (parts_.size() < ids.size()) parts_.resize(ids.size());
      space_->local_->lanes.prefixes(ids, space_->wide_sums_.data(), parts_.data());
      std::int64_t weight = 0;
      for (std::size_t i = 0; i < ids.size(); ++i) {
        weight += space_->local_->weights[ids[i]];
        scores[i] = space_->score(weight, parts_[i].squares, parts_[i].product);
      }
    }
    SplitScore part_lanes(std::span<const std::uint32_t> ids) const {
      std::int64_t weight = 0;
      for (const std::uint32_t id : ids) weight += space_->local_->weights[id];
      const LabelLanes::Part part =
          space_->local_->lanes.part(ids, space_->lane_rows_, space_->wide_sums_.data());
      return space_->score(weight, part.squares, part.product);
    }
    SplitScore part_labels(std::span<const std::uint32_t> ids) {
      std::int64_t weight = 0;
      std::int64_t squares = 0;
      std::int64_t cross = 0;
      make_room();
      // The last row is only compared with the others: it need not be added, nor taken away again.
      const auto others = ids.first(ids.size() - 1);
      for (const std::uint32_t id : others) add(id, weight, squares, cross);
      const std::int64_t last_weight = space_->local_->weights[ids.back()];
      const auto labels = (*space_->local_)[ids.back()];
      std::int64_t met = 0;
      for (const std::uint32_t label : labels) met += sums_[label];
      weight += last_weight;
      squares += last_weight * (2 * met + last_weight * static_cast<std::int64_t>(labels.size()));
      cross += space_->often_ ? space_->cross_[ids.back()] : space_->cross(ids.back());
      undo(others);
      return space_->score(weight, squares, cross);
    }
    void make_room() {
      if (sums_.size() < space_->local_->label_count) sums_.resize(space_->local_->label_count, 0);
    }
    void add(std::uint32_t id, std::int64_t& weight, std::int64_t& squares, std::int64_t& cross) {
      const auto labels = (*space_->local_)[id];
      const std::int32_t row_weight = space_->local_->weights[id];
      std::int64_t met = 0;
      if (space_->often_) {
        for (const std::uint32_t label : labels) {
          met += sums_[label];
          sums_[label] += row_weight;
        }
        cross += space_->cross_[id];
      } else {
        std::int64_t total = 0;
        for (const std::uint32_t label : labels) {
          met += sums_[label];
          total += space_->totals_->sums[label];
          sums_[label] += row_weight;
        }
        cross += total * row_weight;
      }
      weight += row_weight;
      squares += row_weight * (2 * met + row_weight * static_cast<std::int64_t>(labels.size()));
    }
    /// Sums are zero between uses: takes back what was added, or all if that is less.
    void undo(std::span<const std::uint32_t> ids) {
      const LocalLabels& local = *space_->local_;
      if (ids.size() > local.label_count / 16) {
        std::fill_n(sums_.begin(), local.label_count, 0);
        return;
      }
      for (const std::uint32_t id : ids)
        for (const std::uint32_t label : local[id]) sums_[label] = 0;
    }

    const LabelSpace* space_;
    std::vector<std::int32_t> sums_;
    std::vector<LabelLanes::Part> parts_;
  };

 private:
  static void update(const Local& local, std::uint32_t id, std::int32_t weight, Totals& totals) {
    const auto labels = local[id];
    std::int64_t met = 0;
    for (const std::uint32_t label : labels) {
      met += totals.sums[label];
      totals.sums[label] += weight;
    }
    totals.squares += weight * (2 * met + weight * static_cast<std::int64_t>(labels.size()));
    totals.weight += weight;
  }
  bool sums_in_lanes(std::span<const std::uint32_t> ids) const {
    constexpr std::size_t few = 3;
    return lane_rows_ > 0 && ids.size() > few;
  }
  /// Adds rows, or takes them away; |S|² is then computed anew.
  void update(const Local& local, std::span<const std::uint32_t> ids, std::int32_t sign,
              Totals& totals) const {
    LabelLanes::Sums sums;
    local.lanes.sum(ids, lane_rows_, sums);
    std::int32_t weight = 0;
    for (const std::uint32_t id : ids) weight += local.weights[id];
    totals.weight += sign * weight;
    totals.squares = 0;
    for (std::size_t label = 0; label < totals.sums.size(); ++label) {
      totals.sums[label] += sign * sums[label];
      totals.squares += std::int64_t{totals.sums[label]} * totals.sums[label];
    }
  }
  /// The score of a side of that weight, with |side|² and S · side.
  SplitScore score(std::int64_t weight, std::int64_t squares, std::int64_t cross) const {
    return SplitScore::of_sides(weight, squares, totals_->weight - weight,
                                totals_->squares - 2 * cross + squares);
  }
  /// w · S·y of a row.
  std::int64_t cross(std::uint32_t id) const {
    std::int64_t sum = 0;
    for (const std::uint32_t label : (*local_)[id]) sum += totals_->sums[label];
    return sum * local_->weights[id];
  }

  /// Of a row: w and w · |y - S / W|².
  struct Spread {
    double weight = 0.0;
    double distance = 0.0;
  };

  LabelLocaliser localiser_;
  std::size_t lane_rows_;  ///< how many rows can be added up in lanes at once, or 0
  bool in_lanes_ = false;
  std::vector<std::int16_t> wide_sums_;  ///< of the node's labels
  const Local* local_ = nullptr;
  const Totals* totals_ = nullptr;
  bool often_ = false;
  std::vector<std::int64_t> cross_;
  std::vector<Spread> spread_;
};

}  // namespace coppice
