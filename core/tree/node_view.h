#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "core/tree/frame.h"

namespace coppice {

/// A node as the search sees it: rows by their number in a frame.
struct NodeView {
  const Frame* frame = nullptr;
  const DenseCopy* dense = nullptr;
  std::span<const std::uint32_t> ids;
  std::span<const std::uint64_t> bits;    ///< the rows as a bitmap; only if there are listed columns
  std::span<const std::uint32_t> counts;  ///< for each column of the frame, how many of the rows it lists

  bool has(std::uint32_t id) const { return ((bits[id / 64] >> (id % 64)) & 1U) != 0; }

  /// The node's rows that a column lists, or does not list; as many as there is room for. `rest` is memory to
  /// work in.
  void collect(const FrameColumn& column, bool listed, std::span<std::uint32_t> some,
               std::vector<std::uint64_t>& rest) const {
    std::size_t found = 0;
    const auto add_bits = [&](std::size_t word, std::uint64_t set) {
      for (; set != 0; set &= set - 1)
        some[found++] =
            static_cast<std::uint32_t>(word * 64) + static_cast<std::uint32_t>(std::countr_zero(set));
    };
    if (column.bitmap) {
      const auto of_column = frame->bits(column);
      const std::uint64_t flip = listed ? 0 : ~std::uint64_t{0};
      for (std::size_t w = 0; w < of_column.size() && found < some.size(); ++w)
        add_bits(w, (of_column[w] ^ flip) & bits[w]);
      return;
    }
    if (listed) {
      for (const ListKey key : frame->list(column))
        if (has(key_id(key))) some[found++] = key_id(key);
      return;
    }
    rest.assign(bits.begin(), bits.end());
    for (const ListKey key : frame->list(column))
      rest[key_id(key) / 64] &= ~(std::uint64_t{1} << (key_id(key) % 64));
    for (std::size_t w = 0; w < rest.size(); ++w) add_bits(w, rest[w]);
  }
};

}  // namespace coppice
