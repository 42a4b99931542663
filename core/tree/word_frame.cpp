#include "core/tree/word_frame.h"

#include <algorithm>
#include <bit>

namespace coppice {

bool WordFrame::suits(const CodedInputs& inputs) {
  // A dense column costs an entry for each row of every frame.
  return inputs.has_listed() && !inputs.has_special() &&
         inputs.dense_columns().size() * inputs.rows() <= inputs.listed_entries();
}

void WordFrame::build(const CodedInputs& inputs, std::span<const std::uint32_t> rows, bool values) {
  rows_.assign(rows.begin(), rows.end());
  count_ = 0;
  if (few_columns(inputs)) {
    mark_all(inputs);
    return;
  }
  column_of_.resize(inputs.columns(), none);
  mark_listed(inputs);
  mark_dense(inputs);
  if (make_room()) {
    add_listed(inputs, values);
    for (const std::uint32_t feature : inputs.dense_columns()) add_dense(inputs, feature, values);
    if (!values) sort_entries();
  }
  for (const WordColumn& column : columns()) column_of_[column.feature] = none;
}

/// Whether there are so few columns, all of two values, that a word for each costs less than finding those
/// which occur.
bool WordFrame::few_columns(const CodedInputs& inputs) const {
  if (!inputs.all_two_valued()) return false;
  std::size_t entries = 0;
  for (const std::uint32_t row : rows_) entries += inputs.listing_columns(row).size();
  constexpr std::size_t costs = 4;
  return inputs.columns() <= costs * entries;
}

void WordFrame::mark_all(const CodedInputs& inputs) {
  const std::size_t features = inputs.columns();
  if (words_.size() < features) {
    words_.resize(features, 0);
    columns_.resize(features + 1);
  }
  std::uint64_t* const words = words_.data();
  for (std::uint32_t id = 0; id < rows_.size(); ++id) {
    const std::uint64_t bit = std::uint64_t{1} << id;
    for (const std::uint32_t feature : inputs.listing_columns(rows_[id])) words[feature] |= bit;
  }
  const std::uint64_t all = this->all();
  WordColumn* const columns = columns_.data();
  std::uint32_t count = 0;
  for (std::uint32_t feature = 0; feature < features; ++feature) {
    const std::uint64_t rows = words[feature];
    words[feature] = 0;
    columns[count] = {rows, feature, two_valued};
    count += static_cast<unsigned>(rows != 0) & static_cast<unsigned>(rows != all);
  }
  count_ = count;
}

/// Says which rows have an entry in which column.
void WordFrame::mark_listed(const CodedInputs& inputs) {
  std::uint32_t* const column_of = column_of_.data();
  for (std::uint32_t id = 0; id < rows_.size(); ++id) {
    const std::uint64_t bit = std::uint64_t{1} << id;
    const auto features = inputs.listing_columns(rows_[id]);
    if (columns_.size() < count_ + features.size()) columns_.resize(2 * (count_ + features.size()));
    WordColumn* const columns = columns_.data();
    std::uint32_t count = count_;
    for (const std::uint32_t feature : features) {
      const std::uint32_t column = column_of[feature];
      if (column != none) {
        columns[column].rows |= bit;
        continue;
      }
      column_of[feature] = count;
      columns[count++] = {bit, feature, inputs.listed_two_valued(feature) ? two_valued : one_entry};
    }
    count_ = count;
  }
}
void WordFrame::mark_dense(const CodedInputs& inputs) {
  const auto features = inputs.dense_columns();
  if (columns_.size() < count_ + features.size()) columns_.resize(count_ + features.size());
  for (const std::uint32_t feature : features) {
    column_of_[feature] = count_;
    columns_[count_++] = {all(), feature, one_entry};
  }
}

/// Gives columns with several entries a place for them; returns whether there are any.
bool WordFrame::make_room() {
  std::size_t entries = 0;
  filled_.resize(count_);
  for (std::size_t c = 0; c < count_; ++c) {
    WordColumn& column = columns_[c];
    filled_[c] = none;
    if (column.entries == two_valued || (column.rows & (column.rows - 1)) == 0) continue;
    column.entries = filled_[c] = static_cast<std::uint32_t>(entries);
    entries += bit_count(column.rows);
  }
  if (entries_.size() < entries) entries_.resize(entries);
  return entries > 0;
}

void WordFrame::add_listed(const CodedInputs& inputs, bool values) {
  for (std::uint32_t id = 0; id < rows_.size(); ++id) {
    const auto features = inputs.listing_columns(rows_[id]);
    const auto codes = inputs.listed_codes(rows_[id]);
    const auto entry_values = values ? inputs.listed_values(rows_[id]) : std::span<const float>();
    for (std::size_t e = 0; e < features.size(); ++e) {
      std::uint32_t& filled = filled_[column_of_[features[e]]];
      if (filled == none) continue;
      entries_[filled++] = {values ? std::bit_cast<std::uint32_t>(entry_values[e]) : codes[e], id};
    }
  }
}

void WordFrame::add_dense(const CodedInputs& inputs, std::uint32_t feature, bool values) {
  const CodedColumn& column = inputs.column(feature);
  std::uint32_t& filled = filled_[column_of_[feature]];
  if (filled == none) return;
  for (std::uint32_t id = 0; id < rows_.size(); ++id) {
    const std::uint32_t row = rows_[id];
    // -0 becomes 0.
    const std::uint32_t key = values ? std::bit_cast<std::uint32_t>(column.dense_values[row] + 0.0F)
                              : column.narrow() ? column.narrow_codes[row]
                                                : column.wide_codes[row];
    entries_[filled++] = {key, id};
  }
}

void WordFrame::sort_entries() {
  for (const WordColumn& column : columns()) {
    if (column.entries >= one_entry) continue;
    Entry* const first = entries_.data() + column.entries;
    const std::size_t count = bit_count(column.rows);
    constexpr std::size_t few = 16;
    if (count > few) {
      std::sort(first, first + count, [](const Entry& a, const Entry& b) { return a.key < b.key; });
      continue;
    }
    for (std::size_t i = 1; i < count; ++i) {
      const Entry entry = first[i];
      std::size_t place = i;
      for (; place > 0 && entry.key < first[place - 1].key; --place) first[place] = first[place - 1];
      first[place] = entry;
    }
  }
}

bool WordFrame::several_keys(const WordColumn& column, std::uint64_t among) const {
  const auto entries = this->entries(column);
  const auto is_among = [&](const Entry& entry) { return ((among >> entry.id) & 1U) != 0; };
  const auto first = std::find_if(entries.begin(), entries.end(), is_among);
  return std::any_of(first, entries.end(),
                     [&](const Entry& entry) { return is_among(entry) && entry.key != first->key; });
}

}  // namespace coppice
