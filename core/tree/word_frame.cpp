#include "core/tree/word_frame.h"

#include <algorithm>
#include <bit>

#include "core/tree/bit_rows.h"

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
  column_of_.resize(inputs.listed_columns(), none);
  mark_listed(inputs);
  mark_dense(inputs);
  has_entries_ = make_room(inputs);
  if (has_entries_) {
    add_listed(inputs, values);
    add_dense(inputs, values);
  }
  for (std::size_t c = 0; c < listed_; ++c) column_of_[met_[c]] = none;
}

/// Whether there are so few columns, all of two values, that a word for each costs less than finding those
/// which occur.
bool WordFrame::few_columns(const CodedInputs& inputs) const {
  if (!inputs.all_two_valued()) return false;
  std::size_t entries = 0;
  for (const std::uint32_t row : rows_) entries += inputs.entries_of(row);
  constexpr std::size_t costs = 4;
  return inputs.columns() <= costs * entries;
}

void WordFrame::mark_all(const CodedInputs& inputs) {
  const std::size_t features = inputs.columns();
  if (words_.size() < features) words_.resize(features, 0);
  std::uint64_t* const words = words_.data();
  constexpr std::size_t few = 12;  // fewer rows are sooner marked entry by entry
  if (rows_.size() >= few) {
    inputs.bit_rows().write_columns(rows_, words, 1);
  } else {
    for (std::uint32_t id = 0; id < rows_.size(); ++id) {
      const std::uint64_t bit = std::uint64_t{1} << id;
      for (const std::uint32_t place : inputs.listing_places(rows_[id]))
        words[inputs.feature_at(place)] |= bit;
    }
  }
  count_ = static_cast<std::uint32_t>(collect_columns(words, features, all(), columns_));
}

/// Says which rows have an entry in which column. Whether a row is the first with an entry in a column is a
/// coin toss, so there is no branch on it.
void WordFrame::mark_listed(const CodedInputs& inputs) {
  std::uint32_t* const column_of = column_of_.data();
  std::uint32_t count = 0;
  for (std::uint32_t id = 0; id < rows_.size(); ++id) {
    const std::uint64_t bit = std::uint64_t{1} << id;
    const auto places = inputs.listing_places(rows_[id]);
    columns_.make_room(count + places.size());
    if (met_.size() < count + places.size()) met_.resize(2 * (count + places.size()));
    std::uint64_t* const rows = columns_.rows.data();
    std::uint32_t* const met = met_.data();
    std::fill_n(rows + count, places.size(), std::uint64_t{0});
    for (const std::uint32_t place : places) {
      const std::uint32_t known = column_of[place];
      const std::uint32_t column = known == none ? count : known;
      column_of[place] = column;
      met[count] = place;
      rows[column] |= bit;
      count += known == none ? 1U : 0U;
    }
  }
  count_ = count;
  listed_ = count;
}
void WordFrame::mark_dense(const CodedInputs& inputs) {
  const auto features = inputs.dense_columns();
  columns_.make_room(count_ + features.size());
  for (const std::uint32_t feature : features) {
    columns_.rows[count_] = all();
    columns_.names[count_++] = WordColumns::name(feature, WordColumn::one_entry);
  }
}

/// Names the listed columns and gives those with several entries a place for them, the others one that all
/// of them share; returns whether there are any with several.
bool WordFrame::make_room(const CodedInputs& inputs) {
  std::uint32_t entries = 0;
  filled_.resize(count_);
  const auto several = [&](std::size_t c) { return (columns_.rows[c] & (columns_.rows[c] - 1)) != 0; };
  for (std::size_t c = 0; c < listed_; ++c) {
    const bool two_valued = inputs.two_valued_at(met_[c]);
    const bool kept = several(c) && !two_valued;
    filled_[c] = kept ? entries : none;
    columns_.names[c] = WordColumns::name(inputs.feature_at(met_[c]), kept         ? entries
                                                                      : two_valued ? WordColumn::two_valued
                                                                                   : WordColumn::one_entry);
    entries += kept ? static_cast<std::uint32_t>(bit_count(columns_.rows[c])) : 0;
  }
  for (std::size_t c = listed_; c < count_; ++c) {
    filled_[c] = several(c) ? entries : none;
    if (!several(c)) continue;
    columns_.names[c] = WordColumns::name(columns_[c].feature, entries);
    entries += static_cast<std::uint32_t>(rows_.size());
  }
  if (entries_.size() < entries + most_rows) entries_.resize(entries + most_rows);
  sorted_.assign(entries, 0);
  for (std::uint32_t& filled : filled_) filled = filled == none ? entries : filled;
  return entries > 0;
}

void WordFrame::add_listed(const CodedInputs& inputs, bool values) {
  for (std::uint32_t id = 0; id < rows_.size(); ++id) {
    const auto places = inputs.listing_places(rows_[id]);
    const auto codes = inputs.listed_codes(rows_[id]);
    const auto entry_values = values ? inputs.listed_values(rows_[id]) : std::span<const float>();
    for (std::size_t e = 0; e < places.size(); ++e) {
      std::uint32_t& filled = filled_[column_of_[places[e]]];
      entries_[filled++] = list_key(values ? std::bit_cast<std::uint32_t>(entry_values[e]) : codes[e], id);
    }
  }
}

void WordFrame::add_dense(const CodedInputs& inputs, bool values) {
  const auto features = inputs.dense_columns();
  for (std::size_t c = 0; c < features.size(); ++c) {
    std::uint32_t& filled = filled_[listed_ + c];
    const CodedColumn& column = inputs.column(features[c]);
    for (std::uint32_t id = 0; id < rows_.size(); ++id) {
      const std::uint32_t row = rows_[id];
      // -0 becomes 0.
      const std::uint32_t key = values ? std::bit_cast<std::uint32_t>(column.dense_values[row] + 0.0F)
                                : column.narrow() ? column.narrow_codes[row]
                                                  : column.wide_codes[row];
      entries_[filled++] = list_key(key, id);
    }
  }
}

std::span<const ListKey> WordFrame::sorted_entries(const WordColumn& column) const {
  if (sorted_[column.entries] == 0) {
    sort_keys(entries_.data() + column.entries, bit_count(column.rows));
    sorted_[column.entries] = 1;
  }
  return entries(column);
}

bool WordFrame::several_keys(const WordColumn& column, std::uint64_t among) const {
  const auto entries = this->entries(column);
  const auto is_among = [&](ListKey entry) { return ((among >> key_id(entry)) & 1U) != 0; };
  const auto first = std::find_if(entries.begin(), entries.end(), is_among);
  return std::any_of(first, entries.end(),
                     [&](ListKey entry) { return is_among(entry) && key_code(entry) != key_code(*first); });
}

}  // namespace coppice
