#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "core/tree/coded_inputs.h"
#include "core/tree/feature_order.h"
#include "core/tree/frame.h"
#include "core/tree/grower.h"
#include "core/tree/key_sort.h"

namespace coppice {

/// The threshold between two neighbouring values: their midpoint, or the lower one where rounding would give
/// the upper.
inline float threshold_between(float lower, float upper) {
  const auto middle = static_cast<float>((static_cast<double>(lower) + static_cast<double>(upper)) / 2.0);
  return middle < upper ? middle : lower;
}

/// Where Extra-Trees cut between the lowest and the highest value of a node: above or at the first, below the
/// second.
inline float cut_between(float lowest, float highest, double position) {
  const double low = lowest;
  const auto cut = static_cast<float>(low + position * (static_cast<double>(highest) - low));
  return cut < lowest || cut >= highest ? lowest : cut;
}

/// A split of a node: codes up to `last_left` of a feature go left.
struct SplitCandidate {
  std::uint32_t feature = 0;
  std::uint32_t frame_column = 0;  ///< of a listed feature: its number in the frame
  std::uint32_t last_left = 0;
  float threshold = 0.0F;
  double score = 0.0;
  bool found = false;

  /// Puts the threshold between two codes that are neighbours in the node, or the only ones.
  void place(const CodedColumn& column, const GrowthOptions& options, const Stream& stream,
             std::uint32_t lower, std::uint32_t upper) {
    last_left = lower;
    threshold = options.rule == SplitRule::random_cut
                    ? cut_between(column.values[lower], column.values[upper], cut_position(stream, feature))
                    : threshold_between(column.values[lower], column.values[upper]);
  }
};

/// A node as the search sees it: rows by their number in a frame.
struct NodeView {
  Frame* frame = nullptr;
  std::span<const std::uint32_t> ids;
  std::span<const std::uint64_t> bits;    ///< the rows as a bitmap; only if there are listed columns
  std::span<const std::uint32_t> counts;  ///< for each column of the frame, how many of the rows it lists

  bool has(std::uint32_t id) const { return ((bits[id / 64] >> (id % 64)) & 1U) != 0; }
};

/// Finds the best split of single columns and keeps the best of all. Columns are tried in the order in which
/// the node's features come; a later one has to be better to win.
template <typename Space>
class ColumnSearch {
 public:
  ColumnSearch(const CodedInputs& inputs, const GrowthOptions& options, const Space& space)
      : inputs_(&inputs), options_(&options), side_(space) {}

  void begin(const NodeView& node, const Stream& stream) {
    node_ = &node;
    stream_ = &stream;
    best_ = {};
    bar_ = -std::numeric_limits<double>::infinity();
    if (!inputs_->dense_columns().empty()) {
      rows_.resize(node.ids.size());
      for (std::size_t i = 0; i < rows_.size(); ++i) rows_[i] = node.frame->rows()[node.ids[i]];
    }
    if (inputs_->has_listed()) {
      alone_score_.resize(node.frame->size());
      alone_known_.assign(node.frame->words(), 0);
    }
  }
  void end() { side_.start(); }
  const SplitCandidate& best() const { return best_; }

  /// Looks at a dense column; returns whether it varies in the node.
  bool try_dense(std::uint32_t feature) {
    const CodedColumn& column = inputs_->column(feature);
    const bool small = node_->frame->size() <= 65536;
    if (column.narrow() && small) return try_codes(feature, column, column.narrow_codes.data(), short_keys_);
    if (column.narrow()) return try_codes(feature, column, column.narrow_codes.data(), long_keys_);
    return try_codes(feature, column, column.wide_codes.data(), long_keys_);
  }

  /// The same for a column of the frame.
  bool try_listed(std::uint32_t index) {
    const FrameColumn& column = node_->frame->columns()[index];
    const std::uint32_t count = node_->counts[index];
    if (count == 0) return false;
    bool varies = true;
    const double before = best_.score;
    const bool had_one = best_.found;
    if (!column.two_valued)
      varies = try_valued(column);
    else if (count == node_->ids.size())
      varies = false;
    else if (allowed(count))
      try_two_valued(column, count);
    if (best_.found && (!had_one || best_.score != before)) best_.frame_column = index;
    return varies;
  }

 private:
  /// Rows of a node by their code: the code above, the row's number in the frame below.
  template <typename Key, unsigned bits>
  struct Keys {
    static constexpr unsigned shift = bits;
    static std::uint32_t code(Key key) { return static_cast<std::uint32_t>(key >> bits); }
    static std::uint32_t id(Key key) { return static_cast<std::uint32_t>(key & ((Key{1} << bits) - 1)); }
    static Key make(std::uint32_t code, std::uint32_t id) { return (static_cast<Key>(code) << bits) | id; }
    std::vector<Key> keys;
    KeySort<Key, bits> order;
  };

  bool allowed(std::size_t side) const {
    return side >= options_->min_samples_leaf && node_->ids.size() - side >= options_->min_samples_leaf;
  }

  /// Whether the side makes a split that is better than the best so far; if so it is the new best score. The
  /// division is only done where a multiplication cannot tell.
  bool better() {
    const double numerator = side_.numerator();
    const double denominator = side_.denominator();
    if (numerator < bar_ * denominator) return false;
    return better(numerator / denominator);
  }
  bool better(double score) {
    if (best_.found && !(score > best_.score)) return false;
    best_.found = true;
    best_.score = score;
    constexpr double rounding = 0x1.0p-40;
    bar_ = score - std::abs(score) * rounding;
    return true;
  }
  void take(std::uint32_t feature, std::uint32_t lower, std::uint32_t upper) {
    best_.feature = feature;
    best_.place(inputs_->column(feature), *options_, *stream_, lower, upper);
  }

  template <typename Code, typename AnyKeys>
  bool try_codes(std::uint32_t feature, const CodedColumn& column, const Code* codes, AnyKeys& sorted) {
    auto& keys = sorted.keys;
    keys.resize(rows_.size());
    std::uint32_t lowest = std::numeric_limits<std::uint32_t>::max();
    std::uint32_t highest = 0;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      const std::uint32_t code = codes[rows_[i]];
      lowest = std::min(lowest, code);
      highest = std::max(highest, code);
      keys[i] = AnyKeys::make(code, node_->ids[i]);
    }
    if (lowest == highest) return false;
    if (options_->rule == SplitRule::random_cut) {
      try_cut(feature, column, sorted, lowest, highest, false);
      return true;
    }
    sorted.order.sort(keys, lowest, highest);
    sweep_up(feature, sorted, keys.size(), false, 0);
    return true;
  }

  /// Adds the first `count` keys to the left side one by one and scores every boundary between two codes; if
  /// `more`, rows with the code `next_code` come after them.
  template <typename AnyKeys>
  void sweep_up(std::uint32_t feature, const AnyKeys& sorted, std::size_t count, bool more,
                std::uint32_t next_code) {
    const auto* keys = sorted.keys.data();
    side_.start();
    std::uint32_t code = count > 0 ? AnyKeys::code(keys[0]) : 0;
    for (std::size_t i = 0; i + 1 < count; ++i) {
      side_.add(AnyKeys::id(keys[i]));
      const std::uint32_t next = AnyKeys::code(keys[i + 1]);
      if (next != code && allowed(i + 1) && better()) take(feature, code, next);
      code = next;
    }
    if (!more || count == 0) return;
    side_.add(AnyKeys::id(keys[count - 1]));
    if (allowed(count) && better()) take(feature, code, next_code);
  }

  /// The same from the highest code down to the key `first`; below it come rows with the code `next_code`. Of
  /// equally good splits the last one has the lowest threshold and wins, but only among these.
  template <typename AnyKeys>
  void sweep_down(std::uint32_t feature, const AnyKeys& sorted, std::size_t first, std::uint32_t next_code) {
    const auto* keys = sorted.keys.data();
    const std::size_t count = sorted.keys.size();
    side_.start();
    bool mine = false;
    for (std::size_t i = count; i-- > first;) {
      side_.add(AnyKeys::id(keys[i]));
      const std::uint32_t code = AnyKeys::code(keys[i]);
      const std::uint32_t next = i > first ? AnyKeys::code(keys[i - 1]) : next_code;
      if (next == code || !allowed(count - i)) continue;
      const double numerator = side_.numerator();
      const double denominator = side_.denominator();
      if (numerator < bar_ * denominator) continue;
      const double score = numerator / denominator;
      if (better(score)) {
        mine = true;
        take(feature, next, code);
      } else if (mine && score == best_.score) {
        take(feature, next, code);
      }
    }
  }

  bool try_valued(const FrameColumn& column) {
    auto& keys = long_keys_.keys;
    keys.clear();
    for (const ListKey key : node_->frame->list(column))
      if (node_->has(key_id(key))) keys.push_back(key);
    const std::uint32_t default_code = inputs_->column(column.feature).default_code;
    const bool others = keys.size() < node_->ids.size();
    std::uint32_t lowest = key_code(keys.front());
    std::uint32_t highest = key_code(keys.back());
    if (others) {
      lowest = std::min(lowest, default_code);
      highest = std::max(highest, default_code);
    }
    if (lowest == highest) return false;
    if (options_->rule == SplitRule::random_cut) {
      try_cut(column.feature, inputs_->column(column.feature), long_keys_, lowest, highest, others);
      return true;
    }
    if (!others) {
      sweep_up(column.feature, long_keys_, keys.size(), false, 0);
      return true;
    }
    const auto below = static_cast<std::size_t>(
        std::lower_bound(keys.begin(), keys.end(), ListKey{default_code} << 32) - keys.begin());
    sweep_up(column.feature, long_keys_, below, true, default_code);
    sweep_down(column.feature, long_keys_, below, default_code);
    return true;
  }

  /// Scores the one random cut between two codes. With `others`, there are rows that have no key but the
  /// column's default.
  template <typename AnyKeys>
  void try_cut(std::uint32_t feature, const CodedColumn& column, const AnyKeys& given, std::uint32_t lowest,
               std::uint32_t highest, bool others) {
    const float cut =
        cut_between(column.values[lowest], column.values[highest], cut_position(*stream_, feature));
    const auto above = std::upper_bound(column.values.begin() + lowest, column.values.begin() + highest, cut);
    const auto last_left = static_cast<std::uint32_t>(above - column.values.begin()) - 1;
    std::size_t left_keys = 0;
    for (const auto key : given.keys) left_keys += AnyKeys::code(key) <= last_left ? 1U : 0U;
    const bool others_left = others && column.default_code <= last_left;
    if (!allowed(left_keys + (others_left ? node_->ids.size() - given.keys.size() : 0))) return;

    // Add up the side without the rows that have no key; if all have one, the smaller side.
    const bool right = others ? others_left : left_keys * 2 > given.keys.size();
    some_ids_.resize(given.keys.size());
    std::size_t count = 0;
    for (const auto key : given.keys) {
      some_ids_[count] = AnyKeys::id(key);
      count += (AnyKeys::code(key) > last_left) == right ? 1U : 0U;
    }
    side_.set(std::span(some_ids_).first(count));
    if (!better()) return;
    best_.feature = feature;
    best_.last_left = last_left;
    best_.threshold = cut;
  }

  /// A column of two values has one split. The rows of the smaller side are added up; a row alone needs that
  /// only once in a node.
  void try_two_valued(const FrameColumn& column, std::uint32_t count) {
    const auto rows = static_cast<std::uint32_t>(node_->ids.size());
    const bool listed = 2 * count <= rows;
    const std::uint32_t size = listed ? count : rows - count;
    some_ids_.resize(size);
    collect(column, listed);
    bool wins = false;
    if (size == 1) {
      const std::uint32_t id = some_ids_[0];
      const std::uint64_t bit = std::uint64_t{1} << (id % 64);
      if ((alone_known_[id / 64] & bit) == 0) {
        side_.set(some_ids_);
        alone_score_[id] = side_.numerator() / side_.denominator();
        alone_known_[id / 64] |= bit;
      }
      wins = better(alone_score_[id]);
    } else {
      side_.set(some_ids_);
      wins = better();
    }
    if (wins) take(column.feature, 0, 1);
  }

  /// The node's rows that the column lists, or does not list; as many as fit into some_ids_.
  void collect(const FrameColumn& column, bool listed) {
    std::size_t found = 0;
    const auto add_bits = [&](std::size_t word, std::uint64_t bits) {
      for (; bits != 0; bits &= bits - 1)
        some_ids_[found++] =
            static_cast<std::uint32_t>(word * 64) + static_cast<std::uint32_t>(std::countr_zero(bits));
    };
    if (column.bitmap) {
      const auto bits = node_->frame->bits(column);
      const std::uint64_t flip = listed ? 0 : ~std::uint64_t{0};
      for (std::size_t w = 0; w < bits.size() && found < some_ids_.size(); ++w)
        add_bits(w, (bits[w] ^ flip) & node_->bits[w]);
      return;
    }
    if (listed) {
      for (const ListKey key : node_->frame->list(column))
        if (node_->has(key_id(key))) some_ids_[found++] = key_id(key);
      return;
    }
    rest_.assign(node_->bits.begin(), node_->bits.end());
    for (const ListKey key : node_->frame->list(column))
      rest_[key_id(key) / 64] &= ~(std::uint64_t{1} << (key_id(key) % 64));
    for (std::size_t w = 0; w < rest_.size(); ++w) add_bits(w, rest_[w]);
  }

  const CodedInputs* inputs_;
  const GrowthOptions* options_;
  typename Space::Side side_;
  const NodeView* node_ = nullptr;
  const Stream* stream_ = nullptr;
  SplitCandidate best_;
  double bar_ = 0.0;                 ///< a little less than the best score
  std::vector<std::uint32_t> rows_;  ///< the dataset's rows of the node
  Keys<std::uint32_t, 16> short_keys_;
  Keys<std::uint64_t, 32> long_keys_;
  std::vector<std::uint32_t> some_ids_;
  std::vector<std::uint64_t> rest_;
  std::vector<double> alone_score_;  ///< the score of parting a row from all others, where known
  std::vector<std::uint64_t> alone_known_;
};

}  // namespace coppice
