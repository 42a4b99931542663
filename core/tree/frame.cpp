#include "core/tree/frame.h"

#include <algorithm>
#include <numeric>

#include "core/tree/bit_rows.h"

namespace coppice {

namespace {

constexpr std::uint32_t no_column = 0xffffffffU;

/// What a column is to be that is no list: a bitmap from some word on, or nothing.
constexpr std::uint64_t bitmap_mark = std::uint64_t{1} << 63;
constexpr std::uint64_t dropped = ~std::uint64_t{0};

template <typename Value>
void gather(const Value* from, std::span<const std::uint32_t> places, Value* to) {
  for (std::size_t i = 0; i < places.size(); ++i) to[i] = from[places[i]];
}

}  // namespace

void Frame::build(const CodedInputs& inputs, std::span<const std::uint32_t> rows, FrameScratch& scratch,
                  bool values) {
  rows_.assign(rows.begin(), rows.end());
  columns_.clear();
  index_.clear();
  if (!inputs.has_listed()) return;
  if (only_bitmaps(inputs)) {
    build_bitmaps(inputs);
    return;
  }
  // No branch asks whether a column is met for the first time: that cannot be foreseen.
  std::uint32_t* const count = scratch.count.data();
  std::uint32_t* const met = scratch.touched.data();
  std::size_t columns = 0;
  for (const std::uint32_t row : rows_)
    for (const std::uint32_t place : inputs.listing_places(row)) {
      met[columns] = place;
      columns += count[place] == 0 ? 1 : 0;
      ++count[place];
    }
  const auto touched = std::span<const std::uint32_t>(met, columns);
  choose_columns(inputs, touched, scratch);
  if (values)
    fill(inputs, scratch, [&](std::uint32_t row) { return inputs.listed_values(row); });
  else
    fill(inputs, scratch, [&](std::uint32_t row) { return inputs.listed_codes(row); });
  for (const std::uint32_t place : touched) count[place] = 0;
}

/// Whether every column is a bitmap, without counting: a bitmap for each costs no more than what is listed.
bool Frame::only_bitmaps(const CodedInputs& inputs) const {
  if (!inputs.all_two_valued()) return false;
  std::size_t entries = 0;
  for (const std::uint32_t row : rows_) entries += inputs.entries_of(row);
  return inputs.columns() * words() <= entries;
}

void Frame::build_bitmaps(const CodedInputs& inputs) {
  const std::size_t words = this->words();
  bits_.resize(inputs.columns() * words);
  const BitRows& rows = inputs.bit_rows();
  for (std::size_t word = 0; word < words; ++word)
    rows.write_columns(std::span(rows_).subspan(word * 64, std::min<std::size_t>(64, size() - word * 64)),
                       bits_.data() + word, words);
  // Without a branch, since whether a rare feature occurs cannot be foreseen: with room for one that does
  // not.
  columns_.resize(inputs.columns() + 1);
  std::size_t count = 0;
  for (std::uint32_t feature = 0; feature < inputs.columns(); ++feature) {
    const std::uint64_t* const bits = bits_.data() + feature * words;
    std::uint64_t any = 0;
    for (std::size_t word = 0; word < words; ++word) any |= bits[word];
    columns_[count] = {feature, 0, true, true, feature * words};
    count += any != 0 ? 1 : 0;
  }
  columns_.resize(count);
}

std::span<const ListKey> Frame::sorted_list(const FrameColumn& column) const {
  if (sorted_[column.begin] == 0) {
    sort_keys(lists_.data() + column.begin, column.count);
    sorted_[column.begin] = 1;
  }
  return list(column);
}

void Frame::sort_lists() const {
  for (const FrameColumn& column : columns_)
    if (!column.two_valued) sorted_list(column);
}

void Frame::list_columns(const CodedInputs& inputs, ColumnList& columns) const {
  columns.resize(columns_.size());
  std::iota(columns.begin(), columns.end(), 0U);
  for (const std::uint32_t feature : inputs.dense_columns()) columns.push_back(feature | dense_mark);
}

std::span<const std::uint32_t> Frame::column_index(std::size_t features) const {
  if (index_.empty()) {
    index_.assign(features, no_column);
    for (std::uint32_t c = 0; c < columns_.size(); ++c) index_[columns_[c].feature] = c;
  }
  return index_;
}

void Frame::choose_columns(const CodedInputs& inputs, std::span<const std::uint32_t> touched,
                           FrameScratch& scratch) {
  std::size_t bit_words = 0;
  std::size_t list_keys = 0;
  columns_.resize(touched.size());
  std::size_t kept = 0;
  for (const std::uint32_t place : touched) {
    FrameColumn& column = columns_[kept];
    column.feature = inputs.feature_at(place);
    column.count = scratch.count[place];
    column.two_valued = inputs.two_valued_at(place);
    if (column.two_valued && column.count == size()) {
      scratch.next[place] = dropped;
      continue;
    }
    // A bitmap is read 64 rows at a time: better than a list unless nearly all of its words are empty.
    column.bitmap = column.two_valued && column.count >= words() / 2;
    column.begin = column.bitmap ? bit_words : list_keys;
    (column.bitmap ? bit_words : list_keys) += column.bitmap ? words() : column.count;
    scratch.next[place] = column.begin | (column.bitmap ? bitmap_mark : 0);
    ++kept;
  }
  columns_.resize(kept);
  bits_.assign(bit_words, 0);
  if (lists_.size() < list_keys) lists_.resize(list_keys);
  sorted_.assign(list_keys, 0);
}

/// `entries_of` gives what the keys of a row say besides the row, codes or values.
template <typename EntriesOf>
void Frame::fill(const CodedInputs& inputs, FrameScratch& scratch, const EntriesOf& entries_of) {
  std::uint64_t* const next = scratch.next.data();
  ListKey* const lists = lists_.data();
  for (std::uint32_t id = 0; id < size(); ++id) {
    const auto places = inputs.listing_places(rows_[id]);
    const auto entries = entries_of(rows_[id]);
    for (std::size_t e = 0; e < places.size(); ++e) {
      const std::uint64_t to = next[places[e]];
      if (to < bitmap_mark) {
        lists[to] = list_key(std::bit_cast<std::uint32_t>(entries[e]), id);
        next[places[e]] = to + 1;
      } else if (to != dropped) {
        bits_[(to ^ bitmap_mark) + id / 64] |= std::uint64_t{1} << (id % 64);
      }
    }
  }
}

void DenseCopy::build(const CodedInputs& inputs, std::span<const std::uint32_t> rows, bool values) {
  const auto columns = inputs.dense_columns();
  active_ = true;
  rows_ = rows.size();
  codes_.resize(values ? 0 : columns.size() * rows_);
  values_.resize(values ? columns.size() * rows_ : 0);
  for (std::size_t c = 0; c < columns.size(); ++c) {
    const CodedColumn& column = inputs.column(columns[c]);
    if (values)
      gather(column.dense_values.data(), rows, values_.data() + c * rows_);
    else
      gather(column.narrow_codes.data(), rows, codes_.data() + c * rows_);
  }
}

void DenseCopy::build(const DenseCopy& larger, std::span<const std::uint32_t> ids, std::size_t columns,
                      bool values) {
  active_ = true;
  rows_ = ids.size();
  codes_.resize(values ? 0 : columns * rows_);
  values_.resize(values ? columns * rows_ : 0);
  for (std::size_t c = 0; c < columns; ++c) {
    if (values)
      gather(larger.values(c), ids, values_.data() + c * rows_);
    else
      gather(larger.codes(c), ids, codes_.data() + c * rows_);
  }
}

}  // namespace coppice
