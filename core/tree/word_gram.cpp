#include "core/tree/word_gram.h"

#include <algorithm>
#include <limits>

#include "core/base/eight_lanes.h"
#include "core/tree/value_scan.h"

namespace coppice {

namespace {

/// w_i · w_j times how many labels two rows share, for any two of some rows. A processor that counts bits is
/// what the wide versions are for. Both halves of the matrix are computed: that is less work than copying
/// one.
COPPICE_WIDEST_VECTORS void multiply_anywhere(const std::uint64_t* bits, const std::int64_t* weights,
                                              std::size_t rows, std::size_t words, std::int64_t* gram) {
  for (std::size_t i = 0; i < rows; ++i) {
    std::int64_t* const row = gram + i * rows;
    for (std::size_t j = 0; j < rows; ++j) row[j] = 0;
    for (std::size_t w = 0; w < words; ++w) {
      const std::uint64_t* const of_word = bits + w * rows;
      for (std::size_t j = 0; j < rows; ++j) row[j] += std::popcount(of_word[i] & of_word[j]);
    }
    const std::int64_t weight = weights[i];
    for (std::size_t j = 0; j < rows; ++j) row[j] *= weight * weights[j];
  }
}

#if COPPICE_WRITES_WIDEST

COPPICE_WRITTEN_FOR_BITS void multiply_widest(const std::uint64_t* bits, const std::int64_t* weights,
                                              std::size_t rows, std::size_t words, std::int64_t* gram) {
  for (std::size_t j = 0; j < rows; j += 8) {
    const __mmask8 valid = first_lanes(rows - j);
    const __m512i others = _mm512_maskz_loadu_epi64(valid, weights + j);
    for (std::size_t i = 0; i < rows; ++i) {
      __m512i common = _mm512_setzero_si512();
      for (std::size_t w = 0; w < words; ++w) {
        const __m512i eight = _mm512_maskz_loadu_epi64(valid, bits + w * rows + j);
        const __m512i one = _mm512_set1_epi64(static_cast<long long>(bits[w * rows + i]));
        common = _mm512_add_epi64(common, _mm512_popcnt_epi64(_mm512_and_si512(eight, one)));
      }
      const __m512i both = _mm512_mullo_epi64(others, _mm512_set1_epi64(weights[i]));
      _mm512_mask_storeu_epi64(gram + i * rows + j, valid, _mm512_mullo_epi64(common, both));
    }
  }
}

#endif

void multiply(const std::uint64_t* bits, const std::int64_t* weights, std::size_t rows, std::size_t words,
              std::int64_t* gram, [[maybe_unused]] bool widest) {
#if COPPICE_WRITES_WIDEST
  if (widest) {
    multiply_widest(bits, weights, rows, words, gram);
    return;
  }
#endif
  multiply_anywhere(bits, weights, rows, words, gram);
}

/// So many sums are kept in registers while rows are added.
constexpr std::size_t sums_at_once = 8;

/// Adds the rows `which` of a square matrix to `sums`, or takes them away. There is room in both for the sums
/// that are made at once, beyond the last.
template <typename Change>
[[gnu::always_inline]] inline void change_sums(const std::int64_t* matrix, std::size_t rows,
                                               std::uint64_t which, std::int64_t* sums,
                                               const Change& change) {
  for (std::size_t begin = 0; begin < rows; begin += sums_at_once) {
    std::array<std::int64_t, sums_at_once> some;
    std::copy_n(sums + begin, sums_at_once, some.begin());
    for (std::uint64_t left = which; left != 0; left &= left - 1) {
      const std::int64_t* const row =
          matrix + static_cast<std::size_t>(std::countr_zero(left)) * rows + begin;
      for (std::size_t j = 0; j < sums_at_once; ++j) change(some[j], row[j]);
    }
    std::copy_n(some.begin(), sums_at_once, sums + begin);
  }
}
COPPICE_WIDEST_VECTORS void add_products(const std::int64_t* matrix, std::size_t rows, std::uint64_t which,
                                         std::int64_t* sums) {
  change_sums(matrix, rows, which, sums, [](std::int64_t& sum, std::int64_t more) { sum += more; });
}
COPPICE_WIDEST_VECTORS void remove_products(const std::int64_t* matrix, std::size_t rows, std::uint64_t which,
                                            std::int64_t* sums) {
  change_sums(matrix, rows, which, sums, [](std::int64_t& sum, std::int64_t less) { sum -= less; });
}

}  // namespace

void WordGram::build(std::span<const std::uint32_t> rows, bool widest) {
  rows_ = rows.size();
  set_bits(rows);
  gram_.resize(rows_ * rows_ + rows_ + sums_at_once);
  std::fill_n(gram_.data() + rows_ * rows_, rows_ + 1, std::int64_t{0});
  for (std::size_t i = 0; i < rows_; ++i) weights_[i] = weights_of_[rows[i]];
  weights_[rows_] = 0;
  multiply(bits_.data(), weights_.data(), rows_, words_, gram_.data(), widest);
  only_shared_ = 0;
  for (std::size_t i = 0; i < rows_; ++i) {
    const std::int64_t squares =
        weights_[i] * weights_[i] * static_cast<std::int64_t>((*labels_)[rows[i]].size());
    only_shared_ |= std::uint64_t{gram_[i * rows_ + i] == squares ? 1U : 0U} << i;
    gram_[i * rows_ + i] = squares;
  }
}

bool WordGram::identical(std::uint64_t rows) const {
  if ((rows & (rows - 1)) == 0) return true;
  if ((rows & ~only_shared_) != 0) return false;
  const std::uint32_t first = first_of(rows);
  for (rows &= rows - 1; rows != 0; rows &= rows - 1)
    for (std::size_t w = 0; w < words_; ++w)
      if (bits_[w * rows_ + first_of(rows)] != bits_[w * rows_ + first]) return false;
  return true;
}

void WordGram::set_bits(std::span<const std::uint32_t> rows) {
  words_ = (std::size_t{labels_->label_count()} + 63) / 64;
  if (label_bits_ != nullptr && label_bits_->words() > 0) {
    bits_.resize(rows.size() * words_);
    for (std::size_t id = 0; id < rows.size(); ++id)
      for (std::size_t w = 0; w < words_; ++w) bits_[w * rows_ + id] = (*label_bits_)[rows[id]][w];
    return;
  }
  // A bit for each of a few labels costs less than finding those that are shared.
  if (words_ <= LabelBits::most_words) {
    bits_.assign(rows.size() * words_, 0);
    for (std::size_t id = 0; id < rows.size(); ++id)
      for (const std::uint32_t label : (*labels_)[rows[id]])
        bits_[label / 64 * rows_ + id] |= std::uint64_t{1} << (label % 64);
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
      if (met_[label] > 1) bits_[place_[label] / 64 * rows_ + id] |= std::uint64_t{1} << (place_[label] % 64);
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
    totals.products.fill(0);
    add_products(gram_.data(), rows_, rows, totals.products.data());
  } else {
    for (std::uint64_t left = rows; left != 0; left &= left - 1)
      totals.products[first_of(left)] = product(first_of(left), rows);
  }
  totals.products[rows_] = 0;
  sum_squares(rows, totals);
}

void WordGram::remove(std::uint64_t gone, std::uint64_t left, Totals& totals) const {
  totals.weight -= weight_of(gone);
  if (bit_count(left) > few) {
    remove_products(gram_.data(), rows_, gone, totals.products.data());
  } else {
    for (std::uint64_t rows = left; rows != 0; rows &= rows - 1)
      totals.products[first_of(rows)] -= product(first_of(rows), gone);
  }
  totals.products[rows_] = 0;
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

/// Most columns part two to four rows from the others. How many they are cannot be foreseen, so four are
/// always added up, of which the last may be the row of nothing.
inline SplitScore WordGram::add_up(std::uint64_t rows) const {
  const std::int64_t* const gram = gram_.data();
  const std::int64_t* const products = totals_->products.data();
  const auto nothing = static_cast<std::uint32_t>(rows_);
  const std::uint32_t a = first_of(rows);
  rows &= rows - 1;
  const std::uint32_t b = first_of(rows);
  rows &= rows - 1;
  const std::uint32_t c = std::min(first_of(rows), nothing);
  rows &= rows - 1;
  const std::uint32_t d = std::min(first_of(rows), nothing);
  rows &= rows - 1;
  const std::int64_t* const row_a = gram + a * rows_;
  const std::int64_t* const row_b = gram + b * rows_;
  const std::int64_t* const row_c = gram + c * rows_;
  const std::int64_t* const row_d = gram + d * rows_;
  std::int64_t weight = weights_[a] + weights_[b] + weights_[c] + weights_[d];
  std::int64_t product = products[a] + products[b] + products[c] + products[d];
  std::int64_t diagonal = row_a[a] + row_b[b] + row_c[c] + row_d[d];
  std::int64_t half = row_b[a] + row_c[a] + row_c[b] + row_d[a] + row_d[b] + row_d[c];
  if (rows != 0) {
    std::array<std::uint32_t, most_rows> ids{a, b, c, d};
    for (std::size_t count = 4; rows != 0; ++count, rows &= rows - 1) {
      const std::uint32_t id = first_of(rows);
      ids[count] = id;
      const std::int64_t* const row = gram + id * rows_;
      for (std::size_t i = 0; i < count; ++i) half += row[ids[i]];
      diagonal += row[id];
      weight += weights_[id];
      product += products[id];
    }
  }
  return score(weight, diagonal + 2 * half, product);
}

SplitScore WordGram::part(std::uint64_t rows) const {
  return add_up(rows);
}

COPPICE_BIT_INSTRUCTIONS WordGram::BestPart WordGram::best_part(const Parts& parts, std::uint64_t node,
                                                                std::size_t least) const {
  BestPart best{-std::numeric_limits<double>::infinity(), 0};
  const auto size = static_cast<std::size_t>(std::popcount(node));
  for (std::size_t i = 0; i < parts.count; ++i) {
    const std::uint64_t here = parts.rows[parts.places[i]] & node;
    const auto count = static_cast<std::size_t>(std::popcount(here));
    const std::size_t smaller = std::min(count, size - count);
    if (smaller < least) continue;
    const double score = add_up(smaller == count ? here : node ^ here).value();
    best = score > best.score ? BestPart{score, i} : best;
  }
  return best;
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
