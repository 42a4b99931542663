#pragma once

#include <cstddef>
#include <cstdint>

#include "core/base/mix.h"
#include "core/base/random.h"

namespace coppice {

/// The random numbers by which a node draws its columns from a list.
class ColumnDraws {
 public:
  explicit ColumnDraws(const Stream& node) : counter_(node.key()[0]), key_(node.key()[1]) {}

  /// The next number below `bound`.
  std::size_t below(std::size_t bound) {
    const std::uint64_t number = mix((counter_ += mix_step) ^ key_);
    return static_cast<std::size_t>(static_cast<unsigned __int128>(number) * bound >> 64);
  }
  /// For each of the places from `begin` to `end` of a list of `size` columns, from which place on its column
  /// is drawn; the same numbers as by `below`, many at once. Lists are shorter than 2^32.
  void places(std::size_t begin, std::size_t end, std::size_t size, std::uint32_t* drawn);

 private:
  std::uint64_t counter_;
  std::uint64_t key_;
};

}  // namespace coppice
