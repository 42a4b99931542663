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
  column_of_.resize(inputs.columns(), none);
  for (const WordColumn& column : columns_) column_of_[column.feature] = none;
  rows_.assign(rows.begin(), rows.end());
  columns_.clear();
  entries_.clear();
  for (std::uint32_t id = 0; id < rows_.size(); ++id) add_listed(inputs, id, values);
  for (const std::uint32_t feature : inputs.dense_columns()) add_dense(inputs, feature, values);
}

void WordFrame::add_listed(const CodedInputs& inputs, std::uint32_t id, bool values) {
  const auto features = inputs.listing_columns(rows_[id]);
  const auto codes = inputs.listed_codes(rows_[id]);
  const auto entry_values = values ? inputs.listed_values(rows_[id]) : std::span<const float>();
  const std::uint64_t bit = std::uint64_t{1} << id;
  std::uint32_t* const column_of = column_of_.data();
  for (std::size_t e = 0; e < features.size(); ++e) {
    const std::uint32_t feature = features[e];
    if (column_of[feature] == none) {
      column_of[feature] = static_cast<std::uint32_t>(columns_.size());
      columns_.push_back({0, feature, inputs.two_valued(feature) ? none : last});
    }
    WordColumn& column = columns_[column_of[feature]];
    column.rows |= bit;
    if (column.entries == none) continue;
    const std::uint32_t key = values ? std::bit_cast<std::uint32_t>(entry_values[e]) : codes[e];
    entries_.push_back({key, id, column.entries});
    column.entries = static_cast<std::uint32_t>(entries_.size()) - 1;
  }
}

void WordFrame::add_dense(const CodedInputs& inputs, std::uint32_t feature, bool values) {
  const CodedColumn& column = inputs.column(feature);
  column_of_[feature] = static_cast<std::uint32_t>(columns_.size());
  columns_.push_back({all(), feature, static_cast<std::uint32_t>(entries_.size())});
  for (std::uint32_t id = 0; id < rows_.size(); ++id) {
    const std::uint32_t row = rows_[id];
    // -0 becomes 0.
    const std::uint32_t key = values ? std::bit_cast<std::uint32_t>(column.dense_values[row] + 0.0F)
                              : column.narrow() ? column.narrow_codes[row]
                                                : column.wide_codes[row];
    entries_.push_back({key, id, static_cast<std::uint32_t>(entries_.size()) + 1});
  }
}

bool WordFrame::several_keys(const WordColumn& column, std::uint64_t among) const {
  std::uint32_t lowest = none;
  std::uint32_t highest = 0;
  each_entry(column, among, [&](std::uint32_t /*id*/, std::uint32_t key) {
    lowest = std::min(lowest, key);
    highest = std::max(highest, key);
  });
  return lowest != highest;
}

}  // namespace coppice
