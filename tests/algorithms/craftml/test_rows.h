#pragma once

#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "core/base/random.h"
#include "core/data/sparse_rows.h"

namespace coppice::craftml {

/// Sparse rows of their own.
struct TestRows {
  std::vector<std::uint64_t> begin{0};
  std::vector<std::uint32_t> columns;
  std::vector<float> values;

  void add(const std::vector<std::pair<std::uint32_t, float>>& entries) {
    for (const auto& [column, value] : entries) {
      columns.push_back(column);
      values.push_back(value);
    }
    begin.push_back(columns.size());
  }
  SparseRowsView view() const { return {begin, columns, values}; }
};

inline TestRows random_rows(std::size_t count, std::uint32_t features, std::uint64_t seed,
                            double share = 0.3) {
  TestRows rows;
  Stream stream(seed);
  for (std::size_t i = 0; i < count; ++i) {
    std::vector<std::pair<std::uint32_t, float>> entries;
    for (std::uint32_t j = 0; j < features; ++j)
      if (stream.uniform() < share) entries.emplace_back(j, static_cast<float>(stream.uniform(-1.0, 2.0)));
    rows.add(entries);
  }
  return rows;
}

/// 0, 1, 2, …
inline std::vector<std::uint32_t> all(std::size_t count) {
  std::vector<std::uint32_t> ids(count);
  std::iota(ids.begin(), ids.end(), 0U);
  return ids;
}

}  // namespace coppice::craftml
