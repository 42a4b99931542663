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
  has_entries_ = false;
  if (few_columns(inputs)) {
    mark_all(inputs);
    return;
  }
  column_of_.resize(inputs.columns(), none);
  mark_listed(inputs);
  mark_dense(inputs);
  has_entries_ = make_room();
  if (has_entries_) {
    add_listed(inputs, values);
    for (const std::uint32_t feature : inputs.dense_columns()) add_dense(inputs, feature, values);
    if (!values) sort_entries();
  }
  for (std::size_t c = 0; c < count_; ++c) column_of_[columns_[c].feature] = none;
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
  if (words_.size() < features) words_.resize(features, 0);
  std::uint64_t* const words = words_.data();
  for (std::uint32_t id = 0; id < rows_.size(); ++id) {
    const std::uint64_t bit = std::uint64_t{1} << id;
    for (const std::uint32_t feature : inputs.listing_columns(rows_[id])) words[feature] |= bit;
  }
  count_ = static_cast<std::uint32_t>(collect_columns(words, features, all(), columns_));
}

/// Says which rows have an entry in which column.
void WordFrame::mark_listed(const CodedInputs& inputs) {
  std::uint32_t* const column_of = column_of_.data();
  for (std::uint32_t id = 0; id < rows_.size(); ++id) {
    const std::uint64_t bit = std::uint64_t{1} << id;
    const auto features = inputs.listing_columns(rows_[id]);
    columns_.make_room(count_ + features.size());
    std::uint64_t* const rows = columns_.rows.data();
    std::uint64_t* const names = columns_.names.data();
    std::uint32_t count = count_;
    for (const std::uint32_t feature : features) {
      const std::uint32_t column = column_of[feature];
      if (column != none) {
        rows[column] |= bit;
        continue;
      }
      column_of[feature] = count;
      rows[count] = bit;
      names[count++] = WordColumns::name(
          feature, inputs.listed_two_valued(feature) ? WordColumn::two_valued : WordColumn::one_entry);
    }
    count_ = count;
  }
}
void WordFrame::mark_dense(const CodedInputs& inputs) {
  const auto features = inputs.dense_columns();
  columns_.make_room(count_ + features.size());
  for (const std::uint32_t feature : features) {
    column_of_[feature] = count_;
    columns_.rows[count_] = all();
    columns_.names[count_++] = WordColumns::name(feature, WordColumn::one_entry);
  }
}

/// Gives columns with several entries a place for them; returns whether there are any.
bool WordFrame::make_room() {
  std::size_t entries = 0;
  filled_.resize(count_);
  for (std::size_t c = 0; c < count_; ++c) {
    const WordColumn column = columns_[c];
    filled_[c] = none;
    if (column.entries == WordColumn::two_valued || (column.rows & (column.rows - 1)) == 0) continue;
    filled_[c] = static_cast<std::uint32_t>(entries);
    columns_.names[c] = WordColumns::name(column.feature, filled_[c]);
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
      entries_[filled++] = list_key(values ? std::bit_cast<std::uint32_t>(entry_values[e]) : codes[e], id);
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
    entries_[filled++] = list_key(key, id);
  }
}

void WordFrame::sort_entries() {
  for (std::size_t c = 0; c < count_; ++c)
    if (columns_[c].has_entries())
      sort_keys(entries_.data() + columns_[c].entries, bit_count(columns_.rows[c]));
}

bool WordFrame::several_keys(const WordColumn& column, std::uint64_t among) const {
  const auto entries = this->entries(column);
  const auto is_among = [&](ListKey entry) { return ((among >> key_id(entry)) & 1U) != 0; };
  const auto first = std::find_if(entries.begin(), entries.end(), is_among);
  return std::any_of(first, entries.end(),
                     [&](ListKey entry) { return is_among(entry) && key_code(entry) != key_code(*first); });
}

}  // namespace coppice
