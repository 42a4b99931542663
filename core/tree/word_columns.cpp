#include "core/tree/word_columns.h"

#include <algorithm>
#include <array>
#include <bit>

#include "core/base/eight_lanes.h"

namespace coppice {

namespace {

constexpr std::uint64_t first_without_entries = WordColumns::first_without_entries;
constexpr std::uint64_t first_two_valued = WordColumns::first_two_valued;

// No branch asks which columns are kept: it could not be foreseen.

/// 1 for a column that may vary among some rows.
unsigned may_vary(std::uint64_t rows, std::uint64_t name, std::uint64_t among) {
  const std::uint64_t here = rows & among;
  return (here != 0 ? 1U : 0U) & ((here != among ? 1U : 0U) | (name < first_without_entries ? 1U : 0U));
}

std::size_t keep_anywhere(const std::uint64_t* rows, const std::uint64_t* names, std::size_t size,
                          std::uint64_t among, std::uint64_t* to_rows, std::uint64_t* to_names) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < size; ++i) {
    const std::uint64_t here = rows[i];
    const std::uint64_t name = names[i];
    to_rows[count] = here;
    to_names[count] = name;
    count += may_vary(here, name, among);
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

/// Four columns at once, or eight where vectors of 512 bits slow nothing down.
struct FourColumns {
  using Vector = __m256i;
  static constexpr std::size_t at_once = 4;

  COPPICE_INLINE_FOR_WIDEST static Vector all(std::uint64_t word) {
    return _mm256_set1_epi64x(static_cast<long long>(word));
  }
  COPPICE_INLINE_FOR_WIDEST static Vector numbers() { return _mm256_set_epi64x(3, 2, 1, 0); }
  COPPICE_INLINE_FOR_WIDEST static Vector load(const std::uint64_t* words) {
    return _mm256_loadu_epi64(words);
  }
  COPPICE_INLINE_FOR_WIDEST static void store(std::uint64_t* words, Vector lanes) {
    _mm256_storeu_epi64(words, lanes);
  }
  COPPICE_INLINE_FOR_WIDEST static void store_some(std::uint64_t* words, __mmask8 which, Vector lanes) {
    _mm256_storeu_epi64(words, _mm256_maskz_compress_epi64(which, lanes));
  }
  COPPICE_INLINE_FOR_WIDEST static void store_some(std::uint32_t* words, __mmask8 which, Vector lanes) {
    _mm_storeu_epi32(words, _mm256_maskz_cvtepi64_epi32(0xf, _mm256_maskz_compress_epi64(which, lanes)));
  }
  COPPICE_INLINE_FOR_WIDEST static __mmask8 first(std::size_t count) { return first_of_four(count); }
  COPPICE_INLINE_FOR_WIDEST static __mmask8 common(Vector a, Vector b) {
    return _mm256_test_epi64_mask(a, b);
  }
  COPPICE_INLINE_FOR_WIDEST static __mmask8 different(Vector a, Vector b) {
    return _mm256_cmpneq_epu64_mask(a, b);
  }
  COPPICE_INLINE_FOR_WIDEST static __mmask8 less(Vector a, Vector b) { return _mm256_cmplt_epu64_mask(a, b); }
  COPPICE_INLINE_FOR_WIDEST static Vector sum(Vector a, Vector b) { return _mm256_add_epi64(a, b); }
  COPPICE_INLINE_FOR_WIDEST static Vector choose(__mmask8 which, Vector yes, Vector no) {
    return _mm256_mask_mov_epi64(no, which, yes);
  }
};
struct EightColumns {
  using Vector = __m512i;
  static constexpr std::size_t at_once = 8;

  COPPICE_INLINE_FOR_WIDEST static Vector all(std::uint64_t word) {
    return _mm512_set1_epi64(static_cast<long long>(word));
  }
  COPPICE_INLINE_FOR_WIDEST static Vector numbers() { return _mm512_set_epi64(7, 6, 5, 4, 3, 2, 1, 0); }
  COPPICE_INLINE_FOR_WIDEST static Vector load(const std::uint64_t* words) {
    return _mm512_loadu_epi64(words);
  }
  COPPICE_INLINE_FOR_WIDEST static void store(std::uint64_t* words, Vector lanes) {
    _mm512_storeu_epi64(words, lanes);
  }
  COPPICE_INLINE_FOR_WIDEST static void store_some(std::uint64_t* words, __mmask8 which, Vector lanes) {
    _mm512_storeu_epi64(words, _mm512_maskz_compress_epi64(which, lanes));
  }
  COPPICE_INLINE_FOR_WIDEST static void store_some(std::uint32_t* words, __mmask8 which, Vector lanes) {
    _mm256_storeu_epi32(words, _mm512_maskz_cvtepi64_epi32(0xff, _mm512_maskz_compress_epi64(which, lanes)));
  }
  COPPICE_INLINE_FOR_WIDEST static __mmask8 first(std::size_t count) { return first_lanes(count); }
  COPPICE_INLINE_FOR_WIDEST static __mmask8 common(Vector a, Vector b) {
    return _mm512_test_epi64_mask(a, b);
  }
  COPPICE_INLINE_FOR_WIDEST static __mmask8 different(Vector a, Vector b) {
    return _mm512_cmpneq_epu64_mask(a, b);
  }
  COPPICE_INLINE_FOR_WIDEST static __mmask8 less(Vector a, Vector b) { return _mm512_cmplt_epu64_mask(a, b); }
  COPPICE_INLINE_FOR_WIDEST static Vector sum(Vector a, Vector b) { return _mm512_add_epi64(a, b); }
  COPPICE_INLINE_FOR_WIDEST static Vector choose(__mmask8 which, Vector yes, Vector no) {
    return _mm512_mask_mov_epi64(no, which, yes);
  }
};
COPPICE_INLINE_FOR_WIDEST std::size_t how_many(__mmask8 which) {
  return static_cast<std::size_t>(std::popcount(static_cast<unsigned>(which)));
}

/// Of the first `size` of some columns, those that may vary among some rows. There is room to read beyond the
/// last column.
template <typename Columns>
COPPICE_INLINE_FOR_WIDEST __mmask8 may_vary(typename Columns::Vector rows, typename Columns::Vector names,
                                            std::size_t size, std::uint64_t among) {
  const auto node = Columns::all(among);
  const auto parts = static_cast<__mmask8>(Columns::different(rows & node, node) |
                                           Columns::less(names, Columns::all(first_without_entries)));
  return static_cast<__mmask8>(Columns::common(rows, node) & parts & Columns::first(size));
}

template <typename Columns>
COPPICE_WRITTEN_FOR_WIDEST void mark_widest(const std::uint64_t* rows, const std::uint64_t* names,
                                            std::size_t size, std::uint64_t among, std::uint64_t* marks) {
  for (std::size_t i = 0; i < size; i += Columns::at_once) {
    const __mmask8 marked =
        may_vary<Columns>(Columns::load(rows + i), Columns::load(names + i), size - i, among);
    marks[i / 64] |= std::uint64_t{marked} << (i % 64);
  }
}

template <typename Columns>
COPPICE_WRITTEN_FOR_WIDEST std::size_t keep_widest(const std::uint64_t* rows, const std::uint64_t* names,
                                                   std::size_t size, std::uint64_t among,
                                                   std::uint64_t* to_rows, std::uint64_t* to_names) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < size; i += Columns::at_once) {
    const auto words = Columns::load(rows + i);
    const auto called = Columns::load(names + i);
    const __mmask8 kept = may_vary<Columns>(words, called, size - i, among);
    Columns::store_some(to_rows + count, kept, words);
    Columns::store_some(to_names + count, kept, called);
    count += how_many(kept);
  }
  return count;
}

/// Whole vectors only; `done` says how many features those were.
template <typename Columns>
COPPICE_WRITTEN_FOR_WIDEST std::size_t collect_widest(std::uint64_t* words, std::size_t features,
                                                      std::uint64_t all, std::uint64_t* rows,
                                                      std::uint64_t* names, std::size_t& done) {
  const auto every = Columns::all(all);
  auto called = Columns::all(first_two_valued) | Columns::numbers();
  std::size_t count = 0;
  for (done = 0; done + Columns::at_once <= features; done += Columns::at_once) {
    const auto here = Columns::load(words + done);
    Columns::store(words + done, Columns::all(0));
    const auto kept = static_cast<__mmask8>(Columns::common(here, here) & Columns::different(here, every));
    Columns::store_some(rows + count, kept, here);
    Columns::store_some(names + count, kept, called);
    called = Columns::sum(called, Columns::all(Columns::at_once));
    count += how_many(kept);
  }
  return count;
}

template <typename Columns>
COPPICE_WRITTEN_FOR_WIDEST void sort_out_widest(const std::uint64_t* rows, const std::uint64_t* names,
                                                std::size_t count, std::uint64_t among, SortedOut& sorted) {
  const auto node = Columns::all(among);
  const auto limit = Columns::all(first_two_valued);
  const auto ones = Columns::all(~std::uint64_t{0});
  const auto none = Columns::all(0);
  auto alone_rows = none;
  auto places = Columns::numbers();
  std::size_t alone = 0;
  std::size_t several = 0;
  for (std::size_t i = 0; i < count; i += Columns::at_once) {
    const __mmask8 valid = Columns::first(count - i);
    const auto here = Columns::load(rows + i) & node;
    const auto others = here ^ node;
    const auto several_here = Columns::common(here, Columns::sum(here, ones));
    const auto several_others = static_cast<__mmask8>(Columns::common(others, Columns::sum(others, ones)) |
                                                      Columns::less(Columns::load(names + i), limit));
    const auto is_several = static_cast<__mmask8>(several_here & several_others & valid);
    const auto is_alone = static_cast<__mmask8>(~is_several & valid);
    const auto row = Columns::choose(several_here, others, here);
    alone_rows |= Columns::choose(is_alone, row, none);
    Columns::store_some(sorted.alone_row.data() + alone, is_alone, row);
    Columns::store_some(sorted.alone_place.data() + alone, is_alone, places);
    Columns::store_some(sorted.several_place.data() + several, is_several, places);
    places = Columns::sum(places, Columns::all(Columns::at_once));
    alone += how_many(is_alone);
    several += how_many(is_several);
  }
  sorted.alone = alone;
  sorted.several = several;
  std::array<std::uint64_t, Columns::at_once> each;
  Columns::store(each.data(), alone_rows);
  for (const std::uint64_t row : each) sorted.alone_rows |= row;
}

#endif

}  // namespace

std::size_t keep_varying(WordColumns& columns, std::size_t from, std::size_t size, std::uint64_t among,
                         std::size_t to, [[maybe_unused]] std::size_t at_once) {
  columns.make_room(std::max(from, to) + size);
  const std::uint64_t* const rows = columns.rows.data() + from;
  const std::uint64_t* const names = columns.names.data() + from;
  std::uint64_t* const to_rows = columns.rows.data() + to;
  std::uint64_t* const to_names = columns.names.data() + to;
#if COPPICE_WRITES_WIDEST
  if (at_once == EightColumns::at_once)
    return keep_widest<EightColumns>(rows, names, size, among, to_rows, to_names);
  if (at_once == FourColumns::at_once)
    return keep_widest<FourColumns>(rows, names, size, among, to_rows, to_names);
#endif
  return keep_anywhere(rows, names, size, among, to_rows, to_names);
}

void mark_varying(const WordColumns& columns, std::size_t from, std::size_t size, std::uint64_t among,
                  std::uint64_t* marks, [[maybe_unused]] std::size_t at_once) {
  const std::uint64_t* const rows = columns.rows.data() + from;
  const std::uint64_t* const names = columns.names.data() + from;
  std::fill_n(marks, (size + 63) / 64, std::uint64_t{0});
#if COPPICE_WRITES_WIDEST
  if (at_once == EightColumns::at_once) {
    mark_widest<EightColumns>(rows, names, size, among, marks);
    return;
  }
  if (at_once == FourColumns::at_once) {
    mark_widest<FourColumns>(rows, names, size, among, marks);
    return;
  }
#endif
  for (std::size_t i = 0; i < size; ++i)
    marks[i / 64] |= std::uint64_t{may_vary(rows[i], names[i], among)} << (i % 64);
}

std::size_t collect_columns(std::uint64_t* words, std::size_t features, std::uint64_t all,
                            WordColumns& columns, [[maybe_unused]] std::size_t at_once) {
  columns.make_room(features);
  std::uint64_t* const rows = columns.rows.data();
  std::uint64_t* const names = columns.names.data();
  std::size_t done = 0;
  std::size_t count = 0;
#if COPPICE_WRITES_WIDEST
  if (at_once == EightColumns::at_once)
    count = collect_widest<EightColumns>(words, features, all, rows, names, done);
  else if (at_once == FourColumns::at_once)
    count = collect_widest<FourColumns>(words, features, all, rows, names, done);
#endif
  return collect_anywhere(words, done, features, all, count, rows, names);
}

void sort_out(const WordColumns& columns, std::size_t begin, std::size_t count, std::uint64_t among,
              SortedOut& sorted, [[maybe_unused]] std::size_t at_once) {
  sorted.make_room(count);
  sorted.alone = sorted.several = 0;
  sorted.alone_rows = 0;
  const std::uint64_t* const rows = columns.rows.data() + begin;
  const std::uint64_t* const names = columns.names.data() + begin;
#if COPPICE_WRITES_WIDEST
  if (at_once == EightColumns::at_once) {
    sort_out_widest<EightColumns>(rows, names, count, among, sorted);
    return;
  }
  if (at_once == FourColumns::at_once) {
    sort_out_widest<FourColumns>(rows, names, count, among, sorted);
    return;
  }
#endif
  sort_out_anywhere(rows, names, count, among, sorted);
}

}  // namespace coppice
