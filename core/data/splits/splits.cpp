#include "core/data/splits/splits.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/base/error.h"

namespace coppice {

namespace {

Rows shuffled_rows(std::size_t rows, Stream stream) {
  Rows order(rows);
  std::iota(order.begin(), order.end(), 0U);
  stream.shuffle(std::span(order));
  return order;
}

/// Rows order[begin, end) to test on, the others to train on.
Split cut(const Rows& order, std::size_t begin, std::size_t end) {
  Split split;
  split.test.assign(order.begin() + static_cast<std::ptrdiff_t>(begin),
                    order.begin() + static_cast<std::ptrdiff_t>(end));
  split.train.reserve(order.size() - split.test.size());
  split.train.insert(split.train.end(), order.begin(), order.begin() + static_cast<std::ptrdiff_t>(begin));
  split.train.insert(split.train.end(), order.begin() + static_cast<std::ptrdiff_t>(end), order.end());
  std::sort(split.train.begin(), split.train.end());
  std::sort(split.test.begin(), split.test.end());
  return split;
}

}  // namespace

Split holdout(std::size_t rows, double test_fraction, const Stream& stream) {
  if (rows < 2)
    throw Error(ErrorKind::data, fmt::format("a hold-out split needs at least 2 rows; there is {}", rows));
  const auto wanted = static_cast<std::size_t>(std::floor(test_fraction * static_cast<double>(rows) + 0.5));
  return cut(shuffled_rows(rows, stream), 0, std::clamp<std::size_t>(wanted, 1, rows - 1));
}

std::vector<Split> k_fold(std::size_t rows, std::size_t folds, const Stream& stream) {
  if (folds < 2 || rows < folds)
    throw Error(ErrorKind::data,
                fmt::format("{} folds of {} rows are impossible; take between 2 and {}", folds, rows, rows));
  const Rows order = shuffled_rows(rows, stream);
  std::vector<Split> splits;
  splits.reserve(folds);
  for (std::size_t fold = 0; fold < folds; ++fold)
    splits.push_back(cut(order, rows * fold / folds, rows * (fold + 1) / folds));
  return splits;
}

Split within(const Split& positions, std::span<const std::uint32_t> rows) {
  Split split;
  for (const std::uint32_t position : positions.train) split.train.push_back(rows[position]);
  for (const std::uint32_t position : positions.test) split.test.push_back(rows[position]);
  return split;
}

}  // namespace coppice
