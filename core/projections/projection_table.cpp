#include "core/projections/projection_table.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>

#include "core/base/wide_vectors.h"

namespace coppice {

namespace {

using Halves = std::int16_t __attribute__((vector_size(32 * sizeof(std::int16_t))));
using Words = std::int32_t __attribute__((vector_size(16 * sizeof(std::int32_t))));
constexpr std::size_t vector_lanes = 16;
/// Components in a vector of words: those of the lower halves, then those of the upper ones.
constexpr std::size_t line_components = 2 * vector_lanes;
/// So many multiples add up in a half of a word.
constexpr std::size_t at_once = 8;
static_assert(PaddedLabels::multiple % at_once == 0);
static_assert(at_once * (Projection::multiples_below - 1) <= std::numeric_limits<std::int16_t>::max());
/// A megabyte; more would not stay in the cache. So many words have at most 2^14 columns, of which multiples
/// add up to less than 2^31.
constexpr std::size_t most_words = std::size_t{1} << 18;

/// Adds up the components of a line of some columns.
[[gnu::always_inline]] inline void add_line(const std::uint32_t* table, std::size_t column_words,
                                            std::span<const std::uint16_t> labels, std::int32_t* sums) {
  Words lower = {};
  Words upper = {};
  for (std::size_t begin = 0; begin < labels.size(); begin += at_once) {
    Halves halves = {};
    for (std::size_t i = 0; i < at_once; ++i) {
      Halves some;
      std::memcpy(&some, table + labels[begin + i] * column_words, sizeof some);
      halves += some;
    }
    const auto words = reinterpret_cast<Words>(halves);
    lower += (words << 16) >> 16;
    upper += words >> 16;
  }
  std::memcpy(sums, &lower, sizeof lower);
  std::memcpy(sums + vector_lanes, &upper, sizeof upper);
}

COPPICE_WIDEST_VECTORS
void add_rows(const std::uint32_t* table, std::size_t column_words, const PaddedLabels& labels,
              std::span<const std::uint32_t> rows, std::int32_t* sums) {
  // Growing the tree before has driven the labels out of the cache.
  constexpr std::size_t ahead = 16;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (i + ahead < rows.size()) __builtin_prefetch(labels[rows[i + ahead]].data());
    for (std::size_t line = 0; line < column_words; line += vector_lanes, sums += line_components)
      add_line(table + line, column_words, labels[rows[i]], sums);
  }
}

/// A line of a column as words of two. Beyond its multiples, what is kept of them is 0.
using LineMask = std::array<std::int32_t, line_components>;
COPPICE_WIDEST_VECTORS
void join(const std::int32_t* values, const LineMask& kept, std::uint32_t* words) {
  for (std::size_t i = 0; i < vector_lanes; ++i)
    words[i] = (static_cast<std::uint32_t>(values[i + vector_lanes] & kept[i + vector_lanes]) << 16) +
               (static_cast<std::uint32_t>(values[i] & kept[i]) & 0xffffU);
}

/// Adds a share of a column to sums.
COPPICE_WIDE_VECTORS
void add_share(const std::uint32_t* column, std::size_t words, double share, double* sums) {
  for (std::size_t line = 0; line < words; line += vector_lanes, sums += line_components)
    for (std::size_t i = 0; i < vector_lanes; ++i) {
      const auto word = static_cast<std::int32_t>(column[line + i]);
      sums[i] += share * static_cast<std::int16_t>(word & 0xffff);
      sums[i + vector_lanes] += share * (word >> 16);
    }
}

/// The words of a column.
std::size_t words_of(std::size_t size) {
  return (size + line_components - 1) / line_components * vector_lanes;
}

}  // namespace

bool ProjectionTable::suits(const Projection& projection) {
  return projection.unit() > 0.0 && words_of(projection.size()) * (projection.outputs() + 1) <= most_words;
}

ProjectionTable::ProjectionTable(const Projection& projection)
    : column_words_(words_of(projection.size())),
      lines_(column_words_ / vector_lanes * (projection.outputs() + 1)) {
  constexpr std::size_t numbers_at_a_time = 2048;
  const std::size_t size = projection.size();
  const std::size_t outputs = projection.outputs();
  const std::size_t several = std::clamp<std::size_t>(numbers_at_a_time / size, 1, outputs);
  // The last line of a column may be read beyond it.
  std::vector<std::int32_t> columns(several * size + line_components);
  LineMask whole;
  whole.fill(-1);
  LineMask last{};
  const std::size_t last_size = size - (column_words_ / vector_lanes - 1) * line_components;
  std::fill_n(last.begin(), last_size, -1);
  for (std::size_t first = 0; first < outputs; first += several) {
    const std::size_t count = std::min(several, outputs - first);
    projection.multiples(static_cast<std::uint32_t>(first), std::span(columns).first(count * size));
    for (std::size_t i = 0; i < count; ++i) {
      const std::int32_t* values = columns.data() + i * size;
      for (std::size_t line = 0; line < column_words_; line += vector_lanes, values += line_components)
        join(values, line + vector_lanes < column_words_ ? whole : last, column(first + i) + line);
    }
  }
}

std::vector<std::int32_t> ProjectionTable::mean(std::span<const double> shares) const {
  std::vector<double> sums(stride(), 0.0);
  for (std::uint32_t label = 0; label < shares.size(); ++label)
    add_share(column(label), column_words_, shares[label], sums.data());
  std::vector<std::int32_t> rounded;
  for (const double sum : sums) rounded.push_back(static_cast<std::int32_t>(std::lround(sum)));
  return rounded;
}

void ProjectionTable::add_up(const PaddedLabels& labels, std::span<const std::uint32_t> rows,
                             std::span<std::int32_t> sums) const {
  add_rows(column(0), column_words_, labels, rows, sums.data());
}

}  // namespace coppice
