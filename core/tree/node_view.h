#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/tree/bit_list.h"
#include "core/tree/frame.h"

namespace coppice {

/// A node as the search sees it: rows by their number in a frame.
struct NodeView {
  const Frame* frame = nullptr;
  const DenseCopy* dense = nullptr;
  std::span<const std::uint32_t> ids;
  std::span<const std::uint64_t> bits;  ///< the rows as a bitmap; only if there are listed columns
  /// The columns that may vary here, to draw from; without it features come in the order of FeatureOrder.
  /// Those that are found not to vary are dropped.
  ColumnList* columns = nullptr;

  bool has(std::uint32_t id) const { return ((bits[id / 64] >> (id % 64)) & 1U) != 0; }

  /// The node's rows that a column lists, and how many. May stop when there are more than `most`; `some` has
  /// room for all of the node's rows and a word's bits beyond.
  std::size_t listed(const FrameColumn& column, std::size_t most, std::uint32_t* some) const {
    if (column.bitmap) return list_common_bits(frame->bits(column).data(), bits.data(), bits.size(), some);
    std::size_t found = 0;
    for (const ListKey key : frame->list(column)) {
      if (found > most) break;
      some[found] = key_id(key);
      found += has(key_id(key)) ? 1 : 0;
    }
    return found;
  }
  /// The node's rows that a column does not list, and how many. `rest` is memory to work in.
  std::size_t not_listed(const FrameColumn& column, std::uint32_t* some,
                         std::vector<std::uint64_t>& rest) const {
    std::size_t found = 0;
    if (column.bitmap) {
      const auto of_column = frame->bits(column);
      for (std::size_t w = 0; w < of_column.size(); ++w)
        found = add_bits(w, ~of_column[w] & bits[w], some, found);
      return found;
    }
    rest.assign(bits.begin(), bits.end());
    for (const ListKey key : frame->list(column))
      rest[key_id(key) / 64] &= ~(std::uint64_t{1} << (key_id(key) % 64));
    for (std::size_t w = 0; w < rest.size(); ++w) found = add_bits(w, rest[w], some, found);
    return found;
  }
  /// The keys of the node's rows in a column's list, and how many; `keys` has room for the whole list and
  /// keys_beyond more.
  std::size_t filter(std::span<const ListKey> list, ListKey* keys) const {
    return keys_among(list.data(), list.size(), bits.data(), keys);
  }
};

}  // namespace coppice
