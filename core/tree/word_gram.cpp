#include "core/tree/word_gram.h"

#include "core/base/wide_vectors.h"

namespace coppice {

namespace {

/// How many labels any two of some rows share, into `counts`, row after row. A processor that counts bits is
/// what the wide version is for.
COPPICE_WIDE_VECTORS void count_common(const std::uint64_t* bits, std::size_t rows, std::size_t words,
                                       std::int64_t* counts) {
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t j = 0; j < i; ++j) {
      int common = 0;
      for (std::size_t w = 0; w < words; ++w)
        common += std::popcount(bits[i * words + w] & bits[j * words + w]);
      counts[i * rows + j] = common;
    }
}

/// Adds the rows `which` of a square matrix to `sums`, times `sign`.
COPPICE_WIDE_VECTORS void add_rows(const std::int64_t* matrix, std::size_t rows, std::uint64_t which,
                                   std::int64_t sign, std::int64_t* sums) {
  for (; which != 0; which &= which - 1) {
    const std::int64_t* const row = matrix + static_cast<std::size_t>(std::countr_zero(which)) * rows;
    if (sign > 0)
      for (std::size_t j = 0; j < rows; ++j) sums[j] += row[j];
    else
      for (std::size_t j = 0; j < rows; ++j) sums[j] -= row[j];
  }
}

}  // namespace

void WordGram::build(std::span<const std::uint32_t> rows) {
  rows_ = rows.size();
  set_bits(rows);
  gram_.resize(rows_ * rows_);
  count_common(bits_.data(), rows_, words_, gram_.data());
  std::array<std::int64_t, most_rows> labels;
  for (std::size_t i = 0; i < rows_; ++i) {
    weights_[i] = weights_of_[rows[i]];
    labels[i] = static_cast<std::int64_t>((*labels_)[rows[i]].size());
    same_[i] = std::uint64_t{1} << i;
  }
  for (std::size_t i = 0; i < rows_; ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const std::int64_t common = gram_[i * rows_ + j];
      const unsigned equal =
          static_cast<unsigned>(common == labels[i]) & static_cast<unsigned>(common == labels[j]);
      same_[i] |= std::uint64_t{equal} << j;
      same_[j] |= std::uint64_t{equal} << i;
      gram_[i * rows_ + j] = gram_[j * rows_ + i] = weights_[i] * weights_[j] * common;
    }
    gram_[i * rows_ + i] = weights_[i] * weights_[i] * labels[i];
  }
}

void WordGram::set_bits(std::span<const std::uint32_t> rows) {
  if (met_.empty()) {
    met_.resize(labels_->label_count(), 0);
    place_.resize(labels_->label_count(), 0);
  }
  std::uint32_t several = 0;
  for (const std::uint32_t row : rows)
    for (const std::uint32_t label : (*labels_)[row])
      if (++met_[label] == 2) place_[label] = several++;
  words_ = (several + 63) / 64;
  bits_.assign(rows.size() * words_, 0);
  for (std::size_t id = 0; id < rows.size(); ++id)
    for (const std::uint32_t label : (*labels_)[rows[id]])
      if (met_[label] > 1)
        bits_[id * words_ + place_[label] / 64] |= std::uint64_t{1} << (place_[label] % 64);
  for (const std::uint32_t row : rows)
    for (const std::uint32_t label : (*labels_)[row]) met_[label] = 0;
}

double WordGram::pair_gain(std::uint32_t a, std::uint32_t b) const {
  const std::int64_t different = gram_[a * rows_ + a] / weights_[a] * weights_[b] +
                                 gram_[b * rows_ + b] / weights_[b] * weights_[a] - 2 * gram_[a * rows_ + b];
  return static_cast<double>(different) / static_cast<double>(weights_[a] + weights_[b]);
}

void WordGram::learn(std::uint64_t rows, Totals& totals) const {
  totals.weight = weight_of(rows);
  for (std::size_t id = 0; id < rows_; ++id) totals.products[id] = 0;
  add_rows(gram_.data(), rows_, rows, 1, totals.products.data());
  sum_squares(rows, totals);
}

void WordGram::remove(std::uint64_t gone, std::uint64_t left, Totals& totals) const {
  totals.weight -= weight_of(gone);
  add_rows(gram_.data(), rows_, gone, -1, totals.products.data());
  sum_squares(left, totals);
}

std::int64_t WordGram::weight_of(std::uint64_t rows) const {
  std::int64_t weight = 0;
  for (; rows != 0; rows &= rows - 1) weight += weights_[first_of(rows)];
  return weight;
}

void WordGram::sum_squares(std::uint64_t rows, Totals& totals) const {
  totals.squares = 0;
  for (; rows != 0; rows &= rows - 1) totals.squares += totals.products[first_of(rows)];
}

SplitScore WordGram::part(std::uint64_t rows) const {
  std::array<std::uint32_t, most_rows> ids;
  ids[0] = first_of(rows);
  rows &= rows - 1;
  ids[1] = first_of(rows);
  rows &= rows - 1;
  std::int64_t weight = weights_[ids[0]] + weights_[ids[1]];
  std::int64_t product = totals_->products[ids[0]] + totals_->products[ids[1]];
  std::int64_t diagonal = gram_[ids[0] * rows_ + ids[0]] + gram_[ids[1] * rows_ + ids[1]];
  std::int64_t half = gram_[ids[1] * rows_ + ids[0]];
  for (std::size_t count = 2; rows != 0; ++count, rows &= rows - 1) {
    const std::uint32_t id = first_of(rows);
    ids[count] = id;
    const std::int64_t* const row = gram_.data() + id * rows_;
    for (std::size_t i = 0; i < count; ++i) half += row[ids[i]];
    diagonal += row[id];
    weight += weights_[id];
    product += totals_->products[id];
  }
  return score(weight, diagonal + 2 * half, product);
}

void WordGram::prefixes(std::span<const std::uint32_t> ids, const std::uint32_t* /*wanted*/,
                        SplitScore* scores) const {
  std::int64_t weight = 0;
  std::int64_t squares = 0;
  std::int64_t product = 0;
  for (std::size_t count = 0; count < ids.size(); ++count) {
    const std::int64_t* const row = gram_.data() + ids[count] * rows_;
    std::int64_t half = 0;
    for (std::size_t i = 0; i < count; ++i) half += row[ids[i]];
    squares += row[ids[count]] + 2 * half;
    weight += weights_[ids[count]];
    product += totals_->products[ids[count]];
    scores[count] = score(weight, squares, product);
  }
}

}  // namespace coppice
