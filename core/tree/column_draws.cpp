#include "core/tree/column_draws.h"

#include "core/base/wide_vectors.h"

namespace coppice {

namespace {

COPPICE_WIDEST_VECTORS
void draw_places(std::uint64_t counter, std::uint64_t key, std::uint64_t begin, std::uint64_t count,
                 std::uint64_t size, std::uint32_t* drawn) {
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint64_t number = mix((counter + (i + 1) * mix_step) ^ key);
    const std::uint64_t bound = size - begin - i;
    // The high half of a product of 64 bits by 32.
    const std::uint64_t high = (number >> 32) * bound;
    const std::uint64_t low = (number & 0xffffffffU) * bound;
    drawn[i] = static_cast<std::uint32_t>(begin + i + ((high + (low >> 32)) >> 32));
  }
}

}  // namespace

void ColumnDraws::places(std::size_t begin, std::size_t end, std::size_t size, std::uint32_t* drawn) {
  draw_places(counter_, key_, begin, end - begin, size, drawn);
  counter_ += (end - begin) * mix_step;
}

}  // namespace coppice
