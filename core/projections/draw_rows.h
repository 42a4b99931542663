#pragma once

#include <cstdint>
#include <vector>

#include "core/base/random.h"

namespace coppice {

/// `count` different numbers below `bound` in random order (Floyd's method with a shuffle: memory follows
/// count, not bound).
std::vector<std::uint32_t> draw_without_replacement(std::size_t count, std::size_t bound, Stream stream);

}  // namespace coppice
