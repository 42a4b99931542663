#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

namespace coppice {

/// The indices of the `count` largest numbers (all if there are fewer), the largest first; of equal ones the
/// lower index first.
inline std::vector<std::uint32_t> largest(std::span<const double> numbers, std::size_t count) {
  std::vector<std::uint32_t> order(numbers.size());
  std::iota(order.begin(), order.end(), 0U);
  count = std::min(count, order.size());
  std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(count), order.end(),
                    [&](std::uint32_t a, std::uint32_t b) {
                      return numbers[a] > numbers[b] || (numbers[a] == numbers[b] && a < b);
                    });
  order.resize(count);
  return order;
}

}  // namespace coppice
