#include "core/tree/word_gram.h"

#include "core/base/wide_vectors.h"
#include "core/tree/value_scan.h"

namespace coppice {

namespace {

/// w_i · w_j times how many labels two rows share, for any two of some rows. A processor that counts bits is
/// what the wide versions are for. Both halves of the matrix are computed: that is less work than copying
/// one.
COPPICE_WIDEST_VECTORS void multiply(const std::uint64_t* bits, const std::int64_t* weights, std::size_t rows,
                                     std::size_t words, std::int64_t* gram) {
  for (std::size_t i = 0; i < rows; ++i) {
    std::int64_t* const row = gram + i * rows;
    if (words == 1) {
      for (std::size_t j = 0; j < rows; ++j) row[j] = std::popcount(bits[i] & bits[j]);
    } else {
      for (std::size_t j = 0; j < rows; ++j) {
        std::int64_t common = 0;
        for (std::size_t w = 0; w < words; ++w)
          common += std::popcount(bits[i * words + w] & bits[j * words + w]);
        row[j] = common;
      }
    }
    const std::int64_t weight = weights[i];
    for (std::size_t j = 0; j < rows; ++j) row[j] *= weight * weights[j];
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
  for (std::size_t i = 0; i < rows_; ++i) weights_[i] = weights_of_[rows[i]];
  multiply(bits_.data(), weights_.data(), rows_, words_, gram_.data());
  only_shared_ = 0;
  for (std::size_t i = 0; i < rows_; ++i) {
    const std::int64_t squares =
        weights_[i] * weights_[i] * static_cast<std::int64_t>((*labels_)[rows[i]].size());
    only_shared_ |= std::uint64_t{gram_[i * rows_ + i] == squares ? 1U : 0U} << i;
    gram_[i * rows_ + i] = squares;
  }
}

bool WordGram::identical(std::uint64_t rows) const {
  const std::uint64_t* const first = bits_.data() + first_of(rows) * words_;
  if ((rows & (rows - 1)) == 0) return true;
  if ((rows & ~only_shared_) != 0) return false;
  for (rows &= rows - 1; rows != 0; rows &= rows - 1) {
    const std::uint64_t* const other = bits_.data() + first_of(rows) * words_;
    for (std::size_t w = 0; w < words_; ++w)
      if (other[w] != first[w]) return false;
  }
  return true;
}

void WordGram::set_bits(std::span<const std::uint32_t> rows) {
  constexpr std::size_t few_words = 2;  // a bit for each label then costs less than finding the shared ones
  words_ = (std::size_t{labels_->label_count()} + 63) / 64;
  if (words_ <= few_words) {
    bits_.assign(rows.size() * words_, 0);
    for (std::size_t id = 0; id < rows.size(); ++id)
      for (const std::uint32_t label : (*labels_)[rows[id]])
        bits_[id * words_ + label / 64] |= std::uint64_t{1} << (label % 64);
    return;
  }
  set_shared_bits(rows);
}

void WordGram::set_shared_bits(std::span<const std::uint32_t> rows) {
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
  if (bit_count(rows) > few) {
    for (std::size_t id = 0; id < rows_; ++id) totals.products[id] = 0;
    add_rows(gram_.data(), rows_, rows, 1, totals.products.data());
  } else {
    for (std::uint64_t left = rows; left != 0; left &= left - 1)
      totals.products[first_of(left)] = product(first_of(left), rows);
  }
  sum_squares(rows, totals);
}

void WordGram::remove(std::uint64_t gone, std::uint64_t left, Totals& totals) const {
  totals.weight -= weight_of(gone);
  if (bit_count(left) > few) {
    add_rows(gram_.data(), rows_, gone, -1, totals.products.data());
  } else {
    for (std::uint64_t rows = left; rows != 0; rows &= rows - 1)
      totals.products[first_of(rows)] -= product(first_of(rows), gone);
  }
  sum_squares(left, totals);
}

std::int64_t WordGram::product(std::uint32_t id, std::uint64_t rows) const {
  const std::int64_t* const row = gram_.data() + id * rows_;
  std::int64_t sum = 0;
  for (; rows != 0; rows &= rows - 1) sum += row[first_of(rows)];
  return sum;
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
