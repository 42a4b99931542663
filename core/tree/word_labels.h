#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/tree/packed_vector.h"

namespace coppice {

/// The label sets of a frame of up to 64 rows, packed: the labels that several rows have, times the row's
/// weight, in lanes that are added at once. A label that only one row has adds the same to every product in
/// which the row takes part, so its number is enough.
class WordLabels {
 public:
  static constexpr std::size_t most_rows = 64;
  /// Of all rows together: 16 · 8191² is less than 2^31.
  static constexpr std::int64_t most_weight = 8191;

  /// Packs the label sets of a frame; afterwards packed() says whether its weights are small enough.
  template <typename Local>
  void build(const Local& local) {
    const std::size_t rows = local.ranges.size();
    std::int64_t total = 0;
    for (const std::int32_t weight : local.weights) total += weight;
    packed_ = rows <= most_rows && total <= most_weight;
    if (!packed_) return;
    if (met_.size() < local.label_count) met_.resize(local.label_count, 0);
    lane_labels_.clear();
    for (std::uint32_t id = 0; id < rows; ++id)
      for (const std::uint32_t label : local[id])
        if (++met_[label] == 2) {
          lane_labels_.push_back(label);
          lane_of_label(label) = static_cast<std::uint32_t>(lane_labels_.size()) - 1;
        }
    stride_ = (lane_labels_.size() + packed_lanes - 1) / packed_lanes * packed_lanes;
    lanes_.assign(rows * stride_, 0);
    for (std::uint32_t id = 0; id < rows; ++id) {
      const std::int32_t weight = local.weights[id];
      std::int64_t alone = 0;
      for (const std::uint32_t label : local[id]) {
        if (met_[label] > 1)
          lanes_[id * stride_ + lane_of_label(label)] = static_cast<std::int16_t>(weight);
        else
          ++alone;
      }
      rows_[id] = {weight, weight * weight * alone};
    }
    for (std::uint32_t id = 0; id < rows; ++id)
      for (const std::uint32_t label : local[id]) met_[label] = 0;
    sums_.assign(stride_, 0);
  }
  bool packed() const { return packed_; }

  /// Makes a node the one that rows are compared with: takes the sums of its labels.
  void enter(std::span<const std::int32_t> sums) {
    for (std::size_t lane = 0; lane < lane_labels_.size(); ++lane)
      sums_[lane] = static_cast<std::int16_t>(sums[lane_labels_[lane]]);
  }

  /// The weight of some rows, the square of the sum of their labels, and its product with the node's.
  struct Part {
    std::int64_t weight = 0;
    std::int64_t squares = 0;
    std::int64_t cross = 0;
  };
  Part part(std::uint64_t bits) const {
    std::array<std::uint32_t, most_rows> ids;
    std::size_t count = 0;
    Part part;
    for (; bits != 0; bits &= bits - 1) {
      const auto id = static_cast<std::uint32_t>(std::countr_zero(bits));
      ids[count++] = id;
      part.weight += rows_[id].weight;
      part.squares += rows_[id].alone;
    }
    part.cross = part.squares;
    for (std::size_t lane = 0; lane < stride_; lane += packed_lanes) {
      PackedVector sum;
      for (std::size_t i = 0; i < count; ++i) sum.add(PackedVector(lanes_.data() + ids[i] * stride_ + lane));
      part.squares += sum.dot(sum);
      part.cross += sum.dot(PackedVector(sums_.data() + lane));
    }
    return part;
  }

 private:
  struct Row {
    std::int64_t weight = 0;
    std::int64_t alone = 0;  ///< the square of its labels that no other row has
  };
  std::uint32_t& lane_of_label(std::uint32_t label) {
    if (lane_of_label_.size() < met_.size()) lane_of_label_.resize(met_.size(), 0);
    return lane_of_label_[label];
  }

  bool packed_ = false;
  std::size_t stride_ = 0;           ///< lanes of a row
  std::vector<std::int16_t> lanes_;  ///< row after row
  std::array<Row, most_rows> rows_;
  std::vector<std::int16_t> sums_;            ///< of the node's labels
  std::vector<std::uint32_t> lane_labels_;    ///< the label of each lane
  std::vector<std::uint32_t> met_;            ///< how often a label was met; 0 between uses
  std::vector<std::uint32_t> lane_of_label_;  ///< where a label is met more than once
};

}  // namespace coppice
