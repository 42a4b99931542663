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
    const std::uint64_t number = mix((counter_ += 0x9e3779b97f4a7c15U) ^ key_);
    return static_cast<std::size_t>(static_cast<unsigned __int128>(number) * bound >> 64);
  }

 private:
  std::uint64_t counter_;
  std::uint64_t key_;
};

}  // namespace coppice
