#include "core/tree/frame.h"

#include <algorithm>

namespace coppice {

namespace {

constexpr std::uint32_t dropped = 0xffffffffU;

template <typename Value>
void gather(const Value* from, std::span<const std::uint32_t> places, Value* to) {
  for (std::size_t i = 0; i < places.size(); ++i) to[i] = from[places[i]];
}

}  // namespace

void Frame::build(const CodedInputs& inputs, std::span<const std::uint32_t> rows, FrameScratch& scratch,
                  bool sorted) {
  rows_.assign(rows.begin(), rows.end());
  columns_.clear();
  index_.clear();
  if (!inputs.has_listed()) return;
  for (const std::uint32_t row : rows_)
    for (const std::uint32_t column : inputs.listing_columns(row))
      if (scratch.count[column]++ == 0) scratch.touched.push_back(column);
  choose_columns(inputs, scratch);
  fill(inputs, scratch);
  if (sorted) sort_lists();
  for (const std::uint32_t column : scratch.touched) scratch.count[column] = 0;
  scratch.touched.clear();
}

std::span<const std::uint32_t> Frame::column_index(std::size_t features) const {
  if (index_.empty()) {
    index_.assign(features, dropped);
    for (std::uint32_t c = 0; c < columns_.size(); ++c) index_[columns_[c].feature] = c;
  }
  return index_;
}

void Frame::choose_columns(const CodedInputs& inputs, FrameScratch& scratch) {
  std::size_t bit_words = 0;
  std::size_t list_keys = 0;
  for (const std::uint32_t feature : scratch.touched) {
    FrameColumn column;
    column.feature = feature;
    column.count = scratch.count[feature];
    column.two_valued = inputs.column(feature).two_valued();
    if (column.two_valued && column.count == size()) {
      scratch.local[feature] = dropped;
      continue;
    }
    // A bitmap is read 64 rows at a time: better than a list unless nearly all of its words are empty.
    column.bitmap = column.two_valued && column.count >= words() / 2;
    column.begin = column.bitmap ? bit_words : list_keys;
    (column.bitmap ? bit_words : list_keys) += column.bitmap ? words() : column.count;
    scratch.local[feature] = static_cast<std::uint32_t>(columns_.size());
    columns_.push_back(column);
  }
  bits_.assign(bit_words, 0);
  lists_.resize(list_keys);
}

void Frame::fill(const CodedInputs& inputs, const FrameScratch& scratch) {
  filled_.assign(columns_.size(), 0);
  row_begin_.resize(size() + 1);
  std::size_t entries = 0;
  for (const std::uint32_t row : rows_) entries += inputs.listing_columns(row).size();
  if (row_columns_.size() < entries) row_columns_.resize(entries);
  std::uint32_t written = 0;
  for (std::uint32_t id = 0; id < size(); ++id) {
    row_begin_[id] = written;
    const auto features = inputs.listing_columns(rows_[id]);
    const auto codes = inputs.listed_codes(rows_[id]);
    for (std::size_t e = 0; e < features.size(); ++e) {
      const std::uint32_t local = scratch.local[features[e]];
      if (local == dropped) continue;
      row_columns_[written++] = local;
      const FrameColumn& column = columns_[local];
      if (column.bitmap)
        bits_[column.begin + id / 64] |= std::uint64_t{1} << (id % 64);
      else
        lists_[column.begin + filled_[local]++] = (ListKey{codes[e]} << 32) | id;
    }
  }
  row_begin_[size()] = written;
}

void Frame::sort_lists() {
  for (const FrameColumn& column : columns_) {
    if (column.bitmap || column.two_valued || column.count == 1) continue;
    const auto first = lists_.begin() + static_cast<std::ptrdiff_t>(column.begin);
    std::sort(first, first + column.count);
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
