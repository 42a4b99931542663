#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/tree/best_split.h"
#include "core/tree/frame.h"
#include "core/tree/split_score.h"

namespace coppice {

/// Every cut of a column of which a node's listed rows are known by code: from the lowest code up to the
/// column's default and from the highest down to it, so that only listed rows are added up.
class ListedSweep {
 public:
  explicit ListedSweep(const GrowthOptions& options) : least_(options.min_samples_leaf) {}

  /// `keys` ascend; the node's other rows, of `size` in all, have the column's default.
  template <typename Outputs>
  void run(Outputs& outputs, std::uint32_t feature, std::span<const ListKey> keys, std::size_t size,
           std::uint32_t default_code, BestSplit& best) {
    if (ids_.size() < keys.size()) {
      ids_.resize(keys.size());
      wanted_.resize(keys.size());
      scores_.resize(keys.size());
    }
    if (keys.size() == size) {
      up(outputs, feature, keys, size, key_code(keys.back()), best);
      return;
    }
    std::size_t below = 0;
    if (key_code(keys.front()) < default_code)
      below = static_cast<std::size_t>(
          std::lower_bound(keys.begin(), keys.end(), ListKey{default_code} << 32) - keys.begin());
    if (below > 0) up(outputs, feature, keys.first(below), size, default_code, best);
    if (below < keys.size()) down(outputs, feature, keys.subspan(below), size, default_code, best);
  }

 private:
  bool allowed(std::size_t side, std::size_t size) const { return side >= least_ && size - side >= least_; }

  /// The rows after the keys have the code `next`, or there are none.
  template <typename Outputs>
  void up(Outputs& outputs, std::uint32_t feature, std::span<const ListKey> keys, std::size_t size,
          std::uint32_t next, BestSplit& best) {
    const std::size_t count = keys.size();
    const auto after = [&](std::size_t i) { return i + 1 < count ? key_code(keys[i + 1]) : next; };
    for (std::size_t i = 0; i < count; ++i) {
      ids_[i] = key_id(keys[i]);
      wanted_[i] = key_code(keys[i]) != after(i) ? 1 : 0;
    }
    outputs.prefixes(std::span(ids_).first(count), wanted_.data(), scores_.data());
    for (std::size_t i = 0; i < count; ++i)
      if (wanted_[i] != 0 && allowed(i + 1, size) && best.better(scores_[i]))
        best.take(feature, key_code(keys[i]), after(i));
  }
  /// The rows below the keys have the code `next`. Of equally good splits the last one has the lowest
  /// threshold and wins, but only among these.
  template <typename Outputs>
  void down(Outputs& outputs, std::uint32_t feature, std::span<const ListKey> keys, std::size_t size,
            std::uint32_t next, BestSplit& best) {
    const std::size_t count = keys.size();
    const auto below = [&](std::size_t i) { return i + 1 < count ? key_code(keys[count - i - 2]) : next; };
    for (std::size_t i = 0; i < count; ++i) {
      ids_[i] = key_id(keys[count - i - 1]);
      wanted_[i] = key_code(keys[count - i - 1]) != below(i) ? 1 : 0;
    }
    outputs.prefixes(std::span(ids_).first(count), wanted_.data(), scores_.data());
    bool mine = false;
    for (std::size_t i = 0; i < count; ++i) {
      if (wanted_[i] == 0 || !allowed(i + 1, size) || !best.could_be(scores_[i])) continue;
      const double score = scores_[i].value();
      const bool wins = best.better(score);
      if (wins || (mine && score == best.score()))
        best.take(feature, below(i), key_code(keys[count - i - 1]));
      mine = mine || wins;
    }
  }

  std::uint64_t least_;
  std::vector<std::uint32_t> ids_;
  std::vector<std::uint32_t> wanted_;
  std::vector<SplitScore> scores_;
};

}  // namespace coppice
