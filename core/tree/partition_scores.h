#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace coppice {

/// What every way to part the rows of a very small node in two scores. A column that reaches the highest
/// score need not be compared with others: of equally good splits the first wins.
class PartitionScores {
 public:
  static constexpr std::size_t most_rows = 7;

  /// Whether a node has so few partitions that scoring all of them pays where k columns would be looked at.
  static bool pays(std::size_t rows, std::uint64_t columns) {
    return rows <= most_rows && (std::uint64_t{1} << rows) <= columns + 2;
  }

  /// Scores all partitions of a node's rows that leave at least so many on either side.
  template <typename Outputs>
  void learn(Outputs& outputs, std::uint64_t rows, std::uint64_t least) {
    size_ = 0;
    for (; rows != 0; rows &= rows - 1) ids_[size_++] = static_cast<std::uint32_t>(std::countr_zero(rows));
    const std::size_t all = (std::size_t{1} << size_) - 1;
    top_ = none;
    sides_[0] = 0;
    scores_[0] = scores_[all] = none;
    // The last row is always on the other side.
    for (std::size_t part = 1; part <= all / 2; ++part) {
      const std::size_t others = part & (part - 1);
      const std::uint32_t id = ids_[static_cast<std::size_t>(std::countr_zero(part))];
      sides_[part] = sides_[others] | (std::uint64_t{1} << id);
      counts_[part] = counts_[others] + 1;
      double score = none;
      if (counts_[part] >= least && size_ - counts_[part] >= least)
        score = others == 0 ? outputs.alone(id).value() : outputs.part(sides_[part]).value();
      scores_[part] = scores_[all - part] = score;
      top_ = std::max(top_, score);
    }
  }

  /// The score of parting some of the node's rows, or minus infinity where a side is too small or empty.
  double of(std::uint64_t side) const {
    std::size_t part = 0;
    for (std::size_t i = 0; i < size_; ++i) part |= ((side >> ids_[i]) & 1U) << i;
    return scores_[part];
  }
  /// The same of all parts, whose bits are those of the node's rows one after another.
  const double* scores() const { return scores_.data(); }
  /// The highest score; minus infinity if no partition is allowed.
  double top() const { return top_; }

  static constexpr double none = -std::numeric_limits<double>::infinity();

 private:
  static constexpr std::size_t most_parts = std::size_t{1} << most_rows;

  std::size_t size_ = 0;
  std::array<std::uint32_t, most_rows> ids_;
  std::array<std::uint64_t, most_parts / 2> sides_;
  std::array<std::size_t, most_parts / 2> counts_{};
  std::array<double, most_parts> scores_;
  double top_ = none;
};

}  // namespace coppice
