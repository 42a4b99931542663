#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "core/base/wide_vectors.h"
#include "core/tree/label_bits.h"
#include "core/tree/packed_vector.h"
#include "core/tree/sample.h"

namespace coppice {

/// The label sets of a frame's rows with a byte for each label, that of the row's weight, so that rows are
/// added up many labels at once: for samples of not too many rows and labels.
class LabelLanes {
 public:
  /// The products of sums must add up to less than this.
  static constexpr std::int64_t most_squares = std::numeric_limits<std::int32_t>::max();

  /// Which samples suit; `rows_at_once` then says how many rows can be added up in bytes, else it is 0.
  static std::size_t rows_at_once(std::uint32_t label_count, const Sample& sample) {
    if (label_count > most_labels || sample.total > std::numeric_limits<std::int16_t>::max()) return 0;
    std::uint32_t largest = 1;
    for (const std::uint32_t weight : sample.weights) largest = std::max(largest, weight);
    return 255 / largest;
  }

  /// `bits` are those of all label sets of the dataset, if they are known, of which the frame has some rows.
  template <typename Local>
  void build(const Local& local, std::span<const std::uint32_t> rows, const LabelBits* bits,
             bool widest = has_widest_vectors()) {
    stride_ = (local.label_count + width - 1) / width * width;
    if (widest && bits != nullptr && !local.is_renumbered()) {
      spread_bits(rows, local.weights, *bits);
      return;
    }
    lanes_.assign(local.ranges.size() * stride_, 0);
    // Bytes may be anything, so what is read again and again must not lie where they might be written.
    std::uint8_t* lanes = lanes_.data();
    const std::size_t stride = stride_;
    for (std::uint32_t id = 0; id < local.ranges.size(); ++id, lanes += stride) {
      const auto weight = static_cast<std::uint8_t>(local.weights[id]);
      for (const std::uint32_t label : local[id]) lanes[label] = weight;
    }
  }

  /// The sums of a node's labels, as long as the lanes.
  void widen(std::span<const std::int32_t> sums, std::vector<std::int16_t>& wide) const {
    wide.assign(stride_, 0);
    std::transform(sums.begin(), sums.end(), wide.begin(),
                   [](std::int32_t sum) { return static_cast<std::int16_t>(sum); });
  }

  /// The sum of some rows: as many numbers as `Sums` has room for, 0 beyond the labels.
  using Sums = std::array<std::int16_t, 128>;
  void sum(std::span<const std::uint32_t> ids, std::size_t at_once, Sums& sums) const;

  /// The square of the sum of some rows, and its product with other sums.
  struct Part {
    std::int64_t squares = 0;
    std::int64_t product = 0;
  };
  Part part(std::span<const std::uint32_t> ids, std::size_t at_once, const std::int16_t* others,
            bool widest = has_widest_vectors()) const;

  /// The same of the first row, the first two, the first three… Written for the widest vectors only: without
  /// them, rows that are added one by one are sooner added label by label.
  void prefixes(std::span<const std::uint32_t> ids, const std::int16_t* others, Part* parts) const;
  static bool has_prefixes() { return has_widest_vectors(); }

 private:
  /// Makes lanes of bits, by vectors.
  void spread_bits(std::span<const std::uint32_t> rows, std::span<const std::int32_t> weights,
                   const LabelBits& bits);

  static constexpr std::size_t width = 2 * packed_lanes;
  static constexpr std::uint32_t most_labels = std::tuple_size_v<Sums>;

  /// A part of the sum of some rows.
  struct TwoVectors {
    PackedVector first;
    PackedVector second;
  };
  TwoVectors sum(std::span<const std::uint32_t> ids, std::size_t at_once, std::size_t lane) const;
  Part part_anywhere(std::span<const std::uint32_t> ids, std::size_t at_once,
                     const std::int16_t* others) const;

  std::size_t stride_ = 0;  ///< lanes of a row
  std::vector<std::uint8_t> lanes_;
};

}  // namespace coppice
