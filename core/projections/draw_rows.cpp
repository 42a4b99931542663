#include "core/projections/draw_rows.h"

#include <span>
#include <unordered_set>

namespace coppice {

std::vector<std::uint32_t> draw_without_replacement(std::size_t count, std::size_t bound, Stream stream) {
  std::unordered_set<std::uint32_t> seen;
  std::vector<std::uint32_t> drawn;
  for (std::size_t last = bound - count; last < bound; ++last) {
    const auto candidate = static_cast<std::uint32_t>(stream.below(last + 1));
    const std::uint32_t taken = seen.contains(candidate) ? static_cast<std::uint32_t>(last) : candidate;
    seen.insert(taken);
    drawn.push_back(taken);
  }
  stream.shuffle(std::span(drawn));
  return drawn;
}

}  // namespace coppice
