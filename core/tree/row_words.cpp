#include "core/tree/row_words.h"

namespace coppice {

void RowWords::finish(std::size_t rows) {
  rows_ = rows;
  std::uint32_t end = 0;
  for (const std::uint32_t feature : met_) {
    columns_[feature].begin = end;
    if (!columns_[feature].one_value) end += static_cast<std::uint32_t>(bit_count(words_[feature]));
  }
  values_.resize(end);
  // Rows come in order, so each value's place is the next one of its column.
  for (const Entry& entry : entries_) {
    Column& column = columns_[entry.feature];
    if (!column.one_value) values_[column.begin++] = entry.value;
  }
  for (const std::uint32_t feature : met_)
    if (!columns_[feature].one_value)
      columns_[feature].begin -= static_cast<std::uint32_t>(bit_count(words_[feature]));
}

void RowWords::clear() {
  for (const std::uint32_t feature : met_) words_[feature] = 0;
  met_.clear();
  entries_.clear();
  rows_ = 0;
}

}  // namespace coppice
