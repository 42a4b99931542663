#include "core/tree/binary_columns.h"

#include <cstring>

#include "core/base/wide_vectors.h"

namespace coppice {

namespace {

using FourLanes = double __attribute__((vector_size(4 * sizeof(double))));

/// Adds each row of a block of targets to the sums of the columns that list it.
template <std::size_t groups>
[[gnu::always_inline]] inline void scatter_rows(const double* block, std::span<const std::uint32_t> rows,
                                                const std::uint64_t* row_begin,
                                                const std::uint32_t* row_columns, double* sums) {
  for (const std::uint32_t row : rows) {
    FourLanes values[groups];
    std::memcpy(&values, block + std::size_t{row} * (4 * groups), sizeof values);
    for (std::uint64_t e = row_begin[row]; e < row_begin[row + 1]; ++e) {
      double* to = sums + std::size_t{row_columns[e]} * (4 * groups);
      for (std::size_t g = 0; g < groups; ++g) {
        FourLanes sum;
        std::memcpy(&sum, to + 4 * g, sizeof sum);
        sum += values[g];
        std::memcpy(to + 4 * g, &sum, sizeof sum);
      }
    }
  }
}

COPPICE_WIDE_VECTORS
void scatter_block(std::size_t lanes, const double* block, std::span<const std::uint32_t> rows,
                   const std::uint64_t* row_begin, const std::uint32_t* row_columns, double* sums) {
  switch (lanes) {
    case 4:
      return scatter_rows<1>(block, rows, row_begin, row_columns, sums);
    case 8:
      return scatter_rows<2>(block, rows, row_begin, row_columns, sums);
    case 12:
      return scatter_rows<3>(block, rows, row_begin, row_columns, sums);
    case 16:
      return scatter_rows<4>(block, rows, row_begin, row_columns, sums);
    default:
      for (const std::uint32_t row : rows)
        for (std::uint64_t e = row_begin[row]; e < row_begin[row + 1]; ++e)
          sums[row_columns[e]] += block[row];
  }
}

/// |sums - weight · centre + start|² of each column in one block of `groups` times four lanes.
template <std::size_t groups>
[[gnu::always_inline]] inline void square_columns(const double* sums, const std::uint32_t* weights,
                                                  const double* centre, const double* start,
                                                  std::size_t columns, double* squares) {
  FourLanes middle[groups];
  FourLanes begin[groups];
  std::memcpy(&middle, centre, sizeof middle);
  std::memcpy(&begin, start, sizeof begin);
  for (std::size_t c = 0; c < columns; ++c) {
    const double weight = weights[c];
    FourLanes square{};
    for (std::size_t g = 0; g < groups; ++g) {
      FourLanes sum;
      std::memcpy(&sum, sums + c * (4 * groups) + 4 * g, sizeof sum);
      sum = (sum - weight * middle[g]) + begin[g];
      square += sum * sum;
    }
    squares[c] = (square[0] + square[1]) + (square[2] + square[3]);
  }
}

COPPICE_WIDE_VECTORS
void block_squares(std::size_t lanes, const double* sums, const std::uint32_t* weights, const double* centre,
                   const double* start, std::size_t columns, double* squares) {
  switch (lanes) {
    case 4:
      return square_columns<1>(sums, weights, centre, start, columns, squares);
    case 8:
      return square_columns<2>(sums, weights, centre, start, columns, squares);
    case 12:
      return square_columns<3>(sums, weights, centre, start, columns, squares);
    case 16:
      return square_columns<4>(sums, weights, centre, start, columns, squares);
    default:
      for (std::size_t c = 0; c < columns; ++c) {
        const double sum = (sums[c] - weights[c] * centre[0]) + start[0];
        squares[c] = sum * sum;
      }
  }
}

}  // namespace

BinaryColumns::BinaryColumns(const CodedInputs& inputs, std::span<const std::uint32_t> rows)
    : column_of_(inputs.columns(), none), begin_{0} {
  std::vector<std::uint32_t> place(inputs.rows(), none);
  for (std::uint32_t i = 0; i < rows.size(); ++i) place[rows[i]] = i;
  row_begin_.assign(rows.size() + 1, 0);
  for (std::uint32_t feature = 0; feature < inputs.columns(); ++feature) {
    const CodedColumn& column = inputs.column(feature);
    if (column.constant || column.dense || !column.two_valued()) continue;
    const std::size_t before = entries_.size();
    for (const std::uint32_t row : column.rows)
      if (place[row] != none) entries_.push_back(place[row]);
    if (entries_.size() == before || entries_.size() == before + rows.size()) {
      entries_.resize(before);
      continue;
    }
    column_of_[feature] = static_cast<std::uint32_t>(columns_.size());
    columns_.push_back(feature);
    begin_.push_back(entries_.size());
  }
  for (const std::uint32_t row : entries_) ++row_begin_[row + 1];
  for (std::size_t row = 0; row < rows.size(); ++row) row_begin_[row + 1] += row_begin_[row];
  row_columns_.resize(entries_.size());
  std::vector<std::uint64_t> next(row_begin_.begin(), row_begin_.end() - 1);
  for (std::uint32_t c = 0; c < columns_.size(); ++c)
    for (const std::uint32_t row : listed(c)) row_columns_[next[row]++] = c;
}

void BinaryColumns::add_up(const BlockedTargets& targets, std::span<const std::uint32_t> weights,
                           const NodeSums& node, Sums& sums, const Context& context) const {
  const std::size_t columns = columns_.size();
  sums.counts.assign(columns, 0);
  sums.weights.assign(columns, 0);
  for (const std::uint32_t row : node.rows) {
    const std::uint32_t weight = weights.empty() ? 1 : weights[row];
    for (std::uint64_t e = row_begin_[row]; e < row_begin_[row + 1]; ++e) {
      ++sums.counts[row_columns_[e]];
      sums.weights[row_columns_[e]] += weight;
    }
  }
  sums.values.resize(columns * targets.width());
  parallel_for(context, targets.blocks(), [&](std::size_t block) {
    double* to = sums.values.data() + block * columns * targets.lanes();
    std::fill_n(to, columns * targets.lanes(), 0.0);
    scatter_block(targets.lanes(), targets.block(block), node.rows, row_begin_.data(), row_columns_.data(),
                  to);
  });
}

void BinaryColumns::take_away(const Sums& child, Sums& parent, const Context& context) const {
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    parent.counts[c] -= child.counts[c];
    parent.weights[c] -= child.weights[c];
  }
  constexpr std::size_t at_once = std::size_t{1} << 16;
  parallel_blocks(context, parent.values.size(), at_once, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) parent.values[i] -= child.values[i];
  });
}

std::vector<double> BinaryColumns::side_squares(const BlockedTargets& targets, const NodeSums& node,
                                                const Sums& sums, const Context& context) const {
  const std::size_t columns = columns_.size();
  std::vector<double> parts(columns * targets.blocks());
  parallel_for(context, targets.blocks(), [&](std::size_t block) {
    block_squares(targets.lanes(), sums.values.data() + block * columns * targets.lanes(),
                  sums.weights.data(), node.centre.data() + block * targets.lanes(),
                  node.start.data() + block * targets.lanes(), columns, parts.data() + block * columns);
  });
  for (std::size_t block = 1; block < targets.blocks(); ++block)
    for (std::size_t c = 0; c < columns; ++c) parts[c] += parts[block * columns + c];
  parts.resize(columns);
  return parts;
}

}  // namespace coppice
