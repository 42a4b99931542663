#include "core/tree/node_partition.h"

#include <algorithm>
#include <bit>

namespace coppice {

NodeParts NodePartition::part(FrameRows& rows, const NodeRows& node, const SplitCandidate& split,
                              std::span<const std::uint64_t> left_rows) {
  if (!left_rows.empty())
    return by(rows, node, [&](std::uint32_t i, std::uint32_t /*id*/) {
      return static_cast<std::uint32_t>(left_rows[i / 64] >> (i % 64)) & 1U;
    });
  const CodedColumn& column = inputs_->column(split.feature);
  if (split.special)
    return by(rows, node, [&](std::uint32_t /*i*/, std::uint32_t id) {
      return split.goes_left(column.dense_values[rows.frame->rows()[id]]);
    });
  if (!column.dense) return by_list(rows, node, split);
  // By what the search has looked at last: it is in the cache.
  if (options_->rule == SplitRule::random_cut) {
    const float* values = rows.dense.active() ? rows.dense.values(column.dense_index) : nullptr;
    return by_value(rows, node, values, column.dense_values.data(), split.threshold);
  }
  if (!column.narrow()) {
    constexpr const std::uint32_t* not_copied = nullptr;
    return by_value(rows, node, not_copied, column.wide_codes.data(), last_left(split));
  }
  const std::uint16_t* codes = rows.dense.active() ? rows.dense.codes(column.dense_index) : nullptr;
  return by_value(rows, node, codes, column.narrow_codes.data(), last_left(split));
}

/// The largest code that goes left.
std::uint32_t NodePartition::last_left(const SplitCandidate& split) const {
  const CodedColumn& column = inputs_->column(split.feature);
  // A missing value has the last code and no place in the order of values.
  const auto values = column.values.first(column.values.size() - (column.missing ? 1 : 0));
  return static_cast<std::uint32_t>(std::upper_bound(values.begin(), values.end(), split.threshold) -
                                    values.begin()) -
         1;
}

/// A row's value is in `copied` by its number in the frame, or else in `stored` by its number in the dataset.
template <typename Value, typename Limit>
NodeParts NodePartition::by_value(FrameRows& rows, const NodeRows& node, const Value* copied,
                                  const Value* stored, Limit limit) {
  return by(rows, node, [&](std::uint32_t /*i*/, std::uint32_t id) {
    return (copied != nullptr ? copied[id] : stored[rows.frame->rows()[id]]) <= limit;
  });
}

/// Left rows first, both sides in order. `is_left` is asked about the node's first row, its second… and
/// answers with 0 or 1, so that no branch depends on it.
template <typename GoesLeft>
NodeParts NodePartition::by(FrameRows& rows, const NodeRows& node, const GoesLeft& is_left) {
  const std::uint32_t size = node.size();
  if (right_ids_.size() < size) right_ids_.resize(size);
  std::uint32_t* const ids = rows.ids.data() + node.begin;
  std::uint32_t* const right_ids = right_ids_.data();
  std::uint32_t left = 0;
  for (std::uint32_t i = 0; i < size; ++i) {
    const std::uint32_t id = ids[i];
    const auto goes_left = static_cast<std::uint32_t>(is_left(i, id));
    ids[left] = id;
    right_ids[i - left] = id;
    left += goes_left;
  }
  std::copy_n(right_ids, size - left, ids + left);
  if (inputs_->has_listed())
    for (std::uint32_t i = node.begin; i < node.end; ++i) rows.position[rows.ids[i]] = i;
  return {node.begin + left, true};
}

/// Moves the rows that do not go where the column's default goes to the front; nothing else is touched.
NodeParts NodePartition::by_list(FrameRows& rows, const NodeRows& node, const SplitCandidate& split) const {
  const FrameColumn& listed = rows.frame->columns()[split.frame_column];
  const bool default_left = inputs_->default_of(split.feature).value <= split.threshold;
  std::uint32_t front = node.begin;
  const auto move = [&](std::uint32_t id) {
    const std::uint32_t other = rows.ids[front];
    const std::uint32_t place = rows.position[id];
    rows.ids[place] = other;
    rows.ids[front] = id;
    rows.position[other] = place;
    rows.position[id] = front++;
  };
  if (listed.bitmap) {
    const auto bits = rows.frame->bits(listed);
    for (std::size_t w = 0; w < bits.size(); ++w)
      for (std::uint64_t left = bits[w] & node.bits[w]; left != 0; left &= left - 1)
        move(static_cast<std::uint32_t>(w * 64) + static_cast<std::uint32_t>(std::countr_zero(left)));
    return {front, !default_left};
  }
  const auto move_where = [&](const auto& is_left) {
    for (const ListKey key : rows.frame->list(listed)) {
      const std::uint32_t id = key_id(key);
      const bool here = rows.position[id] >= node.begin && rows.position[id] < node.end;
      if (here && is_left(key) != default_left) move(id);
    }
  };
  if (options_->rule == SplitRule::random_cut)
    move_where([&](ListKey key) { return key_value(key) <= split.threshold; });
  else
    move_where([last = last_left(split)](ListKey key) { return key_code(key) <= last; });
  return {front, !default_left};
}

}  // namespace coppice
