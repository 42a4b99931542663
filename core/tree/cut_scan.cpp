#include "core/tree/cut_scan.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "core/base/wide_vectors.h"

namespace coppice {

namespace {

using Eight = float __attribute__((vector_size(column_group * sizeof(float))));
using EightBits = std::int32_t __attribute__((vector_size(column_group * sizeof(std::int32_t))));

[[gnu::always_inline]] inline void load(const float* from, Eight& eight) {
  std::memcpy(&eight, from, sizeof eight);
}

/// Calls visit.operator()<groups>(column) for runs of one or two groups of columns: enough to work on at
/// once, few enough to stay in registers.
template <typename Visit>
[[gnu::always_inline]] inline void for_each_run(std::size_t columns, const Visit& visit) {
  std::size_t c = 0;
  for (; c + 2 * column_group <= columns; c += 2 * column_group) visit.template operator()<2>(c);
  if (c < columns) visit.template operator()<1>(c);
}

}  // namespace

void gather_columns(const ValueRows& from, const std::uint32_t* columns, std::size_t count, float* to,
                    std::size_t width) {
  for (std::size_t i = 0; i < from.count; ++i) {
    const float* const row = from.values + from.rows[i] * from.stride;
    float* const out = to + i * width;
    for (std::size_t c = 0; c < count; ++c) out[c] = row[columns[c]];
  }
}

void gather_columns(std::span<const float* const> columns, std::span<const std::uint32_t> rows, float* to,
                    std::size_t width) {
  constexpr std::size_t block = 64;  // so many rows of the copy stay in the nearest cache
  for (std::size_t begin = 0; begin < rows.size(); begin += block) {
    const auto some = rows.subspan(begin, std::min(block, rows.size() - begin));
    for (std::size_t c = 0; c < columns.size(); ++c) {
      const float* const values = columns[c];
      float* const out = to + begin * width + c;
      for (std::size_t i = 0; i < some.size(); ++i) out[i * width] = values[some[i]];
    }
  }
}

COPPICE_WIDE_VECTORS
void column_ranges(const ValueRows& of, std::size_t columns, float* lowest, float* highest) {
  for_each_run(
      columns, [&]<int groups>(std::size_t column) __attribute__((always_inline)) {
        Eight low[groups];
        Eight high[groups];
        for (int g = 0; g < groups; ++g) {
          load(of.values + of.rows[0] * of.stride + column + column_group * g, low[g]);
          high[g] = low[g];
        }
        for (std::size_t i = 1; i < of.count; ++i) {
          const float* const row = of.values + of.rows[i] * of.stride + column;
          for (int g = 0; g < groups; ++g) {
            Eight values;
            load(row + column_group * g, values);
            low[g] = values < low[g] ? values : low[g];
            high[g] = values > high[g] ? values : high[g];
          }
        }
        std::memcpy(lowest + column, low, sizeof low);
        std::memcpy(highest + column, high, sizeof high);
      });
}

COPPICE_WIDE_VECTORS
void columns_missing(const ValueRows& of, std::size_t columns, std::uint32_t* missing) {
  for_each_run(
      columns, [&]<int groups>(std::size_t column) __attribute__((always_inline)) {
        EightBits found[groups] = {};
        for (std::size_t i = 0; i < of.count; ++i) {
          const float* const row = of.values + of.rows[i] * of.stride + column;
          for (int g = 0; g < groups; ++g) {
            Eight values;
            load(row + column_group * g, values);
            found[g] |= values != values;
          }
        }
        std::memcpy(missing + column, found, sizeof found);
      });
}

COPPICE_WIDE_VECTORS
void columns_at_most(const ValueRows& of, std::size_t columns, const float* limits, std::size_t words,
                     std::uint64_t* bits, std::uint32_t* counts) {
  for_each_run(
      columns, [&]<int groups>(std::size_t column) __attribute__((always_inline)) {
        constexpr std::size_t width = groups * column_group;
        Eight limit[groups];
        std::memcpy(limit, limits + column, sizeof limit);
        for (std::size_t w = 0; w < words; ++w) {
          std::uint32_t halves[2][width] = {};
          for (std::size_t half = 0; half < 2; ++half) {
            const std::size_t begin = 64 * w + 32 * half;
            if (begin >= of.count) break;
            const std::size_t end = std::min(of.count, begin + 32);
            EightBits found[groups] = {};
            EightBits bit = EightBits{} + 1;
            for (std::size_t i = begin; i < end; ++i) {
              const float* const row = of.values + of.rows[i] * of.stride + column;
              for (int g = 0; g < groups; ++g) {
                Eight values;
                load(row + column_group * g, values);
                found[g] |= (values <= limit[g]) & bit;
              }
              bit <<= 1;
            }
            std::memcpy(halves[half], found, sizeof found);
          }
          for (std::size_t c = 0; c < width; ++c) {
            const std::uint64_t word = halves[0][c] | std::uint64_t{halves[1][c]} << 32;
            bits[(column + c) * words + w] = word;
            const std::uint32_t before = w == 0 ? 0 : counts[column + c];
            counts[column + c] = before + static_cast<std::uint32_t>(std::popcount(word));
          }
        }
      });
}

}  // namespace coppice
