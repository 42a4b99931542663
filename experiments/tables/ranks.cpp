#include "experiments/tables/ranks.h"

#include <algorithm>
#include <cstddef>
#include <numeric>

namespace coppice {

std::vector<double> average_ranks(std::span<const double> values, bool higher_is_better) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return higher_is_better ? values[a] > values[b] : values[a] < values[b];
  });
  std::vector<double> ranks(values.size());
  for (std::size_t begin = 0; begin < order.size();) {
    std::size_t end = begin + 1;
    while (end < order.size() && values[order[end]] == values[order[begin]]) ++end;
    for (std::size_t i = begin; i < end; ++i) ranks[order[i]] = static_cast<double>(begin + 1 + end) / 2.0;
    begin = end;
  }
  return ranks;
}

}  // namespace coppice
