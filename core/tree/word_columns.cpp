#include "core/tree/word_columns.h"

#include <algorithm>
#include <array>
#include <bit>

#include "core/base/eight_lanes.h"

namespace coppice {

namespace {

constexpr std::uint64_t first_without_entries = std::uint64_t{WordColumn::one_entry} << 32;
constexpr std::uint64_t first_two_valued = std::uint64_t{WordColumn::two_valued} << 32;

// No branch asks which columns are kept: it could not be foreseen.

std::size_t keep_anywhere(const std::uint64_t* rows, const std::uint64_t* names, std::size_t size,
                          std::uint64_t among, std::uint64_t* to_rows, std::uint64_t* to_names) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < size; ++i) {
    const std::uint64_t here = rows[i] & among;
    const std::uint64_t name = names[i];
    const unsigned parts = (here != among ? 1U : 0U) | (name < first_without_entries ? 1U : 0U);
    to_rows[count] = rows[i];
    to_names[count] = name;
    count += (here != 0 ? 1U : 0U) & parts;
  }
  return count;
}

std::size_t collect_anywhere(std::uint64_t* words, std::size_t begin, std::size_t features, std::uint64_t all,
                             std::size_t count, std::uint64_t* rows, std::uint64_t* names) {
  for (std::size_t feature = begin; feature < features; ++feature) {
    const std::uint64_t word = words[feature];
    words[feature] = 0;
    rows[count] = word;
    names[count] = first_two_valued | feature;
    count += (word != 0 ? 1U : 0U) & (word != all ? 1U : 0U);
  }
  return count;
}

void sort_out_anywhere(const std::uint64_t* rows, const std::uint64_t* names, std::size_t count,
                       std::uint64_t among, SortedOut& sorted) {
  std::size_t alone = 0;
  std::size_t several = 0;
  for (std::size_t place = 0; place < count; ++place) {
    const std::uint64_t here = rows[place] & among;
    const std::uint64_t others = among ^ here;
    const unsigned two_valued = names[place] >= first_two_valued ? 1 : 0;
    const unsigned one_here = (here & (here - 1)) == 0 ? 1 : 0;
    const unsigned one_other = (others & (others - 1)) == 0 ? two_valued : 0;
    const unsigned is_alone = one_here | one_other;
    const std::uint64_t row = one_here != 0 ? here : others;
    sorted.alone_row[alone] = row;
    sorted.alone_place[alone] = static_cast<std::uint32_t>(place);
    alone += is_alone;
    sorted.alone_rows |= row & (0 - std::uint64_t{is_alone});
    sorted.several_place[several] = static_cast<std::uint32_t>(place);
    several += 1 - is_alone;
  }
  sorted.alone = alone;
  sorted.several = several;
}

#if COPPICE_WRITES_WIDEST

constexpr std::size_t columns_in_vector = 4;

COPPICE_WRITTEN_FOR_WIDEST std::size_t keep_widest(const std::uint64_t* rows, const std::uint64_t* names,
                                                   std::size_t size, std::uint64_t among,
                                                   std::uint64_t* to_rows, std::uint64_t* to_names) {
  const __m256i node = _mm256_set1_epi64x(static_cast<long long>(among));
  const __m256i limit = _mm256_set1_epi64x(static_cast<long long>(first_without_entries));
  std::size_t count = 0;
  for (std::size_t i = 0; i < size; i += columns_in_vector) {
    // There is room to read beyond the last column, but what is there may not be kept.
    const __m256i words = _mm256_loadu_epi64(rows + i);
    const __m256i four = _mm256_loadu_epi64(names + i);
    const __m256i here = _mm256_and_si256(words, node);
    const auto parts =
        static_cast<__mmask8>(_mm256_cmpneq_epu64_mask(here, node) | _mm256_cmplt_epu64_mask(four, limit));
    const auto kept =
        static_cast<__mmask8>(_mm256_test_epi64_mask(here, here) & parts & first_of_four(size - i));
    _mm256_storeu_epi64(to_rows + count, _mm256_maskz_compress_epi64(kept, words));
    _mm256_storeu_epi64(to_names + count, _mm256_maskz_compress_epi64(kept, four));
    count += static_cast<std::size_t>(std::popcount(static_cast<unsigned>(kept)));
  }
  return count;
}

/// Whole vectors only; `done` says how many features those were.
COPPICE_WRITTEN_FOR_WIDEST std::size_t collect_widest(std::uint64_t* words, std::size_t features,
                                                      std::uint64_t all, std::uint64_t* rows,
                                                      std::uint64_t* names, std::size_t& done) {
  const __m256i every = _mm256_set1_epi64x(static_cast<long long>(all));
  const __m256i zero = _mm256_setzero_si256();
  const __m256i step = _mm256_set1_epi64x(columns_in_vector);
  __m256i four = _mm256_or_si256(_mm256_set1_epi64x(static_cast<long long>(first_two_valued)),
                                 _mm256_set_epi64x(3, 2, 1, 0));
  std::size_t count = 0;
  for (done = 0; done + columns_in_vector <= features; done += columns_in_vector) {
    const __m256i here = _mm256_loadu_epi64(words + done);
    _mm256_storeu_epi64(words + done, zero);
    const auto kept =
        static_cast<__mmask8>(_mm256_test_epi64_mask(here, here) & _mm256_cmpneq_epu64_mask(here, every));
    _mm256_storeu_epi64(rows + count, _mm256_maskz_compress_epi64(kept, here));
    _mm256_storeu_epi64(names + count, _mm256_maskz_compress_epi64(kept, four));
    four = _mm256_add_epi64(four, step);
    count += static_cast<std::size_t>(std::popcount(static_cast<unsigned>(kept)));
  }
  return count;
}

COPPICE_WRITTEN_FOR_WIDEST void sort_out_widest(const std::uint64_t* rows, const std::uint64_t* names,
                                                std::size_t count, std::uint64_t among, SortedOut& sorted) {
  const __m256i node = _mm256_set1_epi64x(static_cast<long long>(among));
  const __m256i limit = _mm256_set1_epi64x(static_cast<long long>(first_two_valued));
  const __m256i ones = _mm256_set1_epi64x(-1);
  const __m128i step = _mm_set1_epi32(columns_in_vector);
  __m256i alone_rows = _mm256_setzero_si256();
  __m128i places = _mm_set_epi32(3, 2, 1, 0);
  std::size_t alone = 0;
  std::size_t several = 0;
  for (std::size_t i = 0; i < count; i += columns_in_vector) {
    const __mmask8 valid = first_of_four(count - i);
    const __m256i here = _mm256_and_si256(_mm256_loadu_epi64(rows + i), node);
    const __m256i others = _mm256_xor_si256(here, node);
    const __mmask8 two_valued = _mm256_cmpge_epu64_mask(_mm256_loadu_epi64(names + i), limit);
    const __mmask8 one_here = _mm256_testn_epi64_mask(here, _mm256_add_epi64(here, ones));
    const __mmask8 one_other =
        _mm256_mask_testn_epi64_mask(two_valued, others, _mm256_add_epi64(others, ones));
    const auto is_alone = static_cast<__mmask8>((one_here | one_other) & valid);
    const auto is_several = static_cast<__mmask8>(~is_alone & valid);
    const __m256i row = _mm256_mask_mov_epi64(others, one_here, here);
    alone_rows = _mm256_mask_or_epi64(alone_rows, is_alone, alone_rows, row);
    _mm256_storeu_epi64(sorted.alone_row.data() + alone, _mm256_maskz_compress_epi64(is_alone, row));
    _mm_storeu_epi32(sorted.alone_place.data() + alone, _mm_maskz_compress_epi32(is_alone, places));
    _mm_storeu_epi32(sorted.several_place.data() + several, _mm_maskz_compress_epi32(is_several, places));
    places = _mm_add_epi32(places, step);
    alone += static_cast<std::size_t>(std::popcount(static_cast<unsigned>(is_alone)));
    several += static_cast<std::size_t>(std::popcount(static_cast<unsigned>(is_several)));
  }
  sorted.alone = alone;
  sorted.several = several;
  std::array<std::uint64_t, columns_in_vector> each;
  _mm256_storeu_epi64(each.data(), alone_rows);
  for (const std::uint64_t row : each) sorted.alone_rows |= row;
}

#endif

}  // namespace

std::size_t keep_varying(WordColumns& columns, std::size_t from, std::size_t size, std::uint64_t among,
                         std::size_t to, [[maybe_unused]] bool widest) {
  columns.make_room(std::max(from, to) + size);
  const std::uint64_t* const rows = columns.rows.data() + from;
  const std::uint64_t* const names = columns.names.data() + from;
  std::uint64_t* const to_rows = columns.rows.data() + to;
  std::uint64_t* const to_names = columns.names.data() + to;
#if COPPICE_WRITES_WIDEST
  if (widest) return keep_widest(rows, names, size, among, to_rows, to_names);
#endif
  return keep_anywhere(rows, names, size, among, to_rows, to_names);
}

std::size_t collect_columns(std::uint64_t* words, std::size_t features, std::uint64_t all,
                            WordColumns& columns, [[maybe_unused]] bool widest) {
  columns.make_room(features);
  std::size_t done = 0;
  std::size_t count = 0;
#if COPPICE_WRITES_WIDEST
  if (widest) count = collect_widest(words, features, all, columns.rows.data(), columns.names.data(), done);
#endif
  return collect_anywhere(words, done, features, all, count, columns.rows.data(), columns.names.data());
}

void sort_out(const WordColumns& columns, std::size_t begin, std::size_t count, std::uint64_t among,
              SortedOut& sorted, [[maybe_unused]] bool widest) {
  sorted.make_room(count);
  sorted.alone = sorted.several = 0;
  sorted.alone_rows = 0;
  const std::uint64_t* const rows = columns.rows.data() + begin;
  const std::uint64_t* const names = columns.names.data() + begin;
#if COPPICE_WRITES_WIDEST
  if (widest) {
    sort_out_widest(rows, names, count, among, sorted);
    return;
  }
#endif
  sort_out_anywhere(rows, names, count, among, sorted);
}

}  // namespace coppice
