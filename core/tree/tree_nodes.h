#pragma once

#include <bit>
#include <cstdint>
#include <cstring>

#include "core/tree/row_bundle.h"

namespace coppice {

/// Nodes of a small tree, 8 bytes each: the threshold in the low half, then 16 bits for the feature and 16
/// for the right child. A leaf leads to itself, whatever the inputs are: its threshold is not a number, and
/// says which leaf it is. So rows that are walked together need not all stop at the same time.
struct PackedNodes {
  const std::uint64_t* nodes;

  static std::uint64_t pack(std::uint32_t feature, std::uint32_t threshold, std::uint32_t next) {
    return threshold | (std::uint64_t{feature} << 32) | (std::uint64_t{next} << 48);
  }
  static std::uint64_t pack_leaf(std::uint32_t node, std::uint32_t leaf) {
    constexpr std::uint32_t not_a_number = 0x7fc00000U;
    return pack(0, not_a_number | leaf, node);
  }

  std::uint32_t feature(std::uint32_t node) const { return part<std::uint16_t>(node, 32); }
  float threshold(std::uint32_t node) const { return std::bit_cast<float>(part<std::uint32_t>(node, 0)); }
  std::uint32_t next(std::uint32_t node) const { return part<std::uint16_t>(node, 48); }
  bool leaf(std::uint32_t node) const { return (part<std::uint32_t>(node, 0) & 0x7fffffffU) > 0x7f800000U; }
  /// Which leaf a leaf is.
  std::uint32_t number(std::uint32_t node) const { return part<std::uint16_t>(node, 0); }
  /// Where a row on its way is: as wide as an address, of which it is a part at each step.
  using Place = std::uint64_t;
  /// The child that a row of a bundle comes to; a leaf itself. No branch: which way a row goes cannot be
  /// predicted.
  template <std::size_t Row = 0>
  [[gnu::always_inline]] Place step(const float* bundle, Place node) const {
#if defined(__x86_64__)
    // Written out because GCC makes a branch or twice as many instructions of it. Comparing with what is not
    // a number says "below". One register does for all that is read: the places of twelve rows have one each.
    // A place has 16 bits, so its lower half is all that the right child replaces.
    std::uint64_t read;
    float limit;
    asm("movzwl 4(%[nodes],%[at],8), %k[read]\n\t"
        "movss (%[nodes],%[at],8), %[limit]\n\t"
        "shlq %[line], %[read]\n\t"
        "comiss %c[row](%[bundle],%[read]), %[limit]\n\t"
        "leal 1(%[at]), %k[at]\n\t"
        "cmovbw -2(%[nodes],%[at],8), %w[at]"
        : [at] "+&r"(node), [read] "=&r"(read), [limit] "=&x"(limit)
        : [nodes] "r"(nodes), [bundle] "r"(bundle), [row] "i"(Row * sizeof(float)),
          [line] "i"(std::countr_zero(RowBundle::rows * sizeof(float))),
          "m"(*(const std::uint64_t(*)[])nodes), "m"(*(const float(*)[])bundle)
        : "cc");
    return node;
#else
    const auto here = static_cast<std::uint32_t>(node);
    const std::uint32_t right = bundle[feature(here) * RowBundle::rows + Row] <= threshold(here) ? 0U : ~0U;
    return child(here, right);
#endif
  }
  /// The same for inputs that are 0 or 1, as bits; all thresholds lie between.
  [[gnu::always_inline]] Place step(const std::uint32_t* bits, Place node) const {
    const auto here = static_cast<std::uint32_t>(node);
    return child(here, 0U - (bit_at(bits, feature(here)) | (leaf(here) ? 1U : 0U)));
  }

  static std::uint32_t bit_at(const std::uint32_t* bits, std::uint32_t place) {
    return (bits[place / 32] >> (place % 32)) & 1U;
  }

 private:
  /// The right child if all bits of `right` are set, the left one if none is.
  std::uint32_t child(std::uint32_t node, std::uint32_t right) const {
    const std::uint32_t left = node + 1;
    return left + ((next(node) - left) & right);
  }
  /// A part of a node, read by itself: walking down needs no shifts then.
  template <typename T>
  T part(std::uint32_t node, unsigned shift) const {
    if constexpr (std::endian::native != std::endian::little) return static_cast<T>(nodes[node] >> shift);
    T found;
    std::memcpy(&found, reinterpret_cast<const char*>(nodes + node) + shift / 8, sizeof found);
    return found;
  }
};

/// Nodes of any tree, in three arrays.
struct WideNodes {
  /// What leaves have for a feature.
  static constexpr std::uint32_t no_feature = 0xffffffffU;

  const std::uint32_t* features;
  const float* thresholds;
  const std::uint32_t* nexts;

  std::uint32_t feature(std::uint32_t node) const { return features[node]; }
  float threshold(std::uint32_t node) const { return thresholds[node]; }
  std::uint32_t next(std::uint32_t node) const { return nexts[node]; }
  bool leaf(std::uint32_t node) const { return feature(node) == no_feature; }
  std::uint32_t number(std::uint32_t node) const { return next(node); }
  using Place = std::uint32_t;
  template <std::size_t Row = 0>
  [[gnu::always_inline]] Place step(const float* bundle, Place node) const {
    const std::uint32_t going = leaf(node) ? 0U : ~0U;
    const float value = bundle[std::size_t{feature(node) & going} * RowBundle::rows + Row];
    return child(node, going, value <= threshold(node) ? 0U : ~0U);
  }
  [[gnu::always_inline]] Place step(const std::uint32_t* bits, Place node) const {
    const std::uint32_t going = leaf(node) ? 0U : ~0U;
    return child(node, going, 0U - PackedNodes::bit_at(bits, feature(node) & going));
  }

 private:
  std::uint32_t child(std::uint32_t node, std::uint32_t going, std::uint32_t right) const {
    const std::uint32_t left = node + 1;
    return node + ((left + ((next(node) - left) & right) - node) & going);
  }
};

}  // namespace coppice
